import { smallestAmount } from '../../domain/pricing/rounding.ts'
import type { TaxAddress } from '../../domain/pricing/taxes.ts'
import type { ProductLine } from '../../domain/quotas/quotas.ts'
import { type FieldErrors, invalid, Refusal } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { type Attempt, aligned, attempt } from '../input/attempts.ts'
import { invoiceChangedOrder } from '../invoices/order-invoices.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { indexOrders } from '../orders/order-search-text.ts'
import { refuseUnlessLive, type StoredPosition } from '../orders/position-lock.ts'
import type { OrderCatalogue } from '../pricing/order-catalogue.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { cataloguePrice } from '../pricing/order-pricing.ts'
import { checkChoice } from '../pricing/position-check.ts'
import { shortageText, takeFromQuotas } from '../quotas/quota-usage.ts'
import { isNoChange, type OrderChange } from './order-change-input.ts'
import { catalogueFor } from './order-create.ts'
import { changeFees, unknownIds } from './order-fee-change.ts'
import { recalculateTaxes } from './order-recalculate.ts'
import { splitOff } from './order-split.ts'
import { type PricedOrder, settleOrder } from './order-total.ts'
import { insertPosition, numberedPositions } from './position-add.ts'
import { cancelPositions, nothingLeft, openPositions, withAddons } from './position-cancel.ts'
import { applyPositionChange } from './position-change.ts'

/** A position that is changed, with what becomes of its product. */
interface Patch {
  readonly position: StoredPosition
  readonly body: OrderChange['patch_positions'][number]['body']
  readonly choice: ProductLine
}

/** How an order is to be changed, and whether quotas are asked for what it needs then. */
export interface ChangeRequest {
  readonly change: OrderChange
  readonly checkQuotas: boolean
}

/**
 * Changes an order in many ways at once, all of them or none: positions are canceled, changed and added, fees
 * are added, canceled and changed, taxes worked out anew, positions split off, in this order. Throws 400 aligned with the lists of the body,
 * or with a list of plain texts for what concerns the order as a whole.
 */
export async function changeOrder(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { change, checkQuotas }: ChangeRequest,
): Promise<void> {
  const { place } = at
  if (isNoChange(change)) return
  refuseUnlessLive(order)
  const open = await openPositions(tx, place, order.id)
  refuseUnknown(change, open)
  const going = [...new Set(change.cancel_positions.flatMap((id) => withAddons(open, id)))]
  const stays = (id: number): boolean => !going.some((one) => one.id === id)
  const patches = change.patch_positions.flatMap(({ position: id, body }): Patch[] => {
    const position = open.find((one) => one.id === id)
    return position && stays(id) ? [{ position, body, choice: choiceOf(position, body) }] : []
  })
  const catalogue = await catalogueFor(tx, at, [
    ...patches.map(({ choice }) => ({ ...choice, answers: [] })),
    ...change.create_positions,
  ])
  const moves = patches.filter(isMoved)
  refuseChoices(catalogue, at, change, moves)
  if (checkQuotas)
    await takeQuotas(
      tx,
      place,
      [...moves.map(({ choice }) => choice), ...change.create_positions],
      [...going, ...moves.map(({ position }) => position)],
    )
  await cancelPositions(tx, at, order, going)
  const own = {
    positions: new Set([...going, ...patches.map(({ position }) => position)].map(({ id }) => id)),
  }
  await each('patch_positions', change.patch_positions, async ({ position: id }) => {
    const patch = patches.find(({ position }) => position.id === id)
    if (!patch) return
    const { position, body } = patch
    const sent =
      change.reprice && isMoved(patch) ? { ...priceOf(at, { order, catalogue }, patch), ...body } : body
    const inner = await attemptLater(() =>
      applyPositionChange(tx, at, { order, position }, { sent, checkQuotas: false, own }),
    )
    if (!inner.ok) throw invalid({ body: inner.errors })
  })
  const others = change.create_positions.length > 0 ? await numberedPositions(tx, place, order.id) : []
  await each('create_positions', change.create_positions, async (input) => {
    others.push(await insertPosition(tx, at, order, { input, own, others }))
  })
  await changeFees(tx, at, { order, catalogue }, change)
  if (change.recalculate_taxes !== null)
    await recalculateTaxes(tx, at, { order, catalogue }, change.recalculate_taxes)
  refuseSharedSeats(await openPositions(tx, place, order.id))
  await splitOff(tx, at, order, change.split_positions.filter(stays))
  // An order of which only a fee was kept has had none before.
  if (open.length > 0 && (await openPositions(tx, place, order.id)).length === 0) throw invalid([nothingLeft])
  await settleOrder(tx, at, order)
  if (change.reissue_invoice) await invoiceChangedOrder(tx, at, order.id)
  await indexOrders(tx, place, [order.id])
}

