import type { Context, Middleware } from 'koa'
import { checkinAnnul, checkinListRedeem, checkinRedeem } from '../../../schema/actions/checkin.ts'
import { stationScan, stationUndo } from '../../../schema/actions/station.ts'
import { type Log, loggedCode, loggedNonce } from '../../log.ts'
import { askedBy } from '../refusals.ts'

/** What a scan was answered with; words of the interface, or nothing. */
export interface AnsweredScan {
  readonly result: string
  readonly reason: string
}

const field = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined

/** A word of the interface; anything else is none. */
const word = (value: unknown): string =>
  typeof value === 'string' && /^[a-z_]{1,30}$/.test(value) ? value : ''

const sent = (ctx: Context, name: string): unknown => field(ctx.state.body, name)

/** Where the code is in a request that scans, by the path of its endpoint. */
const codes: Readonly<Record<string, (ctx: Context) => unknown>> = {
  [checkinRedeem.path]: (ctx) => sent(ctx, 'secret'),
  [checkinListRedeem.path]: (ctx) => ctx.params.position,
  [stationScan.path]: (ctx) => sent(ctx, 'code'),
}

const undoing: ReadonlySet<unknown> = new Set([checkinAnnul.path, stationUndo.path])

/** What a request that scans was answered with; null for any other one, and where nothing was decided. */
export function answeredScan(ctx: Context): AnsweredScan | null {
  if (!(String(ctx._matchedRoute) in codes)) return null
  const result = word(field(ctx.body, 'status'))
  return result === '' ? null : { result, reason: word(field(ctx.body, 'reason')) }
}

const nonceOf = (ctx: Context): string | undefined =>
  loggedNonce(field(ctx.body, 'nonce') ?? sent(ctx, 'nonce'))

const idIn = (body: unknown, name: string): unknown => field(field(body, name), 'id')

function noteScan(ctx: Context, { result, reason }: AnsweredScan, log: Log): void {
  const code = codes[String(ctx._matchedRoute)]?.(ctx)
  log.info('scan', {
    code: typeof code === 'string' ? loggedCode(code) : undefined,
    type: word(sent(ctx, 'type')) || 'entry',
    result,
    ...(reason === '' ? {} : { reason }),
    list: idIn(ctx.body, 'list'),
    position: idIn(ctx.body, 'position'),
    nonce: nonceOf(ctx),
    actor: askedBy(ctx),
  })
}

/** Writes a line for each scan that is answered and each that is undone, so that the log says what became of a ticket. */
export const logScans =
  (log: Log): Middleware =>
  async (ctx, next) => {
    await next()
    const scan = answeredScan(ctx)
    if (scan) noteScan(ctx, scan, log)
    else if (undoing.has(ctx._matchedRoute) && ctx.status === 200)
      log.info('scan undone', { nonce: nonceOf(ctx), actor: askedBy(ctx) })
  }
