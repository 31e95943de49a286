import { order as orderResource } from '../../../schema/resources/orders/order.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { orderRefund } from '../../../schema/resources/orders/order-refund.ts'
import { invalid } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import { insertRow, rowOf, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { freshCodes, freshOrderSecret } from '../codes/order-codes.ts'
import { invoiceSplitOrder } from '../invoices/order-invoices.ts'
import { recordOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { indexOrders } from '../orders/order-search-text.ts'
import { freeProvider } from '../payments/free-provider.ts'
import { addPayment, paidFor, paymentColumns, refundsOf } from '../payments/order-payments.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { replaceCodes } from './order-secrets.ts'
import { sumOf } from './order-total.ts'
import { openPositions } from './position-cancel.ts'

/** The provider of money that went from one order to another. */
const offsetting = 'offsetting'

/**
 * Makes an order of its own of some positions and their add-ons, with new codes; the money that the old order does not
 * need any more goes with them. The sum of the old order is worked out by whoever calls this.
 */
export async function splitOff(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  const { place } = at
  const open = await openPositions(tx, place, order.id)
  const going = open.filter((one) => ids.some((id) => one.id === id || one.addon_to === id))
  if (going.some(({ addon_to }) => addon_to !== null && !going.some(({ id }) => id === addon_to)))
    throw invalid(['An add-on cannot be split off without what it belongs to.'])
  const testmode = order.testmode === 1
  const [code = ''] = await freshCodes(tx, place.organizer, [testmode])
  const id = tx.nextId()
  const total = going.reduce((sum, { price }) => sum + price, 0)
  await insertRow(tx, orderResource, place, {
    ...rowOf(orderResource, order),
    ...{ id, code, secret: freshOrderSecret(tx), status: 'n' as const, total: amountOf(total) },
    ...{ datetime: tx.now, last_modified: tx.now, payment_date: null, payment_provider: null },
  })
  for (const [index, one] of going.entries()) {
    await updateRow(tx, orderPosition, place, { id: one.id, order_id: id, positionid: index + 1 })
    const data = { position: one.id, positionid: one.positionid, new_order: code }
    recordOrder(tx, at, { order: order.id, action: 'changed.split', data })
  }
  recordOrder(tx, at, { order: id, action: 'changed.split_from', data: { original_order: order.code } })
  await replaceCodes(tx, at, id, going)
  await shareMoney(tx, at, order, { id, code, total })
  await invoiceSplitOrder(tx, at, order.id, id)
  await indexOrders(tx, place, [id])
}

/** Gives a new order what was paid for the old one beyond what that costs now. */
async function shareMoney(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  split: { readonly id: number; readonly code: string; readonly total: number },
): Promise<void> {
  const { place } = at
  const spare = (await paidFor(tx, place, order.id)) - (await sumOf(tx, place.organizer, order.id))
  const amount = Math.min(Math.max(0, spare), split.total)
  if (amount > 0) {
    const local_id = ((await refundsOf(tx, place, order.id)).at(-1)?.local_id ?? 0) + 1
    await insertRow(tx, orderRefund, place, {
      ...{ id: tx.nextId(), order_id: order.id, local_id, state: 'done', source: 'admin' },
      ...{ amount: amountOf(amount), payment: null, created: tx.now, execution_date: tx.now },
      ...{ comment: null, provider: offsetting, details: { orders: [split.code] } },
    })
  }
  const isPaid = amount === split.total && order.require_approval !== 1
  if (amount > 0 || isPaid) {
    const provider = amount > 0 ? offsetting : freeProvider.id
    const details = amount > 0 ? { orders: [order.code] } : {}
    const draft = { state: 'confirmed', amount, provider, payment_date: tx.now, details } as const
    await addPayment(tx, place, split.id, draft)
  }
  const status = isPaid ? { status: 'p' as const } : {}
  await updateRow(tx, orderResource, place, {
    id: split.id,
    ...status,
    ...(await paymentColumns(tx, at, split.id)),
  })
  if (isPaid) recordOrder(tx, at, { order: split.id, action: 'paid' })
}
