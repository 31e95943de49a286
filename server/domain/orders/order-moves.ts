import { Temporal } from 'temporal-polyfill'
import { localDate, toInstant } from '../text/time.ts'
import type { OrderStatus } from './payments.ts'

/** What can be done with an order as a whole. */
export type OrderMove =
  | 'mark_paid'
  | 'mark_pending'
  | 'mark_expired'
  | 'mark_canceled'
  | 'mark_refunded'
  | 'reactivate'
  | 'extend'
  | 'approve'
  | 'deny'

const names: Readonly<Record<OrderStatus, string>> = {
  n: 'pending',
  p: 'paid',
  e: 'expired',
  c: 'canceled',
}

const from: Readonly<Record<OrderMove, readonly OrderStatus[]>> = {
  mark_paid: ['n', 'e'],
  mark_pending: ['p'],
  mark_expired: ['n'],
  mark_canceled: ['n', 'p', 'e'],
  mark_refunded: ['p'],
  reactivate: ['c'],
  extend: ['n', 'e'],
  approve: ['n'],
  deny: ['n'],
}

const needsApproval: ReadonlySet<OrderMove> = new Set(['approve', 'deny'])

/** Why something cannot be done with an order now, or null when it can. */
export function whyNoMove(
  move: OrderMove,
  { status, require_approval }: { readonly status: OrderStatus; readonly require_approval: boolean },
): string | null {
  const states = from[move]
  if (!states.includes(status))
    return `The order is ${names[status]}; this needs one that is ${states.map((state) => names[state]).join(' or ')}.`
  if (needsApproval.has(move) && !require_approval) return 'The order is not waiting for approval.'
  if (move === 'mark_paid' && require_approval) return 'The order is not approved yet.'
  return null
}

/** The last second of a day (YYYY-MM-DD) in a time zone, as an instant. */
export const endOfDay = (date: string, timezone: string): string => toInstant(`${date}T23:59:59`, timezone)

/** Until when an order may be paid: the end of the local day that many days after now. */
export const paymentDeadline = (now: string, days: number, timezone: string): string =>
  endOfDay(Temporal.PlainDate.from(localDate(now, timezone)).add({ days }).toString(), timezone)
