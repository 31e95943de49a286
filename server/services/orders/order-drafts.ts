import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { orderPosition, type StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import type { Scope } from '../../resource/api.ts'
import type { RowData } from '../../resource/codec.ts'
import { insertRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { indexPositions } from '../../storage/search.ts'
import { noteBlock } from '../codes/code-lists.ts'
import { freshCodes } from '../codes/order-codes.ts'
import { codeIssuer } from '../codes/ticket-codes.ts'
import { keepFiles } from '../input/uploads.ts'
import type { CreatedOrder, EventScope, OrderDraft } from '../pricing/order-draft.ts'
import { automaticEntries, automaticLists, reportEntries, type SoldPosition } from './auto-checkin.ts'
import { type OrderRows, orderRows } from './order-rows.ts'

/**
 * Stores orders, all of them or none; the result is in the order of the drafts. A few hundred at a time are fastest. An
 * order code or ticket code that is taken fails the whole transaction, so whoever gives codes looks for them first
 * (takenCodes, takenSecrets).
 */
export async function createOrders(
  tx: Tx,
  at: EventScope,
  drafts: readonly OrderDraft[],
): Promise<CreatedOrder[]> {
  const { place } = at
  const unnamed = drafts.filter(({ code }) => !code)
  const fresh = await freshCodes(
    tx,
    place.organizer,
    unnamed.map(({ testmode }) => testmode === true),
  )
  const codes = drafts.map(({ code }) => code || String(fresh.shift()))
  const lists = await automaticLists(tx, place)
  const step = smallestAmount(at.event.currency)
  const issue = await codeIssuer(tx, at.actor, place)
  const rows = drafts.map((draft, index) => orderRows(tx, at, draft, String(codes[index]), step, issue))
  const entries = rows.flatMap(({ order: { sales_channel }, positions }) =>
    automaticEntries(tx, lists, String(sales_channel), positions as unknown as SoldPosition[]),
  )
  // Everything that takes an id comes before the first statement that writes: when a block of ids is used up in between,
  // the transaction begins again.
  for (const [index, one] of rows.entries()) recordPlaced(tx, at, one.order, drafts[index]?.send_email)
  await insertRows(
    tx,
    order,
    place,
    rows.map((one) => one.order),
  )
  await insertRows(
    tx,
    orderPosition,
    place,
    rows.flatMap((one) => one.positions),
  )
  await insertRows(
    tx,
    orderFee,
    place,
    rows.flatMap((one) => one.fees),
  )
  await insertRows(
    tx,
    orderPayment,
    place,
    rows.flatMap((one) => one.payments),
  )
  await insertRows(tx, checkin, place, entries)
  for (const { id, answers } of rows.flatMap((one) => one.positions))
    await keepFiles(tx, place.organizer, Number(id), (answers ?? []) as readonly StoredAnswer[])
  for (const row of rows.flatMap((one) => one.positions))
    if (row.blocked) await noteBlock(tx, place, { id: Number(row.id), secret: String(row.secret) }, true)
  for (const [index, one] of rows.entries()) reportOrder(tx, at, one, drafts[index]?.sale)
  const sold = rows.flatMap((one) => one.positions) as unknown as SoldPosition[]
  reportEntries(tx, at, entries, sold)
  await indexPositions(
    tx,
    rows.flatMap((one) => one.texts),
  )
  return rows.map(createdOf)
}

const createdOf = ({ order: { id, code, secret }, positions }: OrderRows): CreatedOrder => ({
  id: Number(id),
  code: String(code),
  secret: String(secret),
  positions: positions.map((row) => ({
    id: Number(row.id),
    positionid: Number(row.positionid),
    secret: String(row.secret),
  })),
})

/** Reports to the upstream that an order was made, and of which leases it was sold. */
function reportOrder(
  tx: Tx,
  at: EventScope,
  { order: row, positions, fees, payments }: OrderRows,
  sale: OrderDraft['sale'] = { leases: [], risks: [] },
): void {
  const { actor, place } = at
  const { leases, risks } = sale
  const payload = { order: row, positions, fees, payments, leases, risks, at_risk: risks.length > 0 }
  tx.fact(place, actor.device?.id ?? null, { kind: 'order', payload })
}

/** Notes in the audit trail that an order was placed, and what is true of it from the beginning. */
export function recordPlaced(
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  row: RowData,
  send_email: boolean | null = null,
): void {
  const actions = ['placed']
  if (row.require_approval === true) actions.push('placed.require_approval')
  if (row.status === 'p') actions.push('paid')
  for (const action of actions)
    tx.audit(place, actor, {
      action: `ticketsvc.event.order.${action}`,
      resource: 'order',
      row: Number(row.id),
      ...(send_email === null ? {} : { data: { send_email } }),
    })
}
