import { invalid } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import type { Tx } from '../../resource/transactions.ts'
import { receiptOfChange, soldLines } from '../drawer/sale-receipts.ts'
import { lockOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { paidFor } from '../payments/order-payments.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { type ChangeRequest, changeOrder } from './order-change.ts'
import type { OrderChange } from './order-change-input.ts'
import { enterRefund, refundPayment } from './order-refunds.ts'
import { enterPayment } from './payment-actions.ts'

/**
 * Changes an order, and takes or gives back the difference with it: all of it or nothing. Throws 400 where the order
 * would cost something else than was expected, or what is paid or given back is not the difference.
 */
export async function exchangeInOrder(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  request: ChangeRequest,
): Promise<void> {
  const { change } = request
  const before = await soldLines(tx, at, order.id)
  await changeOrder(tx, at, order, request)
  const now = await lockOrder(tx, at.place, order.code)
  refuseOtherTotal(now, change)
  const due = now.total - (await paidFor(tx, at.place, order.id))
  refuseOtherSums(due, change)
  const sold = { order: { id: order.id, code: order.code, testmode: order.testmode === 1 }, before }
  if (change.refund_by.length > 0) {
    await giveBack(tx, at, now, change.refund_by)
    return receiptOfChange(tx, at, { ...sold, payments: change.refund_by }, 'refund')
  }
  await take(tx, at, now, change.paid_by)
  // What is due is on the receipt of its payment.
  if (change.paid_by.length > 0 || due === 0)
    await receiptOfChange(tx, at, { ...sold, payments: change.paid_by }, 'sale')
}

function refuseOtherTotal({ total }: OrderCells, { expected_total: expected }: OrderChange): void {
  if (expected === null || expected === total) return
  throw invalid({
    expected_total: [`The order would cost ${amountOf(total)}. Look at it again before you go on.`],
  })
}

const sumOf = (ways: readonly { readonly amount: number }[]): number =>
  ways.reduce((sum, { amount }) => sum + amount, 0)

function refuseOtherSums(due: number, { paid_by, refund_by }: OrderChange): void {
  const [paid, back] = [sumOf(paid_by), sumOf(refund_by)]
  if (paid_by.length > 0 && paid !== due)
    throw invalid({
      paid_by: [`${amountOf(Math.max(0, due))} is due, and this comes to ${amountOf(paid)}.`],
    })
  if (refund_by.length > 0 && back !== -due)
    throw invalid({
      refund_by: [`${amountOf(Math.max(0, -due))} is to go back, and this comes to ${amountOf(back)}.`],
    })
}

async function take(tx: Tx, at: OrderScope, order: OrderCells, ways: OrderChange['paid_by']): Promise<void> {
  for (const { provider, amount, details } of ways) {
    const draft = { state: 'confirmed', provider, amount, details } as const
    const now = await lockOrder(tx, at.place, order.code)
    await enterPayment(tx, at, now, { draft, force: false, onReceipt: true })
  }
}

async function giveBack(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  ways: OrderChange['refund_by'],
): Promise<void> {
  for (const { payment, provider, amount } of ways) {
    const refund = { amount, comment: null, cancels: false, onReceipt: true }
    if (payment !== null) await refundPayment(tx, at, order, { ...refund, payment })
    else
      await enterRefund(tx, at, order, {
        ...{ ...refund, payment, provider, state: 'done', source: 'admin', reopens: false },
        ...{ execution_date: null, details: {} },
      })
  }
}
