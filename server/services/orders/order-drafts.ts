import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderFee } from '../../../schema/resources/orders/order-fee.ts'
import { orderPayment } from '../../../schema/resources/orders/order-payment.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { largestOrderFact } from '../../../schema/sync.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import { impossible } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { insertRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { indexPositions } from '../../storage/search.ts'
import { noteBlock } from '../codes/code-lists.ts'
import { codeIssuer, freshCodes } from '../codes/order-codes.ts'
import { keepFiles } from '../input/uploads.ts'
import type { CreatedOrder, OrderDraft, OrderScope } from '../pricing/order-draft.ts'
import { automaticCheckins, entriesOfSale, reportEntries } from './automatic-checkins.ts'
import { type OrderRow, type OrderRows, orderRows } from './order-rows.ts'

/**
 * Stores orders, all of them or none; the result is in the order of the drafts. A few hundred at a time are fastest. An
 * order code or ticket code that is taken fails the whole transaction, so whoever gives codes looks for them first
 * (takenCodes, takenSecrets).
 */
export async function createOrders(
  tx: Tx,
  at: OrderScope,
  drafts: readonly OrderDraft[],
): Promise<CreatedOrder[]> {
  const { place } = at
  const rows = await rowsOf(tx, at, drafts)
  const automatic = await automaticCheckins(tx, place)
  const entries = rows.flatMap((one) => entriesOfSale(tx, automatic, one))
  // Everything that takes an id comes before the first statement that writes: when a block of ids is used up in between,
  // the transaction begins again.
  for (const [index, one] of rows.entries()) recordPlaced(tx, at, one.order, drafts[index]?.send_email)
  await insertOrders(tx, place, rows)
  await insertRows(tx, checkin, place, entries)
  const sold = rows.flatMap((one) => one.positions)
  for (const { id, answers } of sold)
    await keepFiles(tx, { organizer: place.organizer, position: id }, answers)
  for (const { id, secret, blocked } of sold) if (blocked) await noteBlock(tx, place, { id, secret }, true)
  for (const [index, one] of rows.entries()) reportOrder(tx, at, one, drafts[index]?.sale)
  reportEntries(tx, at, entries, sold)
  await indexPositions(
    tx,
    rows.flatMap((one) => one.texts),
  )
  return rows.map(createdOf)
}

/** The rows of some orders, with fresh codes for those that bring none. */
async function rowsOf(tx: Tx, at: OrderScope, drafts: readonly OrderDraft[]): Promise<OrderRows[]> {
  const unnamed = drafts.filter(({ code }) => !code)
  const fresh = await freshCodes(
    tx,
    at.place.organizer,
    unnamed.map(({ testmode }) => testmode === true),
  )
  const codes = drafts.map(({ code }) => code || String(fresh.shift()))
  const { nameScheme, currency } = at.event
  const issue = await codeIssuer(tx, at.actor, at.place)
  const terms = { nameScheme, step: smallestAmount(currency), issue }
  return drafts.map((draft, index) => orderRows(tx, at, draft, { code: String(codes[index]), terms }))
}

async function insertOrders(tx: Tx, place: Place, rows: readonly OrderRows[]): Promise<void> {
  const all = <T>(part: (one: OrderRows) => readonly T[]): T[] => rows.flatMap(part)
  const orders = rows.map((one) => one.order)
  await insertRows(tx, order, place, orders)
  const positions = all((one) => one.positions)
  await insertRows(tx, orderPosition, place, positions)
  const fees = all((one) => one.fees)
  await insertRows(tx, orderFee, place, fees)
  const payments = all((one) => one.payments)
  await insertRows(tx, orderPayment, place, payments)
}

const createdOf = ({ order: { id, code, secret }, positions }: OrderRows): CreatedOrder => ({
  id,
  code,
  secret,
  positions: positions.map((row) => ({ id: row.id, positionid: row.positionid, secret: row.secret })),
})

/** How large an order may be beside what else a fact says, such as when it happened. */
const largestPayload = largestOrderFact - 4096

/** Reports to the upstream that an order was made, and of which leases it was sold. */
function reportOrder(
  tx: Tx,
  at: OrderScope,
  { order: row, positions, fees, payments }: OrderRows,
  sale: OrderDraft['sale'] = { leases: [], risks: [] },
): void {
  const { actor, place } = at
  const { leases, risks } = sale
  const payload = { order: row, positions, fees, payments, leases, risks, at_risk: risks.length > 0 }
  if (tx.site !== 0 && Buffer.byteLength(JSON.stringify(payload)) > largestPayload)
    throw impossible('This order is too large to be reported by this station. Sell it as several orders.')
  tx.fact(place, actor.device?.id ?? null, { kind: 'order', payload })
}

/** Notes in the audit trail that an order was placed, and what is true of it from the beginning. */
export function recordPlaced(
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  row: Pick<OrderRow, 'id' | 'status' | 'require_approval'>,
  send_email: boolean | null = null,
): void {
  const actions = ['placed']
  if (row.require_approval) actions.push('placed.require_approval')
  if (row.status === 'p') actions.push('paid')
  for (const action of actions)
    tx.audit(place, actor, {
      action: `ticketsvc.event.order.${action}`,
      resource: 'order',
      row: row.id,
      ...(send_email === null ? {} : { data: { send_email } }),
    })
}
