import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import { grossOfNet } from '../../domain/pricing/taxes.ts'
import { amountOf } from '../../resource/codec.ts'
import { updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { recordOrder } from '../orders/order-changes.ts'
import { taxColumns } from '../orders/position-rows.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { openFees, rateNow } from './order-fee-change.ts'
import type { PricedOrder } from './order-total.ts'
import { openPositions } from './position-cancel.ts'

/**
 * Taxes an order as its rules and its invoice address say now. Where that is another rate, the net price stays and the
 * gross price changes, or the other way round.
 */
export async function recalculateTaxes(
  tx: Tx,
  at: OrderScope,
  priced: PricedOrder,
  keep: 'keep_net' | 'keep_gross',
): Promise<void> {
  const { place, event } = at
  const { order } = priced
  const step = smallestAmount(event.currency)
  const after = (gross: number, tax: number, rate: number): number =>
    keep === 'keep_net' ? grossOfNet(gross - tax, rate, step) : gross
  for (const { id, positionid, price, tax_value, tax_rate, tax_rule } of await openPositions(
    tx,
    place,
    order.id,
  )) {
    const rate = rateNow(priced, tax_rule)
    if (rate === null || rate === tax_rate || price === 0) continue
    const next = after(price, tax_value, rate)
    const columns = { price: amountOf(next), ...taxColumns(next, rate, tax_rule, step) }
    await updateRow(tx, orderPosition, place, { id, ...columns })
    const data = { position: id, positionid, old_price: amountOf(price), new_price: amountOf(next) }
    recordOrder(tx, at, { order: order.id, action: 'changed.price', data })
  }
  for (const { id, value, tax_value, tax_rate, tax_rule } of await openFees(tx, place, order.id)) {
    const rate = rateNow(priced, tax_rule)
    if (rate === null || rate === tax_rate || value === 0) continue
    const next = after(value, tax_value, rate)
    await updateRow(tx, orderFee, place, {
      id,
      value: amountOf(next),
      ...taxColumns(next, rate, tax_rule, step),
    })
    const data = { fee: id, old_price: amountOf(value), new_price: amountOf(next) }
    recordOrder(tx, at, { order: order.id, action: 'changed.feevalue', data })
  }
}
