import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import type { ShownTillPayment } from '../../schema/bodies/till-payments.ts'
import type { TillOrder } from '../api/sales-api.ts'
import { decimalOf, hundredthsOf } from './amounts.ts'
import type { BasketChoice, BasketLine, BasketPosition } from './basket.ts'

/** What the server says that a basket costs; amounts are decimal. */
export interface Priced {
  /** The basket that it is about. */
  readonly of: string
  readonly total: string
  /** By the keys of the lines. */
  readonly lines: Readonly<Record<string, string>>
}

/** Why the server does not sell a basket, in its words. */
export interface Objection {
  readonly of: string
  readonly general: string
  readonly lines: Readonly<Record<string, string>>
}

/** The ways in which money is taken at a till. */
export type PaymentWay = 'cash' | 'card' | 'terminal' | 'giftcard'

/** A part of what is to be paid that is there already; the amount is decimal. */
export interface PaymentPart {
  /** By which the server knows it, where it is paid for an order. */
  readonly id: string
  readonly way: PaymentWay
  readonly amount: string
  readonly info: Readonly<Record<string, string>>
}

/** Money that the terminal is asked for; the amount is decimal. */
export interface Charging {
  readonly id: string
  readonly amount: string
  /** Pending, unknown or declined: what was paid is a part. */
  readonly state: string
  readonly reason: string | null
  readonly progress: number | null
}

/** A sale as it was when the payment began: whatever is asked later is asked about exactly this. */
export interface PinnedSale {
  readonly positions: readonly BasketPosition[]
  /** The carts that hold its seats; missing in what earlier versions have stored. */
  readonly carts?: readonly string[]
  readonly total: string
  /** The order that is paid for, where it was there before. */
  readonly order: string | null
  readonly tickets: number
}

/** Looking for an order. */
export interface OrderLookup {
  readonly text: string
  /** What was found for that text; null while nobody knows. */
  readonly found: readonly TillOrder[] | null
  /** Why nothing could be found. */
  readonly trouble: string | null
  /** The code of the one that is looked at. */
  readonly chosen: string | null
}

/** A payment that is going on. */
export interface TillPayment {
  /** What the server knows this sale by, however often it is asked; another one after a refusal. */
  readonly key: string
  readonly sale: PinnedSale
  readonly way: PaymentWay
  /** What was typed on the keypad, in hundredths. */
  readonly given: number
  /** What the terminal printed, where a card was charged. */
  readonly reference: string
  /** What is there already. */
  readonly parts: readonly PaymentPart[]
  /** What the terminal is asked for at the moment, or was asked for last without being paid. */
  readonly charging: Charging | null
  /** Being prepared; asked; asked without an answer, so it may be sold; refused, so it is not. */
  readonly phase: 'open' | 'asking' | 'unanswered' | 'refused'
  /** The server's words. */
  readonly detail: string
}

/** What was sold last. */
export interface TillSale {
  readonly code: string
  readonly tickets: number
  readonly total: string
  readonly way: PaymentWay
  /** What goes back, in hundredths; null where no cash was handed over. */
  readonly change: number | null
}

/** All that the till knows. */
export interface TillState {
  readonly catalogue: SaleCatalogue | null
  /** Why there is no catalogue. */
  readonly trouble: string | null
  /** The date chosen by hand. */
  readonly date: number | null
  readonly lines: readonly BasketLine[]
  /** The product whose form and add-ons are being chosen. */
  readonly choosing: number | null
  readonly priced: Priced | null
  readonly objection: Objection | null
  readonly payment: TillPayment | null
  readonly sold: TillSale | null
  /** What products are searched for. */
  readonly search: string
  readonly orders: OrderLookup | null
  /** The page about the drawer is open. */
  readonly atDrawer: boolean
  /** What was charged without a sale, or is not known to be. */
  readonly unsettled: readonly ShownTillPayment[]
}

