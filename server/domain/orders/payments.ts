import { localDate } from '../text/time.ts'

/** States of an order: pending, paid, expired, canceled. */
export type OrderStatus = 'n' | 'p' | 'e' | 'c'

/** The part of a payment that its order looks at; the amount is in hundredths. */
export interface PaymentFacts {
  readonly state: string
  readonly amount: number
  readonly provider: string
  readonly payment_date: string | null
}

/** The part of a refund that its order looks at; the amount is in hundredths, `payment` the number of what it returns. */
export interface RefundFacts {
  readonly state: string
  readonly amount: number
  readonly payment: number | null
}

const arrived: ReadonlySet<string> = new Set(['confirmed', 'refunded'])

const givenBack: ReadonlySet<string> = new Set(['done', 'transit', 'created'])

const sumOf = (amounts: readonly { readonly amount: number }[]): number =>
  amounts.reduce((sum, { amount }) => sum + amount, 0)

/** What of some refunds is given back or on its way, in hundredths; one made elsewhere counts once it is done. */
export const refundedSum = (refunds: readonly RefundFacts[]): number =>
  sumOf(refunds.filter(({ state }) => givenBack.has(state)))

/** What has arrived of the money for an order and is not given back, in hundredths. */
export const paidSum = (payments: readonly PaymentFacts[], refunds: readonly RefundFacts[] = []): number =>
  sumOf(payments.filter(({ state }) => arrived.has(state))) - refundedSum(refunds)

/** Whether an order becomes paid by what has arrived; one that was canceled or waits for approval does not. */
export const isPaidBy = (
  order: { readonly status: OrderStatus; readonly total: number; readonly require_approval: boolean },
  paid: number,
): boolean => (order.status === 'n' || order.status === 'e') && !order.require_approval && paid >= order.total

/** What an order shows of its last payment: the local day and the provider. */
export interface LastPayment {
  readonly payment_date: string | null
  readonly payment_provider: string | null
}

/** What an order shows of the last of its payments. */
export function lastPayment(payments: readonly PaymentFacts[], timezone: string): LastPayment {
  const dated = payments.findLast(({ payment_date }) => payment_date !== null)?.payment_date ?? null
  return {
    payment_date: dated === null ? null : localDate(dated, timezone),
    payment_provider: payments.at(-1)?.provider ?? null,
  }
}

/** What becomes of an order when its total changes: a dearer one has to be paid again, a cheaper one may be paid now. */
export function statusAfterChange(
  order: { readonly status: OrderStatus; readonly total: number; readonly require_approval: boolean },
  newTotal: number,
  paid: number,
): OrderStatus {
  const { status, total } = order
  if (status === 'p' && newTotal > total && paid < newTotal) return 'n'
  const open = status === 'n' || status === 'e'
  if (open && newTotal < total && paid >= newTotal && !order.require_approval) return 'p'
  return status
}
