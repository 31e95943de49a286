import { changedPositionInput } from '../../../schema/bodies/order-create.ts'
import type { RowOf } from '../../../schema/fields.ts'
import { orderPosition, type StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import { rateFor, type TaxAddress } from '../../domain/pricing/taxes.ts'
import type { OwnHolds } from '../../domain/quotas/seats.ts'
import { looksSigned } from '../../domain/signed-tickets/signed-ticket.ts'
import { invalid } from '../../errors.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { readBody } from '../../resource/input.ts'
import { cellOf, storedFields, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { noteBlock, revokeSigned } from '../codes/code-lists.ts'
import { codeIssuer, takenSecrets } from '../codes/order-codes.ts'
import { keepFiles } from '../input/uploads.ts'
import { noteAnswerTimes } from '../orders/answer-times.ts'
import { recordOrder, saveOrder } from '../orders/order-changes.ts'
import { indexOrders } from '../orders/order-search-text.ts'
import { type LockedPosition, refuseUnlessLive, type StoredPosition } from '../orders/position-lock.ts'
import { nameColumns, type PositionRow, type TaxColumns, taxColumns } from '../orders/position-rows.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { chooseSeat, type SeatOfTicket } from '../pricing/order-seats.ts'
import { checkAnswers, checkChoice } from '../pricing/position-check.ts'
import {
  type AnswerInput,
  attendeeFields,
  positionBody,
  type WithAttendee,
  withAttendee,
} from '../pricing/position-input.ts'
import { shortageText, takeFromQuotas } from '../quotas/quota-usage.ts'
import { catalogueFor } from './order-create.ts'
import { type PricedOrder, settleOrder } from './order-total.ts'

/** The audit trail's word for a change of each field that is more than the person's. */
const actions: Readonly<Record<string, string>> = {
  item: 'changed.item',
  variation: 'changed.item',
  subevent: 'changed.subevent',
  seat: 'changed.seat',
  price: 'changed.price',
  tax_rule: 'changed.tax_rule',
  secret: 'changed.secret',
  valid_from: 'changed.valid_from',
  valid_until: 'changed.valid_until',
}

/** The word for a change of a field; what only follows from others, such as the tax, has none. */
const actionOf = (name: string): string | undefined =>
  actions[name] ?? (attendeeFields.includes(name) ? 'modified' : undefined)

/** Fields whose change brings another price or tax. */
const priced = ['item', 'price', 'tax_rule']

const searched = ['attendee_name', 'attendee_email', 'company']

/** The fields of a position that a request changes. */
export type PositionUpdate = WithAttendee<Partial<RowOf<typeof changedPositionInput>>>

/** Reads the body of a request that changes a position; throws 400 with messages by field. */
export const readPositionChange = (body: unknown, at: OrderScope): PositionUpdate =>
  withAttendee(
    readBody(changedPositionInput, positionBody(body), { partial: true, locale: at.event.locale }),
    at,
  )

/** Changes a position; what is the same as before leaves no trace. Answers are replaced as a whole. */
export async function changePosition(
  tx: Tx,
  at: OrderScope,
  locked: LockedPosition,
  change: Omit<PositionChange, 'own'>,
): Promise<void> {
  const own = { positions: new Set([locked.position.id]) }
  const names = await applyPositionChange(tx, at, locked, { ...change, own })
  if (names.length === 0) return
  const { order } = locked
  if (names.includes('price')) await settleOrder(tx, at, order)
  else await saveOrder(tx, at.place, order.id, {})
  if (names.some((name) => searched.includes(name))) await indexOrders(tx, at.place, [order.id])
}

/** What is to be changed about a position. */
interface PositionChange {
  readonly sent: PositionUpdate
  /** Whether quotas are asked. */
  readonly checkQuotas: boolean
  /** Which seats the order holds already. */
  readonly own: OwnHolds
}

/**
 * Stores a change of a position whose order is worked out anew by whoever calls this; the names of the columns that are
 * different now.
 */
export async function applyPositionChange(
  tx: Tx,
  at: OrderScope,
  locked: LockedPosition,
  change: PositionChange,
): Promise<string[]> {
  const { order, position } = locked
  const sentNext = differences(position, await columnsOf(tx, at, locked, change))
  const next = { ...sentNext, ...(await codeAfter(tx, at, position, sentNext)) }
  const names = Object.keys(next)
  if (names.length === 0) return []
  const { place } = at
  if (names.some((name) => name in actions)) refuseUnlessLive(order)
  await updateRow(tx, orderPosition, place, { id: position.id, ...next })
  if (next.answers) {
    const before: StoredAnswer[] = JSON.parse(position.answers ?? '[]')
    const all = [...before, ...next.answers].map(({ question }) => question)
    await noteAnswerTimes(tx, { organizer: place.organizer, position: position.id }, all, tx.now)
    await keepFiles(tx, { organizer: place.organizer, position: position.id }, next.answers, before)
  }
  if (next.secret) await revokeSigned(tx, place, [position])
  if (next.secret && position.blocked !== null)
    await noteBlock(tx, place, { id: position.id, secret: next.secret }, true)
  for (const action of new Set(names.flatMap((name) => actionOf(name) ?? []))) {
    const fields = names.filter((name) => actionOf(name) === action)
    const data = { position: position.id, positionid: position.positionid, fields }
    recordOrder(tx, at, { order: order.id, action: action, data })
  }
  return names
}

/** What a signed code says of its ticket; another code is needed when it is no longer true. */
const said = ['item', 'variation', 'subevent', 'valid_from', 'valid_until'] as const

async function codeAfter(
  tx: Tx,
  at: OrderScope,
  position: StoredPosition,
  next: Partial<PositionRow>,
): Promise<Partial<PositionRow>> {
  const { place } = at
  if (next.secret || !said.some((name) => name in next) || !looksSigned(position.secret)) return {}
  const issue = await codeIssuer(tx, at.actor, place)
  return { secret: issue({ ...position, ...next }) }
}

function differences(position: StoredPosition, next: Partial<PositionRow>): Partial<PositionRow> {
  const fields = storedFields(orderPosition)
  return Object.fromEntries(
    Object.entries(next).filter(([name, value]) => {
      const field = fields[name]
      return field !== undefined && cellOf(field, value) !== position[name]
    }),
  )
}

/** What is to be stored of a change, checked against the catalogue. */
async function columnsOf(
  tx: Tx,
  at: OrderScope,
  { order, position }: LockedPosition,
  { sent, checkQuotas, own }: PositionChange,
): Promise<Partial<PositionRow>> {
  const { attendee_name_parts: parts, answers, secret, seat, ...plain } = sent
  const stored: readonly StoredAnswer[] = JSON.parse(position.answers ?? '[]')
  const given = (answers ?? []).map((one) => keptFile(one, stored))
  const { item, variation, subevent } = { ...position, ...plain }
  const choice = { item, variation, subevent }
  const guid = seat === undefined && subevent === position.subevent ? seatOf(position) : (seat ?? null)
  const loaded = await catalogueFor(tx, at, [{ ...choice, answers: given }])
  const catalogue = { ...loaded, files: new Set([...loaded.files, ...stored.map(({ answer }) => answer)]) }
  const moved = item !== position.item || variation !== position.variation || subevent !== position.subevent
  if (moved) {
    checkChoice(catalogue, at, choice, false)
    if (checkQuotas) await moveBetweenQuotas(tx, at, position, choice)
  }
  const chosen =
    moved || guid !== seatOf(position)
      ? await chooseSeat(tx, at, { item, subevent, seat: guid }, { channel: order.sales_channel, own })
      : undefined
  if (secret && secret !== position.secret && (await takenSecrets(tx, at.place, [secret])).size > 0)
    throw invalid({ secret: ['This ticket code is already in use.'] })
  return {
    ...plain,
    ...(secret ? { secret } : {}),
    ...(chosen === undefined ? {} : { seat: chosen, seat_id: chosen?.id ?? null }),
    ...(parts ? nameColumns(parts, at.event.nameScheme) : {}),
    ...(answers ? { answers: checkAnswers(catalogue, at, given) } : {}),
    ...(priced.some((name) => name in plain) ? taxOf(at, { order, catalogue }, position, plain) : {}),
  }
}

/** An answer with the file that the position has already, where it says that this is to stay. */
function keptFile(given: AnswerInput, stored: readonly StoredAnswer[]): AnswerInput {
  if (given.answer !== 'file:keep') return given
  const own = stored.find(({ question }) => question === given.question)
  return { ...given, answer: own?.answer ?? given.answer }
}

/** The name of the seat that a position has in the plan, or null. */
const seatOf = ({ seat }: StoredPosition): string | null =>
  seat === null ? null : (JSON.parse(seat) as SeatOfTicket).seat_guid

/** Price and tax after a change: another product brings its own rule, another price keeps the old rate. */
function taxOf(
  { event }: OrderScope,
  { order, catalogue: { items, taxRules } }: PricedOrder,
  position: StoredPosition,
  sent: Pick<PositionUpdate, 'item' | 'price' | 'tax_rule'>,
): Pick<PositionRow, 'price'> & TaxColumns {
  const price = sent.price === undefined ? position.price : hundredths(sent.price)
  const isMoved = sent.item !== undefined && sent.item !== position.item
  const wanted = isMoved ? (items.get(sent.item ?? 0)?.tax_rule ?? null) : position.tax_rule
  const id = sent.tax_rule === undefined ? wanted : sent.tax_rule
  const rule = id === null ? undefined : taxRules.get(id)
  if (id !== null && !rule) throw invalid({ tax_rule: [`Invalid pk "${id}" - object does not exist.`] })
  const address: TaxAddress | null = JSON.parse(order.invoice_address ?? 'null')
  const rate = id === position.tax_rule ? position.tax_rate : rule ? rateFor(rule, address) : 0
  return { price: amountOf(price), ...taxColumns(price, rate, id, smallestAmount(event.currency)) }
}

/** Takes the new product from its quotas; those that count the old one as well need no more room. */
async function moveBetweenQuotas(
  tx: Tx,
  { place }: OrderScope,
  position: StoredPosition,
  choice: { readonly item: number; readonly variation: number | null; readonly subevent: number | null },
): Promise<void> {
  const [shortage] = await takeFromQuotas(tx, place, [choice], { positions: [position] })
  if (shortage) throw invalid([shortageText(shortage)])
}
