import type { PricedExchange } from '../../api/orders-api.ts'
import { decimalOf, hundredthsOf } from '../amounts.ts'
import type { BasketPosition } from '../selling/basket.ts'
import type { AnsweredDetails } from '../selling/sale-details.ts'
import type { InvoiceTo } from './invoice-to.ts'

/** The ways in which money is taken at a till. */
export type MoneyWay = 'cash' | 'card' | 'terminal' | 'giftcard'

/** The ways of paying: now, or later by invoice. */
export type PaymentWay = MoneyWay | 'invoice'

/** A part of what is to be paid that is there already; the amount is decimal. */
export interface PaymentPart {
  /** By which the server knows it, where it is paid for an order. */
  readonly id: string
  readonly way: MoneyWay
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
  readonly positions: readonly (BasketPosition & AnsweredDetails)[]
  /** The carts that hold its seats; missing in what earlier versions have stored. */
  readonly carts?: readonly string[]
  readonly total: string
  /** The address of the buyer, where it was asked for. */
  readonly email?: string
  /** The order that is paid for, where it was there before. */
  readonly order: string | null
  readonly tickets: number
  /** The exchange whose difference is paid; missing where something is sold or an order is paid for. */
  readonly exchange?: PricedExchange
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
  /** Whom the invoice goes to, once something is known of that. */
  readonly invoice?: InvoiceTo
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
  /** What was handed over and what goes back, in hundredths; null where it was no cash. */
  readonly given: number | null
  readonly change: number | null
}

/** What can happen to a payment. */
export type PaymentEvent =
  | PayingBasket
  | { readonly type: 'way'; readonly way: PaymentWay }
  | { readonly type: 'given'; readonly given: number }
  | { readonly type: 'referred'; readonly reference: string }
  | { readonly type: 'invoiced'; readonly to: InvoiceTo }
  | { readonly type: 'taken'; readonly given: number | null }
  | { readonly type: 'payment-closed' }
  | { readonly type: 'part-added'; readonly part: PaymentPart }
  | { readonly type: 'part-removed'; readonly id: string }
  | { readonly type: 'charging'; readonly charging: Charging | null }
  /** A part could not be taken, and why. */
  | { readonly type: 'part-refused'; readonly detail: string }
  /** Nobody knows whether it is sold, and why, where that is known. */
  | { readonly type: 'unanswered'; readonly detail: string }
  | { readonly type: 'refused'; readonly detail: string; readonly key: string }
  | { readonly type: 'sold'; readonly code: string }
  | { readonly type: 'paying-order'; readonly key: string }
  | PayingExchange

/** The basket is to be paid; times that are asked before are those of a zone. */
export interface PayingBasket {
  readonly type: 'paying'
  readonly key: string
  readonly timeZone: string
}

/** The difference of an exchange is to be paid: so much, as a decimal amount. */
export interface PayingExchange {
  readonly type: 'paying-exchange'
  readonly key: string
  readonly exchange: PricedExchange
  readonly due: string
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

/** Whether it is a sale of which nothing is paid yet, so that all of it may be paid later. */
export const isUnpaidSale = ({ sale, parts }: TillPayment): boolean =>
  sale.order === null && parts.length === 0 && hundredthsOf(sale.total) > 0

/** Whether the terminal is at it, or nobody knows what it has done. */
export const isCharging = (charging: Charging | null): boolean =>
  charging?.state === 'pending' || charging?.state === 'unknown'
