import type { drawerOpening } from '../../../schema/bodies/drawers.ts'
import type { RowOf } from '../../../schema/fields.ts'
import type { MovementKind } from '../../../schema/receipt-words.ts'
import { drawer, type StoredDrawer } from '../../../schema/resources/drawer/drawer.ts'
import { receipt, type StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { cashProviderId, type ReceiptLine, reversedLines } from '../../domain/drawer/receipts.ts'
import { denied, impossible, invalid, notFound, Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { findRow, insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { cashierAt } from './cashier.ts'
import { contentOf } from './receipt-rows.ts'
import { drawerOf, type OpenDrawer, writeReceipt } from './write-receipt.ts'

/** The device of a caller, which is the till; others have no drawer. */
export function tillOf({ device }: Actor): number {
  if (!device) throw impossible('Only devices have a drawer. Use the credential of the device of the till.')
  return device.id
}

/** A line of cash that moves without a sale; less than nothing for what goes out. */
const movementLine = (kind: Movement['kind'], amount: number, text: string): ReceiptLine => ({
  ...{ kind, text, amount, tax_rate: 0, tax_value: 0, tax_code: null },
  ...{ item: null, variation: null, subevent: null, positionid: null },
})

/** What a movement of cash is; less than nothing goes out of the drawer. */
interface Movement {
  readonly kind: MovementKind | 'no_sale'
  readonly amount: number
  readonly reason: string
}

/** Writes the receipt of cash that moves without a sale. */
export const writeMovement = (
  tx: Tx,
  actor: Actor,
  open: OpenDrawer,
  { kind, amount, reason }: Movement,
): Promise<StoredReceipt> =>
  writeReceipt(tx, actor, open, {
    ...{ type: 'movement', currency: open.row.currency, reason },
    lines: [movementLine(kind, amount, kind === 'no_sale' ? '' : reason)],
    payments: [{ provider: cashProviderId, amount, given: null, change: null }],
  })

function tellOf(tx: Tx, place: Place, row: StoredDrawer): void {
  tx.fact(place, row.till, { kind: 'drawer', payload: { row } })
}

/** Opens a drawer for a till with what is in it to give change from. */
export async function openDrawer(
  tx: Tx,
  { actor, place, event }: OrderScope,
  { name, float, training }: RowOf<typeof drawerOpening>,
): Promise<number> {
  const till = tillOf(actor)
  const amount = hundredths(float)
  if (amount < 0) throw invalid({ float: ['The float cannot be less than nothing.'] })
  if (await drawerOf(tx, place.organizer, till))
    throw impossible('This till has an open drawer already. Close that first.')
  const { cashier } = await cashierAt(tx, actor)
  const id = tx.nextId()
  const row: StoredDrawer = {
    ...{ id, name: name === '' ? actor.name.slice(0, 190) : name, state: 'open', currency: event.currency },
    ...{ opened: tx.now, opened_by: cashier, closed: null, training, tills: [till], till, site: tx.site },
  }
  await insertRow(tx, drawer, place, row)
  tellOf(tx, place, row)
  await writeMovement(tx, actor, { place, row }, { kind: 'float', amount, reason: '' })
  tx.audit(place, actor, {
    ...{ action: 'ticketsvc.drawer.opened', resource: drawer.name, row: id },
    data: { float, training, cashier },
  })
  return id
}

/** An open drawer of an event that a caller's till works at; 404 and 409 for others. */
export async function ownDrawer(tx: Tx, { actor, place }: OrderScope, id: number): Promise<OpenDrawer> {
  const row = await lockRow(tx, drawer, place, { id })
  if (!row) throw notFound()
  if (row.state !== 'open') throw new Refusal(409, { detail: 'This drawer is closed. Open a new one.' })
  if (!row.tills.includes(tillOf(actor)))
    throw denied('This till does not work at that drawer. Join it first.')
  return { place, row }
}

/** Has one more till work at a drawer, which is at the same station or hub. */
export async function joinDrawer(tx: Tx, { actor, place }: OrderScope, id: number): Promise<void> {
  const till = tillOf(actor)
  const row = await lockRow(tx, drawer, place, { id })
  if (!row) throw notFound()
  if (row.state !== 'open') throw new Refusal(409, { detail: 'This drawer is closed. Open a new one.' })
  if (row.site !== tx.site)
    throw impossible(
      'This drawer belongs to another station. Tills that share one work at the same station or hub.',
    )
  const current = await drawerOf(tx, place.organizer, till)
  if (current?.row.id === id) return
  if (current) throw impossible('This till has an open drawer already. Close that first.')
  const next: StoredDrawer = { ...row, tills: [...row.tills, till] }
  await updateRow(tx, drawer, place, { id, tills: next.tills })
  tellOf(tx, place, next)
  tx.audit(place, actor, {
    action: 'ticketsvc.drawer.joined',
    resource: drawer.name,
    row: id,
    data: { till },
  })
}

/** Puts cash into a drawer, or takes it out, for a reason. */
export async function moveCash(
  tx: Tx,
  at: OrderScope,
  id: number,
  { amount: written, reason }: { readonly amount: string; readonly reason: string },
): Promise<number> {
  const open = await ownDrawer(tx, at, id)
  const amount = hundredths(written)
  if (amount === 0) throw invalid({ amount: ['Give an amount that is not nothing.'] })
  const kind = amount > 0 ? 'cash_in' : 'cash_out'
  const row = await writeMovement(tx, at.actor, open, { kind, amount, reason })
  tx.audit(at.place, at.actor, {
    ...{ action: `ticketsvc.drawer.${kind}`, resource: drawer.name, row: id },
    data: { amount: amountOf(amount), reason, receipt: row.number, cashier: row.cashier },
  })
  return row.id
}

/** Has a drawer opened without a sale, as its receipt says, with which it opens. */
export async function openWithoutSale(tx: Tx, at: OrderScope, id: number, reason: string): Promise<number> {
  const open = await ownDrawer(tx, at, id)
  const row = await writeMovement(tx, at.actor, open, { kind: 'no_sale', amount: 0, reason })
  tx.audit(at.place, at.actor, {
    ...{ action: 'ticketsvc.drawer.opened_without_sale', resource: drawer.name, row: id },
    data: { reason, receipt: row.number, cashier: row.cashier },
  })
  return row.id
}

/** Takes a movement of cash back that was a mistake, by its opposite. */
export async function reverseMovement(
  tx: Tx,
  at: OrderScope,
  { drawer: id, receipt: receiptId }: { readonly drawer: number; readonly receipt: number },
  reason: string,
): Promise<number> {
  const open = await ownDrawer(tx, at, id)
  const before = await findRow(tx, receipt, at.place, { id: receiptId, drawer: id })
  if (!before) throw notFound()
  if (before.type !== 'movement')
    throw impossible('Only cash that was put in or taken out is taken back here. Refund the order instead.')
  if (await findRow(tx, receipt, at.place, { reverses: receiptId }))
    throw new Refusal(409, { detail: 'This receipt was taken back already.' })
  const { lines, payments } = contentOf(before)
  const row = await writeReceipt(tx, at.actor, open, {
    ...{ type: 'correction', currency: before.currency, reason, reverses: receiptId },
    lines: reversedLines(lines),
    payments: payments.map((one) => ({ ...one, amount: 0 - one.amount })),
  })
  tx.audit(at.place, at.actor, {
    ...{ action: 'ticketsvc.drawer.reversed', resource: drawer.name, row: id },
    data: { receipt: before.number, reason, cashier: row.cashier },
  })
  return row.id
}
