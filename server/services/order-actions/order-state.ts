import sql from 'sql-template-tag'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { type OrderMove, whyNoMove } from '../../domain/orders/order-moves.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import { impossible } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import { findRows, insertRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { receiptOfPayment } from '../drawer/sale-receipts.ts'
import { saveOrderState } from '../invoices/order-invoices.ts'
import { mailOrder } from '../notifications/order-mails.ts'
import { recordOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { expiryFrom, feeRow } from '../orders/order-rows.ts'
import { freeProvider } from '../payments/free-provider.ts'
import { manualProvider } from '../payments/manual-provider.ts'
import {
  addConfirmedPayment,
  cancelOpenPayments,
  paidFor,
  payByHand,
  paymentColumns,
} from '../payments/order-payments.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { releaseReservations, reserveAfterCancellation, reserveAfterExpiry } from './order-reservations.ts'
import { replaceRevokedCodes } from './order-secrets.ts'

/** Refuses with 400 what cannot be done with an order in its state. */
function refuse(move: OrderMove, order: OrderCells): void {
  const reason = whyNoMove(move, { status: order.status, require_approval: order.require_approval === 1 })
  if (reason !== null) throw impossible(reason)
}

/** Marks an order as paid; what was still missing counts as entered by hand. */
export async function markPaid(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  refuse('mark_paid', order)
  if (order.status === 'e') await reserveAfterExpiry(tx, at, order)
  const due = order.total - (await paidFor(tx, at.place, order.id))
  await payByHand(tx, at, order)
  const { id, code, testmode } = order
  if (due > 0)
    await receiptOfPayment(tx, at, {
      order: { id, code, testmode: testmode === 1 },
      provider: manualProvider.id,
      amount: due,
    })
  await saveOrderState(tx, at, order, { status: 'p', ...(await paymentColumns(tx, at, order.id)) })
  recordOrder(tx, at, { order: order.id, action: 'paid' })
}

/** Marks a paid order as not paid. */
export async function markPending(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  refuse('mark_pending', order)
  await saveOrderState(tx, at, order, { status: 'n' })
  recordOrder(tx, at, { order: order.id, action: 'unpaid' })
}

/** Marks a pending order as expired, which gives its quota back. */
export async function markExpired(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  refuse('mark_expired', order)
  await saveOrderState(tx, at, order, { status: 'e' })
  recordOrder(tx, at, { order: order.id, action: 'expired' })
}

/** What is said with a cancellation; the fee is in hundredths and is kept of what was paid. */
interface Cancellation {
  readonly comment: string | null
  readonly fee: number | null
}

/** Cancels an order. With a fee it stays paid and holds nothing but that. */
export async function markCanceled(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { comment, fee }: Cancellation,
): Promise<void> {
  refuse('mark_canceled', order)
  await releaseReservations(tx, at, order)
  if (fee) await keepFee(tx, at, order, fee)
  await cancelOpenPayments(tx, at, order.id)
  const changes = fee ? ({ status: 'p', total: amountOf(fee) } as const) : ({ status: 'c' } as const)
  await saveOrderState(tx, at, order, { ...changes, cancellation_date: tx.now })
  const data = { ...(comment ? { comment } : {}), ...(fee ? { cancellation_fee: amountOf(fee) } : {}) }
  recordOrder(tx, at, { order: order.id, action: 'canceled', data })
}

/** Throws 400 where nothing of an order is left to be canceled, such as where a cancellation fee is all that it holds. */
export async function checkCancelable(tx: Tx, { place }: OrderScope, order: OrderCells): Promise<void> {
  const left = sql`order_id = ${order.id} AND canceled = 0`
  if (order.status !== 'c' && (await findRows(tx, orderPosition, place, { where: left })).length === 0)
    throw impossible(
      'The order holds no tickets any more: what is left are fees, which are given back by a refund.',
    )
}

/** Cancels a paid order whose money was given back. */
export async function markRefunded(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  refuse('mark_refunded', order)
  await checkCancelable(tx, at, order)
  await markCanceled(tx, at, order, { comment: null, fee: null })
}

/** Cancels the positions and fees of an order one by one and leaves a cancellation fee in their place. */
async function keepFee(tx: Tx, { place, event }: OrderScope, order: OrderCells, fee: number): Promise<void> {
  if (fee < 0) throw impossible('The cancellation fee cannot be negative.')
  if (fee > (await paidFor(tx, place, order.id)))
    throw impossible('The cancellation fee cannot be higher than what was paid for the order.')
  const open = sql`order_id = ${order.id} AND canceled = 0`
  for (const resource of [orderPosition, orderFee])
    for (const row of await findRows(tx, resource, place, { where: open }))
      await updateRow(tx, resource, place, { id: row.id, canceled: true, seat_id: null })
  const row = feeRow(
    { fee_type: 'cancellation', value: fee },
    tx.nextId(),
    order.id,
    smallestAmount(event.currency),
  )
  await insertRow(tx, orderFee, place, row)
}

/** Takes a cancellation back; the order is paid when its payments still cover it. */
export async function reactivate(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  refuse('reactivate', order)
  await reserveAfterCancellation(tx, at, order)
  const covered = (await paidFor(tx, at.place, order.id)) >= order.total
  const status = covered && order.require_approval !== 1 ? 'p' : 'n'
  const expires = expiryFrom(tx.now, at.event)
  await replaceRevokedCodes(tx, at, order.id)
  await saveOrderState(tx, at, order, { status, expires, cancellation_date: null })
  recordOrder(tx, at, { order: order.id, action: 'reactivated' })
}

/** Gives an order more time; one that has expired comes back to life. `force` does not look at quotas. */
export async function extend(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { expires, force }: { readonly expires: string; readonly force: boolean },
): Promise<void> {
  refuse('extend', order)
  if (expires < tx.now) throw impossible('The new end of the time to pay has to lie in the future.')
  if (order.status === 'e' && !force) await reserveAfterExpiry(tx, at, order)
  await saveOrderState(tx, at, order, { status: 'n', expires })
  recordOrder(tx, at, {
    order: order.id,
    action: 'expirychanged',
    data: { expires, state_change: order.status === 'e' },
  })
}

/** Approves an order; one that costs nothing is paid with that. */
export async function approve(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  refuse('approve', order)
  const free = order.total === 0
  recordOrder(tx, at, { order: order.id, action: 'approved' })
  if (free) {
    await addConfirmedPayment(tx, at, order.id, { provider: freeProvider.id, amount: 0 })
    recordOrder(tx, at, { order: order.id, action: 'paid' })
  }
  await saveOrderState(tx, at, order, {
    status: free ? 'p' : 'n',
    require_approval: false,
    expires: expiryFrom(tx.now, at.event),
    ...(free ? await paymentColumns(tx, at, order.id) : {}),
  })
}

/** Denies an order; it stays marked as one that needed approval. */
export async function deny(tx: Tx, at: OrderScope, order: OrderCells, comment: string | null): Promise<void> {
  refuse('deny', order)
  await releaseReservations(tx, at, order)
  await saveOrderState(tx, at, order, { status: 'c' })
  recordOrder(tx, at, { order: order.id, action: 'denied', data: comment ? { comment } : {} })
}

/** Mails an order to its buyer once more; 400 where there is no address. */
export async function resendOrder(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  if (!(await mailOrder(tx, at, order.id, { template: 'order_tickets' })))
    throw impossible('This order has no e-mail address.')
  recordOrder(tx, at, { order: order.id, action: 'email.resend' })
}
