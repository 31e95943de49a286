import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { type OrderRefund, orderRefund } from '../../../schema/resources/orders/order-refund.ts'
import { whyNoMove } from '../../domain/orders/order-moves.ts'
import { refundedSum } from '../../domain/orders/payments.ts'
import { impossible, invalid, notFound } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { receiptOfRefund } from '../drawer/sale-receipts.ts'
import { saveOrderState } from '../invoices/order-invoices.ts'
import { recordOrder, saveOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { expiryFrom } from '../orders/order-rows.ts'
import {
  paidFor,
  paymentsOf,
  refundsOf,
  type StoredPayment,
  type StoredRefund,
} from '../payments/order-payments.ts'
import { paymentProviderOf } from '../payments/payment-providers.ts'
import type { PaymentRefund, RefundRequest } from '../payments/refund-input.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { markCanceled } from './order-state.ts'
import { paymentOf } from './payment-actions.ts'

/** A refund that is perhaps on a receipt that whoever enters it writes. */
interface OnReceipt {
  readonly onReceipt?: boolean
}

/** Refuses with 400 to give back nothing, or more of a payment than there is. */
function refuseAmount(amount: number, payment: StoredPayment | null, refunds: readonly StoredRefund[]): void {
  if (amount <= 0) throw invalid({ amount: ['Give an amount that is more than nothing.'] })
  if (payment === null) return
  const left = payment.amount - refundedSum(refunds.filter((one) => one.payment === payment.local_id))
  if (amount > left) throw invalid({ amount: [`Only ${amountOf(left)} of this payment can be given back.`] })
}

/** Gives a payment back, in whole or in part; the number of the refund. */
export async function refundPayment(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { payment: localId, amount: wanted, comment, cancels, onReceipt = false }: PaymentRefund & OnReceipt,
): Promise<number> {
  const { place } = at
  const payment = await paymentOf(tx, place, order.id, localId)
  if (payment.state !== 'confirmed')
    throw impossible(`The payment is ${payment.state}; this needs one that is confirmed.`)
  const amount = wanted ?? payment.amount
  refuseAmount(amount, payment, await refundsOf(tx, place, order.id))
  const { provider } = payment
  const way = paymentProviderOf(provider)
  const state = way?.refundsAtOnce ? 'done' : 'transit'
  await way?.refund(tx, at, { order: boughtIn(order), amount, details: JSON.parse(payment.details) })
  const draft = {
    state,
    source: 'admin',
    amount,
    comment,
    provider,
    details: {},
    execution_date: null,
  } as const
  const local_id = await addRefund(tx, at, order, { ...draft, payment: localId, onReceipt })
  if (await isShort(tx, at, order)) {
    if (cancels) await cancelRefunded(tx, at, order)
    else await reopen(tx, at, order)
  } else await saveOrder(tx, place, order.id, {})
  return local_id
}

/** Enters a refund for an order; its number. */
export async function enterRefund(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  request: RefundRequest & OnReceipt,
): Promise<number> {
  const { place } = at
  const payments = await paymentsOf(tx, place, order.id)
  const payment = payments.find(({ local_id }) => local_id === request.payment) ?? null
  if (request.payment !== null && payment === null)
    throw invalid(['The order has no payment with this number.'])
  const counted = request.state === 'created' || request.state === 'transit' || request.state === 'done'
  refuseAmount(request.amount, counted ? payment : null, await refundsOf(tx, place, order.id))
  const local_id = await addRefund(tx, at, order, request)
  if (request.cancels) await cancelRefunded(tx, at, order)
  else if (request.reopens && (await isShort(tx, at, order))) await reopen(tx, at, order)
  else await saveOrder(tx, place, order.id, {})
  return local_id
}

/** The words of the audit trail for a refund that begins in a state. */
const beginnings: Readonly<Record<OrderRefund['state'], readonly string[]>> = {
  created: ['refund.created'],
  transit: ['refund.created'],
  external: ['refund.created.externally'],
  canceled: ['refund.created', 'refund.canceled'],
  failed: ['refund.created', 'refund.failed'],
  done: ['refund.created', 'refund.done'],
}

async function addRefund(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { onReceipt = false, ...draft }: Omit<RefundRequest, 'cancels' | 'reopens'> & OnReceipt,
): Promise<number> {
  const { place } = at
  const local_id = ((await refundsOf(tx, place, order.id)).at(-1)?.local_id ?? 0) + 1
  const { state, provider } = draft
  const execution_date = draft.execution_date ?? (state === 'done' ? tx.now : null)
  await insertRow(tx, orderRefund, place, {
    ...draft,
    id: tx.nextId(),
    order_id: order.id,
    local_id,
    amount: amountOf(draft.amount),
    created: tx.now,
    execution_date,
  })
  for (const action of beginnings[state])
    recordOrder(tx, at, { order: order.id, action: action, data: { local_id, provider } })
  if (state === 'done') {
    await closePayment(tx, place, order, draft.payment)
    if (!onReceipt) await receiptOfRefund(tx, at, { order: boughtIn(order), provider, amount: draft.amount })
  }
  return local_id
}

/** An order as those see it who move its money. */
const boughtIn = ({ id, code, testmode }: OrderCells) => ({ id, code, testmode: testmode === 1 })

/** Marks a payment that had arrived as refunded once all of it is given back. */
async function closePayment(tx: Tx, place: Place, order: OrderCells, localId: number | null): Promise<void> {
  if (localId === null) return
  const payment = await paymentOf(tx, place, order.id, localId)
  if (payment.state !== 'confirmed') return
  const own = (await refundsOf(tx, place, order.id)).filter((one) => one.payment === localId)
  if (refundedSum(own) >= payment.amount)
    await updateRow(tx, orderPayment, place, { id: payment.id, state: 'refunded' })
}

interface WantedRefund {
  readonly order: OrderCells
  readonly localId: number
  /** One that is in another state is refused. */
  readonly states: readonly string[]
}

async function findRefund(
  tx: Tx,
  place: Place,
  { order, localId, states }: WantedRefund,
): Promise<StoredRefund> {
  const found = (await refundsOf(tx, place, order.id)).find(({ local_id }) => local_id === localId)
  if (!found) throw notFound()
  if (!states.includes(found.state))
    throw impossible(`The refund is ${found.state}; this needs one that is ${states.join(' or ')}.`)
  return found
}

async function finish(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { id, local_id, payment, provider, amount }: StoredRefund,
): Promise<void> {
  const { place } = at
  await updateRow(tx, orderRefund, place, { id, state: 'done', execution_date: tx.now })
  recordOrder(tx, at, { order: order.id, action: 'refund.done', data: { local_id, provider } })
  await closePayment(tx, place, order, payment)
  await receiptOfRefund(tx, at, { order: boughtIn(order), provider, amount })
}

/** Enters that the money of a refund has been given back. */
export async function finishRefund(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  localId: number,
): Promise<void> {
  const { place } = at
  const refund = await findRefund(tx, at.place, { order, localId, states: ['created', 'transit'] })
  await finish(tx, at, order, refund)
  await saveOrder(tx, place, order.id, {})
}

/** Gives up a refund. */
export async function cancelRefund(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  localId: number,
): Promise<void> {
  const { place } = at
  const states = ['created', 'transit', 'external'] as const
  const { id, local_id } = await findRefund(tx, place, { order, localId, states })
  await updateRow(tx, orderRefund, place, { id, state: 'canceled' })
  await saveOrder(tx, place, order.id, {})
  recordOrder(tx, at, { order: order.id, action: 'refund.canceled', data: { local_id } })
}

/** Takes a refund that was made elsewhere over into what the order is paid with. */
export async function takeOverRefund(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { localId, cancels }: { readonly localId: number; readonly cancels: boolean },
): Promise<void> {
  const refund = await findRefund(tx, at.place, { order, localId, states: ['external'] })
  await finish(tx, at, order, refund)
  if (cancels) await cancelRefunded(tx, at, order)
  else if (await isShort(tx, at, order)) await reopen(tx, at, order)
  else await saveOrder(tx, at.place, order.id, {})
}

const isShort = async (tx: Tx, { place }: OrderScope, order: OrderCells): Promise<boolean> =>
  order.status !== 'c' && (await paidFor(tx, place, order.id)) < order.total

/** Cancels an order whose money was given back; one that is canceled already stays so. */
async function cancelRefunded(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  const { status, require_approval } = order
  if (whyNoMove('mark_canceled', { status, require_approval: require_approval === 1 }) === null)
    await markCanceled(tx, at, order, { comment: null, fee: null })
  else await saveOrder(tx, at.place, order.id, {})
}

/** A paid order of which something is missing again is pending, and may be paid within the usual time. */
async function reopen(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  const { place, event } = at
  if (order.status !== 'p') return saveOrder(tx, place, order.id, {})
  await saveOrderState(tx, at, order, { status: 'n', expires: expiryFrom(tx.now, event) })
  recordOrder(tx, at, { order: order.id, action: 'unpaid' })
}
