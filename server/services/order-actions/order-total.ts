import sql from 'sql-template-tag'
import { statusAfterChange } from '../../domain/orders/payments.ts'
import { amountOf } from '../../resource/codec.ts'
import type { Tx } from '../../resource/transactions.ts'
import { saveOrderState } from '../invoices/order-invoices.ts'
import { recordOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { expiryFrom } from '../orders/order-rows.ts'
import { freeProvider } from '../payments/free-provider.ts'
import {
  addConfirmedPayment,
  cancelLastPayment,
  paidFor,
  paymentColumns,
} from '../payments/order-payments.ts'
import type { OrderCatalogue } from '../pricing/order-catalogue.ts'
import type { OrderScope } from '../pricing/order-draft.ts'

/** An order, and the part of the catalogue that it is priced by. */
export interface PricedOrder {
  readonly order: OrderCells
  readonly catalogue: OrderCatalogue
}

/** What the positions and fees of an order cost that are not canceled, in hundredths. */
export async function sumOf(tx: Tx, organizer: number, orderId: number): Promise<number> {
  const open = sql`organizer = ${organizer} AND order_id = ${orderId} AND canceled = 0`
  const row = await tx.get<{ positions: number | null; fees: number | null }>(
    sql`SELECT (SELECT sum(price) FROM order_position WHERE ${open}) AS positions,
          (SELECT sum(value) FROM order_fee WHERE ${open}) AS fees`,
  )
  return (row?.positions ?? 0) + (row?.fees ?? 0)
}

/** Adds up an order anew after its positions were changed, and makes it paid or pending as its payments say. */
export async function settleOrder(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  const { place, event } = at
  const total = await sumOf(tx, place.organizer, order.id)
  const before = { status: order.status, total: order.total, require_approval: order.require_approval === 1 }
  const status = statusAfterChange(before, total, await paidFor(tx, place, order.id))
  const isPaidNow = status === 'p' && order.status !== 'p'
  const isOpenAgain = status === 'n' && order.status === 'p'
  if (isPaidNow && total === 0)
    await addConfirmedPayment(tx, at, order.id, { provider: freeProvider.id, amount: 0 })
  if (status !== 'p' && order.status !== 'p' && total !== order.total)
    await cancelLastPayment(tx, at, order.id)
  await saveOrderState(tx, at, order, {
    status,
    total: amountOf(total),
    ...(isPaidNow ? await paymentColumns(tx, at, order.id) : {}),
    ...(isOpenAgain ? { expires: expiryFrom(tx.now, event) } : {}),
  })
  if (isPaidNow) recordOrder(tx, at, { order: order.id, action: 'paid' })
  if (isOpenAgain) recordOrder(tx, at, { order: order.id, action: 'unpaid' })
}
