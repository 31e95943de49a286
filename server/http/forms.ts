import { hash, timingSafeEqual } from 'node:crypto'
import type { Context } from 'koa'
import { smallBody } from '../../schema/body-limits.ts'
import { isUnstorable } from '../domain/text/storable.ts'
import { impossible, Refusal } from '../errors.ts'
import type { BodyReader } from '../resource/api.ts'

/** What a form says. Throws 415 for another kind of body, 413 for a large one and 400 for what cannot be stored. */
export async function readForm(ctx: Context, bodies: BodyReader): Promise<URLSearchParams> {
  if (!ctx.is('application/x-www-form-urlencoded'))
    throw new Refusal(415, { detail: 'Send a form: application/x-www-form-urlencoded.' })
  const bytes = await bodies.bytes(ctx, { limit: smallBody, from: 'anybody' })
  const form = new URLSearchParams(bytes.toString('utf8'))
  if (isUnstorable([...form].flat())) throw impossible('The form holds characters that cannot be stored.')
  return form
}

/** What a form of ours says so that it is known to come from a page that the holder of the cookie was shown. */
export const formSecret = (cookie: string): string => hash('sha256', `form ${cookie}`, 'base64url')

const same = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(hash('sha256', a)), Buffer.from(hash('sha256', b)))

/** Whether a browser says that a request comes from a page of another site. Old ones and programs say nothing. */
function isForeign(ctx: Context, publicUrl: string | undefined): boolean {
  const site = ctx.get('Sec-Fetch-Site')
  if (site !== '' && site !== 'same-origin') return true
  const origin = ctx.get('Origin')
  if (origin === '') return false
  const host = URL.parse(origin)?.host
  return host !== ctx.host && (publicUrl === undefined || host !== new URL(publicUrl).host)
}

/** Whether a form was sent from a page of ours, as the browser says and as the form shows. */
export const isOwnForm = (
  ctx: Context,
  form: URLSearchParams,
  cookie: string,
  publicUrl: string | undefined,
): boolean => !isForeign(ctx, publicUrl) && cookie !== '' && same(form.get('csrf') ?? '', formSecret(cookie))
