import { createHmac } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from 'koa'
import type { Where } from '../../schema/actions/action.ts'
import {
  stationDisplayKey,
  stationDisplayLive,
  stationDisplayShow,
} from '../../schema/actions/drawer/customer-display.ts'
import type { DisplayKey, DisplayOpened, DisplaysTold } from '../../schema/bodies/customer-display.ts'
import type { Env } from '../env.ts'
import { Refusal, unauthenticated } from '../errors.ts'
import { isSameSecret, isStation } from '../http/authenticate.ts'
import type { Live } from '../http/live.ts'
import { type ApiRouter, admitting, serveRaw } from '../resource/endpoints.ts'
import { admittingStation } from './station-router.ts'

/** What the displays of a station's tills need. */
interface DisplayParts {
  readonly env: Env
  readonly live: Live
  readonly stationKey: string
  /** Where files of this machine are kept, or null where the data is not in a folder. */
  readonly folder: string | null
}

/** The cookie of a browser that was let in to a display; it is sent there alone. */
const displayCookie = 'gatehouse_display'
const cookieKept = 30 * 24 * 3_600_000

/**
 * Serves what tills have their guests see. Nothing of it is stored: a display that is opened, or finds its server again,
 * has the till asked. A key opens the display of one till and nothing else.
 */
export function serveCustomerDisplays(
  router: ApiRouter,
  { env, live, stationKey, folder }: DisplayParts,
): void {
  const secret = displaySecret(env, folder) ?? stationKey
  const keyOf = (till: string) => createHmac('sha256', secret).update(`display ${till}`).digest('base64url')
  const audience = (till: string) => `display ${till}`
  const own = admittingStation(router, stationKey)

  serveRaw(
    own,
    stationDisplayShow,
    async ({ params: { till }, body }): Promise<DisplaysTold> => ({
      displays: live.publish('shown', body, audience(till)),
    }),
  )
  serveRaw(
    own,
    stationDisplayKey,
    async ({ params: { till } }): Promise<DisplayKey> => ({ key: keyOf(till) }),
  )

  router.koa.post('/api/v1/station/displays/:till/open', (ctx) => {
    const till = tillOf(ctx)
    const [scheme, value = ''] = ctx.get('Authorization').split(' ')
    if (scheme !== 'Display' || !isSameSecret(value, keyOf(till)))
      throw new Refusal(403, { detail: 'This link opens no display. Take the one that the till shows now.' })
    const path = `/api/v1/station/displays/${encodeURIComponent(till)}/`
    ctx.cookies.set(displayCookie, value, {
      ...{ path, httpOnly: true, sameSite: 'strict', overwrite: true, maxAge: cookieKept },
    })
    ctx.status = 204
  })

  const watching = admitting<Record<Where, object>>(router, async (ctx) => {
    const isKnown = isSameSecret(ctx.cookies.get(displayCookie) ?? '', keyOf(tillOf(ctx)))
    if (!isKnown && !isStation(ctx, stationKey))
      throw unauthenticated('This browser was not let in to the display. Open the link that the till shows.')
    return {}
  })
  serveRaw(watching, stationDisplayLive, async ({ params: { till } }, ctx) => {
    live.open(ctx, audience(till))
    const opened: DisplayOpened = { till }
    live.publish('display', opened)
  })
}

const tillOf = (ctx: Context): string => String(ctx.params.till)

/** What the keys of displays are made from, which outlives the program so that displays go on after it; null without files. */
function displaySecret(env: Env, folder: string | null): string | null {
  if (folder === null) return null
  const file = join(folder, 'display-key')
  try {
    return readFileSync(file, 'utf8')
  } catch {
    const made = Buffer.from(env.randomBytes(32)).toString('base64url')
    writeFileSync(file, made, { mode: 0o600 })
    return made
  }
}
