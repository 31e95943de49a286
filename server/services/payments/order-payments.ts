import sql from 'sql-template-tag'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import {
  type LastPayment,
  lastPayment,
  type PaymentFacts,
  paidSum,
  type RefundFacts,
} from '../../domain/orders/payments.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { recordOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { paymentRow } from '../orders/order-rows.ts'
import type { OrderScope, PaymentDraft } from '../pricing/order-draft.ts'
import { manualProvider } from './manual-provider.ts'

/** A payment as it is stored; the amount is in hundredths. */
export interface StoredPayment extends PaymentFacts {
  readonly id: number
  readonly local_id: number
  /** What is kept with it, as JSON text. */
  readonly details: string
}

/** A refund as it is stored; the amount is in hundredths, `payment` the `local_id` of what it returns. */
export interface StoredRefund extends RefundFacts {
  readonly id: number
  readonly local_id: number
  readonly provider: string
}

/** The payments of an order, the oldest first. */
export const paymentsOf = (db: Queryable, place: Place, orderId: number): Promise<StoredPayment[]> =>
  db.all<StoredPayment>(
    sql`SELECT id, local_id, state, amount, provider, payment_date, details FROM order_payment
        WHERE organizer = ${place.organizer} AND order_id = ${orderId} ORDER BY local_id`,
  )

/** The refunds of an order, the oldest first. */
export const refundsOf = (db: Queryable, place: Place, orderId: number): Promise<StoredRefund[]> =>
  db.all<StoredRefund>(
    sql`SELECT id, local_id, state, amount, payment, provider FROM order_refund
        WHERE organizer = ${place.organizer} AND order_id = ${orderId} ORDER BY local_id`,
  )

/** What has arrived of the money for an order and is not given back, in hundredths. */
export const paidFor = async (db: Queryable, place: Place, orderId: number): Promise<number> =>
  paidSum(await paymentsOf(db, place, orderId), await refundsOf(db, place, orderId))

/** Whether a payment has neither arrived nor been given up. */
export const isOpen = ({ state }: PaymentFacts): boolean => state === 'created' || state === 'pending'

/** Adds a payment to an order. */
export async function addPayment(
  tx: Tx,
  place: Place,
  orderId: number,
  draft: PaymentDraft,
): Promise<StoredPayment> {
  const last = (await paymentsOf(tx, place, orderId)).at(-1)?.local_id ?? 0
  const id = tx.nextId()
  await insertRow(tx, orderPayment, place, paymentRow(tx, draft, { id, order: orderId, localId: last + 1 }))
  const { details = {}, payment_date = null } = draft
  return { ...draft, id, local_id: last + 1, payment_date, details: JSON.stringify(details) }
}

/** Gives up what nobody has begun to pay; a payment that is pending is on its way and may still arrive. */
async function cancelUnbegun(
  tx: Tx,
  at: OrderScope,
  orderId: number,
  payments: readonly StoredPayment[],
): Promise<void> {
  for (const payment of payments.filter(({ state }) => state === 'created')) {
    await updateRow(tx, orderPayment, at.place, { id: payment.id, state: 'canceled' })
    recordOrder(tx, at, { order: orderId, action: 'payment.canceled', data: { local_id: payment.local_id } })
  }
}

/** Gives up the payments of an order that were not begun. */
export const cancelOpenPayments = async (tx: Tx, at: OrderScope, orderId: number): Promise<void> =>
  cancelUnbegun(tx, at, orderId, await paymentsOf(tx, at.place, orderId))

/** Gives up the last payment of an order that costs something else now. */
export const cancelLastPayment = async (tx: Tx, at: OrderScope, orderId: number): Promise<void> =>
  cancelUnbegun(tx, at, orderId, (await paymentsOf(tx, at.place, orderId)).slice(-1))

/** Enters by hand that what was still missing for an order has arrived. */
export async function payByHand(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  const { place } = at
  const due = order.total - (await paidFor(tx, place, order.id))
  const fits = (one: StoredPayment): boolean =>
    isOpen(one) && one.provider === manualProvider.id && one.amount === due
  const waiting = (await paymentsOf(tx, place, order.id)).findLast(fits)
  if (waiting) {
    await updateRow(tx, orderPayment, place, { id: waiting.id, state: 'confirmed', payment_date: tx.now })
    recordOrder(tx, at, {
      order: order.id,
      action: 'payment.confirmed',
      data: { local_id: waiting.local_id },
    })
    return
  }
  await cancelOpenPayments(tx, at, order.id)
  if (due > 0) await addConfirmedPayment(tx, at, order.id, { provider: manualProvider.id, amount: due })
}

/** Adds a payment that has arrived. */
export async function addConfirmedPayment(
  tx: Tx,
  at: OrderScope,
  orderId: number,
  { provider, amount }: Pick<PaymentDraft, 'provider' | 'amount'>,
): Promise<void> {
  const { place } = at
  const draft: PaymentDraft = { state: 'confirmed', provider, amount, payment_date: tx.now }
  const { local_id } = await addPayment(tx, place, orderId, draft)
  recordOrder(tx, at, { order: orderId, action: 'payment.confirmed', data: { local_id } })
}

/** What an order shows of its last payment. */
export const paymentColumns = async (
  tx: Tx,
  { place, event }: OrderScope,
  orderId: number,
): Promise<LastPayment> => lastPayment(await paymentsOf(tx, place, orderId), event.timezone)
