import { paymentInput } from '../../../schema/bodies/order-payments.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { isPaidBy } from '../../domain/orders/payments.ts'
import { impossible, invalid, notFound } from '../../errors.ts'
import { hundredths } from '../../resource/codec.ts'
import { readBody } from '../../resource/input.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { receiptOfPayment } from '../drawer/sale-receipts.ts'
import { saveOrderState } from '../invoices/order-invoices.ts'
import { recordOrder, saveOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import {
  addPayment,
  isOpen,
  paidFor,
  paymentColumns,
  paymentsOf,
  type StoredPayment,
} from '../payments/order-payments.ts'
import type { PaymentDetails } from '../payments/payment-provider.ts'
import { paymentProviderOf } from '../payments/payment-providers.ts'
import type { OrderScope, PaymentDraft } from '../pricing/order-draft.ts'
import { missingFor } from './order-reservations.ts'

/** A payment that is entered. */
interface EnteredPayment {
  readonly draft: PaymentDraft
  /** The order is paid whatever is left of its quotas. */
  readonly force: boolean
  /** Whether it is on a receipt that whoever enters it writes. */
  readonly onReceipt?: boolean
}

/** A payment as a request gives it. */
interface PaymentRequest extends EnteredPayment {
  /** Whether the buyer is mailed that the order is paid now. */
  readonly sendEmail: boolean
}

/** Reads the body of a request that enters a payment; throws 400 with messages by field. */
export function readPayment(body: unknown, { event }: OrderScope): PaymentRequest {
  const row = readBody(paymentInput, body, { partial: false, locale: event.locale })
  const amount = hundredths(row.amount)
  if (amount < 0) throw invalid({ amount: ['A payment cannot be negative. Enter a refund instead.'] })
  return {
    draft: {
      state: row.state,
      amount,
      provider: row.provider,
      payment_date: row.payment_date,
      details: row.info ?? {},
    },
    force: row.force,
    sendEmail: row.send_email,
  }
}

/** The payment of an order with a number; 404 when there is none. */
export async function paymentOf(
  tx: Tx,
  place: Place,
  orderId: number,
  localId: number,
): Promise<StoredPayment> {
  const found = (await paymentsOf(tx, place, orderId)).find(({ local_id }) => local_id === localId)
  if (!found) throw notFound()
  return found
}

/** Enters a payment for an order; its number. One that has arrived is kept also where the order cannot be had any more. */
export async function enterPayment(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { draft, force, onReceipt = false }: EnteredPayment,
): Promise<number> {
  const { place } = at
  const payment_date = draft.payment_date ?? (draft.state === 'confirmed' ? tx.now : null)
  const details = await charged(tx, at, order, draft)
  if (!onReceipt) await receiptOf(tx, at, order, draft)
  const { local_id } = await addPayment(tx, place, order.id, { ...draft, payment_date, details })
  const { provider } = draft
  recordOrder(tx, at, { order: order.id, action: 'payment.started', data: { local_id, provider } })
  if (draft.state === 'confirmed') {
    recordOrder(tx, at, { order: order.id, action: 'payment.confirmed', data: { local_id, provider } })
    await payOrder(tx, at, order, force)
  } else await saveOrder(tx, place, order.id, await paymentColumns(tx, at, order.id))
  return local_id
}

/** What is kept with a payment; one that arrives is charged first. */
async function charged(
  tx: Tx,
  at: OrderScope,
  { id, code, testmode }: OrderCells,
  { provider, state, amount, details = {} }: PaymentDraft,
): Promise<PaymentDetails> {
  const way = paymentProviderOf(provider)
  if (state !== 'confirmed') return details
  const order = { id, code, testmode: testmode === 1 }
  return way ? way.charge(tx, at, { order, amount, details }) : details
}

/** Writes the receipt of a payment that arrives, at a till. */
async function receiptOf(
  tx: Tx,
  at: OrderScope,
  { id, code, testmode }: OrderCells,
  { provider, state, amount, details = {} }: PaymentDraft,
): Promise<void> {
  const order = { id, code, testmode: testmode === 1 }
  if (state === 'confirmed') await receiptOfPayment(tx, at, { order, provider, amount, details })
}

/** Enters that a payment has arrived; 400 when it was not waited for, or its order cannot be had any more. */
export async function confirmOrderPayment(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { localId, force }: { readonly localId: number; readonly force: boolean },
): Promise<void> {
  const missing = await receivePayment(tx, at, order, { localId, force })
  if (missing !== null) throw impossible(missing)
}

/** Enters that a payment has arrived, also where its order cannot be had any more; why that is, or null. */
export async function receivePayment(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { localId, force }: { readonly localId: number; readonly force: boolean },
): Promise<string | null> {
  const payment = await openPayment(tx, at.place, order, localId)
  const { provider, payment_date } = payment
  const arriving = { ...payment, state: 'confirmed', details: JSON.parse(payment.details) } as const
  const details = await charged(tx, at, order, arriving)
  await receiptOf(tx, at, order, arriving)
  const values = { state: 'confirmed' as const, payment_date: payment_date ?? tx.now, details }
  await updateRow(tx, orderPayment, at.place, { id: payment.id, ...values })
  recordOrder(tx, at, { order: order.id, action: 'payment.confirmed', data: { local_id: localId, provider } })
  return payOrder(tx, at, order, force)
}

/** Gives up a payment that has not arrived. */
export async function cancelPayment(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  localId: number,
): Promise<void> {
  const payment = await openPayment(tx, at.place, order, localId)
  await updateRow(tx, orderPayment, at.place, { id: payment.id, state: 'canceled' })
  await saveOrder(tx, at.place, order.id, await paymentColumns(tx, at, order.id))
  recordOrder(tx, at, { order: order.id, action: 'payment.canceled', data: { local_id: localId } })
}

async function openPayment(tx: Tx, place: Place, order: OrderCells, localId: number): Promise<StoredPayment> {
  const payment = await paymentOf(tx, place, order.id, localId)
  if (!isOpen(payment)) throw impossible(`The payment is ${payment.state}; this needs one that is open.`)
  return payment
}

/** Makes an order paid where enough has arrived; why it cannot be had any more, or null. */
async function payOrder(tx: Tx, at: OrderScope, order: OrderCells, force: boolean): Promise<string | null> {
  const { place } = at
  const columns = await paymentColumns(tx, at, order.id)
  const paid = await paidFor(tx, place, order.id)
  const isPaid = isPaidBy({ ...order, require_approval: order.require_approval === 1 }, paid)
  const missing = isPaid && order.status === 'e' && !force ? await missingFor(tx, at, order) : null
  if (!isPaid || missing !== null) {
    await saveOrder(tx, place, order.id, columns)
    return missing
  }
  await saveOrderState(tx, at, order, { status: 'p', ...columns })
  recordOrder(tx, at, { order: order.id, action: 'paid' })
  return null
}