const choiceOf = (position: StoredPosition, body: Patch['body']): ProductLine => {
  const { item, variation, subevent } = { ...position, ...body }
  return { item, variation, subevent }
}

const isMoved = ({ position, choice }: Patch): boolean =>
  choice.item !== position.item ||
  choice.variation !== position.variation ||
  choice.subevent !== position.subevent

/** What a position costs by the catalogue once it is what it is to become. */
function priceOf(
  { event }: OrderScope,
  { order, catalogue }: PricedOrder,
  { choice }: Patch,
): { readonly price?: string } {
  const item = catalogue.items.get(choice.item)
  if (!item) return {}
  const address: TaxAddress | null = JSON.parse(order.invoice_address ?? 'null')
  const terms = { catalogue, address, step: smallestAmount(event.currency) }
  return { price: amountOf(cataloguePrice(terms, item, choice).price) }
}

function refuseUnknown(change: OrderChange, open: readonly StoredPosition[]): void {
  const known = new Map(open.map((one) => [one.id, one]))
  const errors: FieldErrors = {}
  const lists: Readonly<Record<string, readonly number[]>> = {
    cancel_positions: change.cancel_positions,
    patch_positions: change.patch_positions.map(({ position }) => position),
    split_positions: change.split_positions,
  }
  for (const [name, ids] of Object.entries(lists)) {
    const wrong = unknownIds('position', ids, known)
    if (wrong) errors[name] = wrong
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

/** Holds all products that are chosen against the catalogue, before any quota is asked. */
function refuseChoices(
  catalogue: OrderCatalogue,
  at: OrderScope,
  change: OrderChange,
  moves: readonly Patch[],
): void {
  const errors: FieldErrors = {}
  const patched = change.patch_positions.map(({ position: id }): Attempt<unknown> => {
    const move = moves.find(({ position }) => position.id === id)
    const read = attempt(() => move && checkChoice(catalogue, at, move.choice, false))
    return read.ok ? read : { ok: false, errors: { body: read.errors } }
  })
  const created = change.create_positions.map((input) =>
    attempt(() => checkChoice(catalogue, at, input, false)),
  )
  for (const [name, attempts] of [
    ['patch_positions', patched],
    ['create_positions', created],
  ] as const) {
    const wrong = aligned(attempts)
    if (wrong) errors[name] = wrong
  }
  if (Object.keys(errors).length > 0) throw invalid(errors)
}

async function takeQuotas(
  tx: Tx,
  place: Place,
  wanted: readonly ProductLine[],
  given: readonly ProductLine[],
): Promise<void> {
  const short = (await takeFromQuotas(tx, place, wanted, { positions: given })).find((one) => one !== null)
  if (short) throw invalid([shortageText(short)])
}

/** Reads or does a part that takes its time; a 400 becomes complaints. */
async function attemptLater<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { ok: true, value: await work() }
  } catch (cause) {
    if (cause instanceof Refusal && cause.status === 400) return { ok: false, errors: cause.body }
    throw cause
  }
}

/** Does something for each row of a list of the body, one after the other; 400 aligned with the list. */
async function each<T>(name: string, rows: readonly T[], work: (row: T) => Promise<void>): Promise<void> {
  const attempts: Attempt<void>[] = []
  for (const row of rows) attempts.push(await attemptLater(() => work(row)))
  const wrong = aligned(attempts)
  if (wrong) throw invalid({ [name]: wrong })
}

/** Those whose seats change places may meet on the same one. */
function refuseSharedSeats(positions: readonly StoredPosition[]): void {
  const seats = positions.flatMap(({ seat_id }) => (seat_id ? [seat_id] : []))
  if (new Set(seats).size < seats.length) throw invalid(['Two positions cannot have the same seat.'])
}