/** All that can happen at a till. */
export type TillEvent =
  | { readonly type: 'offered'; readonly catalogue: SaleCatalogue }
  | { readonly type: 'not-offered'; readonly detail: string }
  | { readonly type: 'dated'; readonly date: number }
  | { readonly type: 'restored'; readonly lines: readonly BasketLine[]; readonly payment: TillPayment | null }
  | { readonly type: 'pressed'; readonly product: number }
  | { readonly type: 'added'; readonly choice: BasketChoice; readonly count: number }
  | { readonly type: 'choice-closed' }
  | { readonly type: 'counted'; readonly key: string; readonly count: number }
  | { readonly type: 'emptied' }
  /** One of the last line is taken off. */
  | { readonly type: 'taken-off' }
  /** Out of whatever is open. */
  | { readonly type: 'back' }
  | { readonly type: 'at-drawer'; readonly open: boolean }
  | { readonly type: 'priced'; readonly priced: Priced }
  | { readonly type: 'objected'; readonly objection: Objection }
  | { readonly type: 'paying'; readonly key: string }
  | { readonly type: 'way'; readonly way: PaymentWay }
  | { readonly type: 'given'; readonly given: number }
  | { readonly type: 'referred'; readonly reference: string }
  | { readonly type: 'taken'; readonly given: number | null }
  | { readonly type: 'payment-closed' }
  | { readonly type: 'part-added'; readonly part: PaymentPart }
  | { readonly type: 'part-removed'; readonly id: string }
  | { readonly type: 'charging'; readonly charging: Charging | null }
  /** A part could not be taken, and why. */
  | { readonly type: 'part-refused'; readonly detail: string }
  | { readonly type: 'unsettled'; readonly unsettled: readonly ShownTillPayment[] }
  | { readonly type: 'unanswered' }
  | { readonly type: 'refused'; readonly detail: string; readonly key: string }
  | { readonly type: 'sold'; readonly code: string }
  | { readonly type: 'finished' }
  | { readonly type: 'orders-sought'; readonly text: string }
  | { readonly type: 'orders-found'; readonly text: string; readonly found: readonly TillOrder[] }
  | { readonly type: 'orders-missed'; readonly text: string; readonly detail: string }
  | { readonly type: 'order-chosen'; readonly code: string | null }
  | { readonly type: 'orders-closed' }
  | { readonly type: 'paying-order'; readonly key: string }
  | { readonly type: 'searched'; readonly search: string }

/** What can happen to a payment. */
export type PaymentEvent = Extract<
  TillEvent,
  {
    readonly type:
      | 'paying'
      | 'paying-order'
      | 'way'
      | 'given'
      | 'referred'
      | 'taken'
      | 'payment-closed'
      | 'part-added'
      | 'part-removed'
      | 'charging'
      | 'part-refused'
      | 'unanswered'
      | 'refused'
      | 'sold'
  }
>

/** A till before it knows anything. */
export const initialTill: TillState = {
  catalogue: null,
  trouble: null,
  date: null,
  lines: [],
  choosing: null,
  priced: null,
  objection: null,
  payment: null,
  sold: null,
  search: '',
  orders: null,
  atDrawer: false,
  unsettled: [],
}

/** Names a basket, for answers that come when it has changed. */
export const basketName = (lines: readonly BasketLine[]): string =>
  JSON.stringify(lines.map(({ key, count }) => [key, count]))

/** What the basket costs as it is now, or null while nobody has said that. */
export const pricedNow = ({ priced, lines }: TillState): Priced | null =>
  priced && priced.of === basketName(lines) ? priced : null

/** What is wrong with the basket as it is now. */
export const objectionNow = ({ objection, lines }: TillState): Objection | null =>
  objection && objection.of === basketName(lines) ? objection : null

/** Whether the basket cannot be changed: somebody pays for it. */
export const isPinned = ({ payment }: TillState): boolean => payment !== null

/** The order that is looked at. */
export const chosenOrder = ({ orders }: TillState): TillOrder | null =>
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

/** Whether the server was asked to sell and has not said what became of it. */
export const isAsked = (payment: TillPayment | null): boolean =>
  payment?.phase === 'asking' || payment?.phase === 'unanswered'

/** What is still to be taken of a payment, in hundredths. */
export const stillToPay = ({ sale, parts }: TillPayment): number =>
  parts.reduce((sum, { amount }) => sum - hundredthsOf(amount), hundredthsOf(sale.total))

/** The same as a decimal amount. */
export const amountToPay = (payment: TillPayment): string => decimalOf(stillToPay(payment))

/** Whether money is there, or may be, that has to go back before the payment is given up. */
export const holdsMoney = ({ parts, charging }: TillPayment): boolean =>
  parts.some(({ way }) => way !== 'giftcard') || isCharging(charging)

/** Whether the terminal is at it, or nobody knows what it has done. */
export const isCharging = (charging: Charging | null): boolean =>
  charging?.state === 'pending' || charging?.state === 'unknown'
