import sql from 'sql-template-tag'
import { addedPositionInput, mostPositions } from '../../../schema/bodies/order-create.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import type { OwnHolds } from '../../domain/quotas/seats.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { readBody } from '../../resource/input.ts'
import { insertRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { codeIssuer, takenSecrets } from '../codes/order-codes.ts'
import { type Attempt, attempt } from '../input/attempts.ts'
import { keepFiles } from '../input/uploads.ts'
import { recordOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { orderByCode } from '../orders/order-query.ts'
import { indexOrders } from '../orders/order-search-text.ts'
import { refuseUnlessLive } from '../orders/position-lock.ts'
import { positionRow } from '../orders/position-rows.ts'
import type { OrderScope, PositionDraft } from '../pricing/order-draft.ts'
import { pricePosition } from '../pricing/order-pricing.ts'
import { chooseSeats } from '../pricing/order-seats.ts'
import { checkAnswers, checkChoice } from '../pricing/position-check.ts'
import { type PositionInput, positionBody, wholePosition, withAttendee } from '../pricing/position-input.ts'
import { shortageText, takeFromQuotas } from '../quotas/quota-usage.ts'
import { catalogueFor } from './order-create.ts'
import { settleOrder } from './order-total.ts'

/** A position that is to be added to the order with a code. */
interface AddedPosition extends PositionInput {
  readonly order: string
}

/** Reads the body of a request that adds a position; throws 400 with messages by field. */
export function readAddedPosition(body: unknown, at: OrderScope): AddedPosition {
  const sent = readBody(addedPositionInput, positionBody(body), { partial: false, locale: at.event.locale })
  return wholePosition(withAttendee(sent, at))
}

/** Adds a position to an order; its id. */
export async function addPosition(
  tx: Tx,
  at: OrderScope,
  input: AddedPosition,
  checkQuotas: boolean,
): Promise<number> {
  const { place } = at
  const order = await orderByCode(tx, place, input.order, tx.forUpdate)
  if (!order) throw invalid({ order: ['There is no order with this code.'] })
  refuseUnlessLive(order)
  const { id } = await insertPosition(tx, at, order, {
    input,
    own: {},
    others: await numberedPositions(tx, place, order.id),
    sell: () => (checkQuotas ? sell(tx, place, input) : Promise.resolve()),
  })
  await settleOrder(tx, at, order)
  await indexOrders(tx, place, [order.id])
  return id
}

/** A position that is about to be added. */
interface NewPosition {
  readonly input: PositionInput
  /** What its order holds of seats and leaves. */
  readonly own: OwnHolds
  /** What the order has already, canceled positions too. */
  readonly others: readonly OrderedPosition[]
  /** Asked once the position is known to be right. */
  readonly sell?: () => Promise<void>
}

/** Stores a further position of an order whose sum is worked out by whoever calls this. */
export async function insertPosition(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { input, own, others, sell: take }: NewPosition,
): Promise<OrderedPosition> {
  const { place, event } = at
  if (others.filter((one) => one.canceled === 0).length >= mostPositions)
    throw invalid([`An order has no more than ${mostPositions} positions. Make another one for the rest.`])
  const parent = others.find(
    (one) => one.positionid === input.addon_to && one.addon_to === null && one.canceled === 0,
  )
  const positionid = Math.max(0, ...others.map((one) => one.positionid)) + 1
  const hasParent = parent !== undefined
  const draft = await draftAdded(tx, at, order, { input, own, others, positionid, hasParent })
  await take?.()
  const keys = { id: tx.nextId(), order: order.id, parent: parent?.id ?? null }
  const step = smallestAmount(event.currency)
  const issue = await codeIssuer(tx, at.actor, place)
  const row = positionRow(tx, draft, keys, { nameScheme: event.nameScheme, step, issue })
  await insertRow(tx, orderPosition, place, row)
  await keepFiles(tx, { organizer: place.organizer, position: keys.id }, draft.answers ?? [])
  recordOrder(tx, at, { order: order.id, action: 'changed.add', data: { position: keys.id, positionid } })
  return { id: keys.id, positionid, addon_to: keys.parent, canceled: 0 }
}

/** A position of an order by its number there. */
interface OrderedPosition {
  readonly id: number
  readonly positionid: number
  readonly addon_to: number | null
  readonly canceled: number
}

/** The positions of an order by their numbers, canceled ones too. */
export const numberedPositions = (tx: Tx, place: Place, order: number): Promise<OrderedPosition[]> =>
  tx.all<OrderedPosition>(
    sql`SELECT id, positionid, addon_to, canceled FROM order_position
        WHERE organizer = ${place.organizer} AND order_id = ${order} ORDER BY positionid`,
  )

interface NumberedPosition extends NewPosition {
  readonly positionid: number
  readonly hasParent: boolean
}

/** Checks a position against the catalogue and its order, and prices it; throws 400 with messages by field. */
async function draftAdded(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  { input, own, positionid, hasParent }: NumberedPosition,
): Promise<PositionDraft> {
  const catalogue = await catalogueFor(tx, at, [input])
  const errors: FieldErrors = {}
  if (input.addon_to !== null && !hasParent)
    errors.addon_to = ['The order has no such position that an add-on could belong to.']
  if (input.secret && (await takenSecrets(tx, at.place, [input.secret])).size > 0)
    errors.secret = ['This ticket code is already in use.']
  const item = attempt(() => checkChoice(catalogue, at, input, false))
  const answers = attempt(() => checkAnswers(catalogue, at, input.answers))
  const seated = { channel: order.sales_channel, own }
  const [seat] = item.ok ? await chooseSeats(tx, at, [input], seated) : []
  const reads: readonly Attempt<unknown>[] = [item, answers, ...(seat ? [seat] : [])]
  for (const read of reads) if (!read.ok) Object.assign(errors, read.errors)
  if (!item.ok || !answers.ok || !seat?.ok || Object.keys(errors).length > 0) throw invalid(errors)
  const address = JSON.parse(order.invoice_address ?? 'null')
  const terms = { catalogue, address, step: smallestAmount(at.event.currency) }
  const draft = pricePosition(terms, item.value, input)
  return { ...draft, positionid, answers: answers.value, seat: seat.value }
}

async function sell(tx: Tx, place: Place, { item, variation, subevent }: AddedPosition): Promise<void> {
  const [shortage] = await takeFromQuotas(tx, place, [{ item, variation, subevent }])
  if (shortage) throw invalid([shortageText(shortage)])
}
