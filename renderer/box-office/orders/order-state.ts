import type { TillOrder } from '../../api/orders-api.ts'
import { hundredthsOf } from '../amounts.ts'

/** Looking for an order. */
export interface OrderLookup {
  readonly text: string
  /** What was found for that text; null while nobody knows. */
  readonly found: readonly TillOrder[] | null
  /** How many there are in all. */
  readonly count: number
  /** Why nothing could be found. */
  readonly trouble: string | null
  /** The code of the one that is looked at. */
  readonly chosen: string | null
}

/** What can happen while an order is looked for. */
export type OrdersEvent =
  | { readonly type: 'orders-sought'; readonly text: string }
  | {
      readonly type: 'orders-found'
      readonly text: string
      readonly found: readonly TillOrder[]
      readonly count: number
      /** Which page of them this is; the first one replaces what was found before. */
      readonly page: number
    }
  | { readonly type: 'orders-missed'; readonly text: string; readonly detail: string }
  | { readonly type: 'order-changed'; readonly order: TillOrder }
  | { readonly type: 'order-chosen'; readonly code: string | null }
  | { readonly type: 'orders-closed' }

/** The order that is looked at. */
export const chosenOrder = ({ orders }: { readonly orders: OrderLookup | null }): TillOrder | null =>
  orders?.found?.find(({ code }) => code === orders.chosen) ?? null

const sumOf = (rows: TillOrder['refunds'], states: readonly string[]): number =>
  rows.reduce((sum, { state, amount }) => (states.includes(state) ? sum + hundredthsOf(amount) : sum), 0)

/** What is still to be paid for an order, in hundredths: less what was paid, and more what was given back. */
export function dueOf(order: TillOrder): number {
  if (order.status === 'c' || order.require_approval) return 0
  const paid = sumOf(order.payments, ['confirmed', 'refunded'])
  const back = sumOf(order.refunds, ['done', 'transit', 'created'])
  return Math.max(0, hundredthsOf(order.total) - paid + back)
}

/** What an order has been paid too much, in hundredths: all of it where it is canceled. */
export function owedOf(order: TillOrder): number {
  const paid = sumOf(order.payments, ['confirmed', 'refunded'])
  const back = sumOf(order.refunds, ['done', 'transit', 'created'])
  const total = order.status === 'c' ? 0 : hundredthsOf(order.total)
  return Math.max(0, paid - back - total)
}
