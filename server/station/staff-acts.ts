import type { Middleware } from 'koa'
import type { StaffRight } from '../../schema/staff-rights.ts'
import { isStation } from '../http/authenticate.ts'
import { flagParameter, type Query } from '../resource/query.ts'
import type { Transactions } from '../resource/transactions.ts'
import { requireRight } from '../services/accounts/staff-sign-in.ts'
import { actorOf, stationSettings, taskOf } from '../services/devices/station-settings.ts'

const ev = '/api/v1/organizers/[^/]+/events/[^/]+'
const at = (pattern: string): RegExp => new RegExp(`^${ev}/${pattern}/?$`)

const payment = (pattern: string): RegExp => new RegExp(`^/api/v1/station/payments/${pattern}$`)
const change = at('orders/[^/]+/change')
/** What is printed, and what became of it as somebody says; what the window says of its own printer is no act of anybody. */
const prints = /^\/api\/v1\/station\/prints\/([^/]+\/decide\/?)?$/

/** What a station's screens may do only for somebody who has signed in and may, if anybody signs in there at all. */
const acts: readonly (readonly [method: string, path: RegExp, right: StaffRight])[] = [
  ['POST', at('orders'), 'sell'],
  ['POST', at('orders/[^/]+/payments'), 'sell'],
  ['POST', at('orders/[^/]+/(mark_canceled|mark_refunded|reactivate)'), 'cancel'],
  ['DELETE', at('orderpositions/\\d+'), 'cancel'],
  ['POST', change, 'cancel'],
  ['POST', at('orders/[^/]+/refunds'), 'refund'],
  ['POST', at('orders/[^/]+/payments/\\d+/(cancel|refund)'), 'refund'],
  ['POST', at('orders/[^/]+/refunds/\\d+/(done|process|cancel)'), 'refund'],
  ['POST', payment('([^/]+/spent/?)?'), 'sell'],
  ['POST', payment('[^/]+/(refund|decide)/?'), 'refund'],
  ['POST', prints, 'sell'],
]

/** The right that a request asks of whoever has signed in at the station; null for none. */
export function rightFor(method: string, path: string, query: Query = {}): StaffRight | null {
  // To look what a change would cost is no change; what gives money back needs the right to that.
  if (method === 'POST' && change.test(path)) {
    if (flagParameter(query, 'simulate') === true) return null
    if (flagParameter(query, 'refund') === true) return 'refund'
  }
  return acts.find(([one, pattern]) => one === method && pattern.test(path))?.[2] ?? null
}

/**
 * Refuses what whoever has signed in at this station may not do (403 with `reason` and `right`), before it is carried out
 * here or passed up: only this station knows who has signed in. The supervisor's leave (`X-Step-Up`) is used up by
 * asking; where the act fails afterwards, they are asked again.
 */
export const requireStaffRights =
  (transactions: Transactions, stationKey: string): Middleware =>
  async (ctx, next) => {
    const right = rightFor(ctx.method, ctx.path, ctx.query)
    if (right === null || !isStation(ctx, stationKey)) return next()
    const settings = await stationSettings(transactions.database)
    // At an entrance nobody signs in to print badges.
    if (settings && prints.test(ctx.path) && taskOf(settings) !== 'box-office') return next()
    const actor = settings && actorOf(settings)
    if (actor?.organizer) {
      const place = { organizer: actor.organizer, event: 0 }
      const token = ctx.get('X-Step-Up')
      await transactions.write((tx) => requireRight(tx, { actor, place }, right, token))
    }
    return next()
  }
