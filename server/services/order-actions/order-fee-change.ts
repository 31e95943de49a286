import sql from 'sql-template-tag'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import { rateFor, type TaxAddress } from '../../domain/pricing/taxes.ts'
import { invalid } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { recordOrder } from '../orders/order-changes.ts'
import { feeRow } from '../orders/order-rows.ts'
import { taxColumns } from '../orders/position-rows.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import type { FeeInput } from '../pricing/order-input.ts'
import { priceFees } from '../pricing/order-pricing.ts'
import type { OrderChange } from './order-change-input.ts'
import type { PricedOrder } from './order-total.ts'
import { openPositions } from './position-cancel.ts'

/** A fee as it is stored; amounts are in hundredths. */
interface StoredFee {
  readonly id: number
  readonly value: number
  readonly tax_rate: number
  readonly tax_value: number
  readonly tax_rule: number | null
}

/** The fees of an order that are not canceled. */
export const openFees = (tx: Tx, { organizer }: Place, orderId: number): Promise<StoredFee[]> =>
  tx.all<StoredFee>(
    sql`SELECT id, value, tax_rate, tax_value, tax_rule FROM order_fee
        WHERE organizer = ${organizer} AND order_id = ${orderId} AND canceled = 0 ORDER BY id`,
  )

/** Ids that are none of some, as a body's list is answered; null where all of them are. */
export function unknownIds(
  field: 'position' | 'fee',
  ids: readonly number[],
  known: ReadonlyMap<number, unknown>,
): unknown[] | null {
  if (ids.every((id) => known.has(id))) return null
  return ids.map((id) => (known.has(id) ? {} : { [field]: [`Invalid pk "${id}" - object does not exist.`] }))
}

/** Carries out what is to be changed about the fees of an order, whose sum is worked out by whoever calls this. */
export async function changeFees(
  tx: Tx,
  at: OrderScope,
  { order, catalogue }: PricedOrder,
  { create_fees, cancel_fees, patch_fees }: OrderChange,
): Promise<void> {
  const { place } = at
  const open = new Map((await openFees(tx, place, order.id)).map((fee) => [fee.id, fee]))
  const wrong = {
    cancel_fees: unknownIds('fee', cancel_fees, open),
    patch_fees: unknownIds(
      'fee',
      patch_fees.map(({ fee }) => fee),
      open,
    ),
  }
  const errors = Object.entries(wrong).filter(([, list]) => list !== null)
  if (errors.length > 0) throw invalid(Object.fromEntries(errors))
  const step = smallestAmount(at.event.currency)
  await addFees(tx, at, { order, catalogue }, create_fees)
  for (const id of cancel_fees) {
    await updateRow(tx, orderFee, place, { id, canceled: true })
    recordOrder(tx, at, { order: order.id, action: 'changed.cancelfee', data: { fee: id } })
  }
  for (const { fee: id, value } of patch_fees) {
    const fee = open.get(id)
    if (!fee || cancel_fees.includes(id) || fee.value === value) continue
    const columns = { value: amountOf(value), ...taxColumns(value, fee.tax_rate, fee.tax_rule, step) }
    await updateRow(tx, orderFee, place, { id, ...columns })
    const data = { fee: id, old_price: amountOf(fee.value), new_price: amountOf(value) }
    recordOrder(tx, at, { order: order.id, action: 'changed.feevalue', data })
  }
}

/** Adds fees to an order; a share of the positions is one of what they cost by now. */
async function addFees(
  tx: Tx,
  at: OrderScope,
  { order, catalogue }: PricedOrder,
  fees: readonly FeeInput[],
): Promise<void> {
  const { place, event } = at
  if (fees.length === 0) return
  const errors = fees.map(({ tax_rule }) =>
    tax_rule === null || catalogue.taxRules.has(tax_rule)
      ? {}
      : { tax_rule: [`Invalid pk "${tax_rule}" - object does not exist.`] },
  )
  if (errors.some((one) => Object.keys(one).length > 0)) throw invalid({ create_fees: errors })
  const step = smallestAmount(event.currency)
  const address: TaxAddress | null = JSON.parse(order.invoice_address ?? 'null')
  const positions = await openPositions(tx, place, order.id)
  for (const draft of priceFees({ catalogue, address, step }, fees, positions)) {
    const row = feeRow(draft, tx.nextId(), order.id, step)
    await insertRow(tx, orderFee, place, row)
    recordOrder(tx, at, { order: order.id, action: 'changed.addfee', data: { fee: row.id } })
  }
}

/** The rate of a tax rule for an order now, or null where nothing is taxed by it. */
export function rateNow({ order, catalogue }: PricedOrder, rule: number | null): number | null {
  const facts = catalogue.taxRules.get(rule ?? 0)
  const address: TaxAddress | null = JSON.parse(order.invoice_address ?? 'null')
  return facts ? rateFor(facts, address) : null
}
