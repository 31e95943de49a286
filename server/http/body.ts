import type { Context, Middleware } from 'koa'
import { exceeded, type JsonBounds } from '../domain/text/json-weight.ts'
import { deepest, isUnstorable } from '../domain/text/storable.ts'
import { impossible, Refusal } from '../errors.ts'
import type { WantedBody } from '../resource/api.ts'

const decoder = new TextDecoder()

/** A value for so many bytes that a body may have: what parses slowly is refused before it is parsed. */
const bytesPerValue = 16

const tooHeavy: Readonly<Record<keyof JsonBounds, () => Refusal>> = {
  levels: () => impossible('The body holds more than fifty levels, which cannot be stored.'),
  values: () =>
    new Refusal(413, { detail: 'The body of the request holds too many values. Send it in several parts.' }),
}

/** Throws what keeps a JSON text of a body that may have so many bytes from being parsed. */
export function checkWeight(bytes: Uint8Array, limit: number, levels = deepest): void {
  const bound = exceeded(bytes, { levels, values: limit / bytesPerValue })
  if (bound !== null) throw tooHeavy[bound]()
}

const storable = (text: string): string => text.toWellFormed().replaceAll('\u0000', '\uFFFD')

/** Puts replacement characters in place of what texts cannot be stored with; names of fields stay as they are. */
function mend(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(mend)
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, mend(part)]))
}

/** What a body says; throws 400, 413 or 415 where it is not JSON that can be read and stored. */
function parsed(ctx: Context, bytes: Uint8Array, { limit, isScanned }: WantedBody): unknown {
  const text = decoder.decode(bytes)
  if (text.trim() === '') return {}
  const { type } = ctx.request
  if (type !== '' && type !== 'application/json' && !ctx.request.is('json'))
    throw new Refusal(415, {
      detail: `Unsupported media type "${type}" in request. Send application/json.`,
    })
  checkWeight(bytes, limit)
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw impossible(
      `JSON parse error - ${cause instanceof Error ? cause.message.slice(0, 200) : 'not JSON'}`,
    )
  }
  if (!isUnstorable(body)) return body
  const mended = isScanned ? mend(body) : body
  if (isUnstorable(mended))
    throw impossible(
      'The body holds null characters, broken Unicode or more than fifty levels, which cannot be stored.',
    )
  return mended
}

/** What the body of a request says as JSON, or the refusal to be thrown where it is asked for. */
export function readJson(ctx: Context, bytes: Uint8Array, wanted: WantedBody): unknown {
  try {
    return parsed(ctx, bytes, wanted)
  } catch (cause) {
    if (cause instanceof Refusal) return cause
    throw cause
  }
}

/**
 * Comes before everything that looks at the address of a request: a target that is none, such as `http://[x`, is taken for
 * `/` until `checkAddress` refuses it, so that its answer has the headers and is counted like every other.
 */
export const noteStrangeAddress = (): Middleware => (ctx, next) => {
  try {
    void ctx.path
  } catch {
    ctx.req.url = '/'
    ctx.state.hasNoAddress = true
  }
  return next()
}

/** Refuses paths and queries that no database can look for. */
export const checkAddress = (): Middleware => (ctx, next) => {
  if (ctx.state.hasNoAddress) throw impossible('The address of the request is not valid.')
  let text: string
  try {
    text = decodeURIComponent(ctx.path)
  } catch {
    throw impossible(
      'The address is not valid: a percent sign in it is not followed by two hexadecimal digits.',
    )
  }
  if (isUnstorable([text, ctx.query]))
    throw impossible('The address holds characters that cannot be looked for.')
  return next()
}
