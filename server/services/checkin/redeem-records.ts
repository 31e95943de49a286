import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition, type StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { ParsedAnswer } from '../../domain/questions/questions.ts'
import type { Reason } from '../../domain/rules/facts.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { keepFiles } from '../input/uploads.ts'
import { noteAnswerTimes } from '../orders/answer-times.ts'
import type { PositionCells } from '../orders/position-rows.ts'
import { answersOf } from '../orders/positions.ts'
import { recordWrongClock } from './conflict-rows.ts'
import type { ListedScan } from './redeem-input.ts'

/** Stores answers given at the door with their position; a null answer deletes a stored one. */
export async function saveAnswers(
  tx: Tx,
  { actor, place }: ListedScan,
  position: PositionCells,
  given: ReadonlyMap<number, ParsedAnswer | null>,
): Promise<void> {
  if (given.size === 0) return
  const before = answersOf(position)
  const kept = before.filter((answer) => !given.has(answer.question))
  const fresh = answersGiven(given)
  const answers = [...kept, ...fresh].sort((a, b) => a.question - b.question)
  if (JSON.stringify(answers) === JSON.stringify(before)) return
  await updateRow(tx, orderPosition, place, { id: position.id, answers })
  await updateRow(tx, order, place, { id: position.order_id, last_modified: tx.now })
  await noteAnswerTimes(tx, { organizer: place.organizer, position: position.id }, [...given.keys()], tx.now)
  await keepFiles(tx, { organizer: place.organizer, position: position.id }, answers, before)
  const removed = [...given].flatMap(([question, answer]) => (answer ? [] : [question]))
  const payload = { position: position.id, answers: fresh, removed }
  tx.fact(place, actor.device?.id ?? null, { kind: 'answers', payload })
  // What is shown of the position afterwards includes what was just said.
  Object.assign(position, { answers: JSON.stringify(answers) })
}

/** Answers in their stored form, without those that are nothing. */
export const answersGiven = (given: ReadonlyMap<number, ParsedAnswer | null>): StoredAnswer[] =>
  [...given].flatMap(([question, answer]) => (answer ? [{ question, ...answer }] : []))

/** What the row of a scan says of the scan itself. */
export const scanColumns = (tx: Tx, { actor, list, input }: Omit<ListedScan, 'at'>) => ({
  ...blankRow(checkin),
  datetime: input.at ?? tx.now,
  created: tx.now,
  list: list.facts.id,
  gate: actor.device?.gate ?? null,
  device: actor.device?.id ?? null,
  type: input.type,
  nonce: input.nonce,
  force_sent: input.force,
  raw_barcode: input.code,
  raw_source_type: input.source_type,
})

/** The row of a scan before anything is said of its ticket and of what came of it. */
export const scanRow = (tx: Tx, scan: ListedScan): StoredRow<typeof checkin> => ({
  ...scanColumns(tx, scan),
  id: tx.nextId(),
  site: tx.site,
})

/** A check-in or failed check-in that stands for a scan. */
export interface RecordedScan {
  readonly id: number
  /** The nonce under which it is reported upstream; null where it is not. */
  readonly fact: string | null
}

/** What a check-in is recorded with. */
export interface ScanAdmission {
  readonly forced: boolean
  readonly ordinal: number
}

/** What a failed check-in is recorded with. */
export interface ScanRefusal {
  readonly reason: Reason
  readonly explanation: string | null
}

/** Writes a scan, and reports it upstream. */
async function record(
  tx: Tx,
  { actor, place }: ListedScan,
  row: StoredRow<typeof checkin>,
  position: PositionCells | null,
): Promise<RecordedScan> {
  await insertRow(tx, checkin, place, row)
  await recordWrongClock(tx, place, row)
  const payload = { row, secret: position === null ? null : position.secret }
  const fact = tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload })
  return { id: row.id, fact }
}

/** Writes a check-in. */
export async function recordCheckin(
  tx: Tx,
  scan: ListedScan,
  position: PositionCells,
  { forced, ordinal }: ScanAdmission,
): Promise<RecordedScan> {
  const { actor, place, list, input } = scan
  const row = { ...scanRow(tx, scan), position: position.id, forced, ordinal }
  const recorded = await record(tx, scan, row, position)
  await tx.run(touchOrder(tx.now, place.organizer, position.order_id))
  tx.audit(place, actor, {
    action: 'ticketsvc.event.checkin',
    resource: 'order',
    row: position.order_id,
    data: {
      position: position.id,
      positionid: position.positionid,
      list: list.facts.id,
      type: input.type,
      datetime: row.datetime,
      first_checkin: ordinal === 1,
      forced: forced || position.order_status !== 'p',
    },
  })
  return recorded
}

/** A check-in counts as a change of its order, so that whoever follows orders sees it. */
const touchOrder = shaped(
  (now: string, organizer: number, order: number) =>
    sql`UPDATE orders SET last_modified = ${now} WHERE organizer = ${organizer} AND id = ${order}`,
)

/** A failed check-in that carries a nonce. */
interface KnownFailure {
  readonly id: number
  readonly list: number
  readonly position: number | null
  readonly error_reason: string | null
  readonly raw_barcode: string | null
}

/** The failed check-ins that carry a nonce. */
export const failuresWith = async (tx: Tx, place: Place, nonce: string | null): Promise<KnownFailure[]> =>
  nonce === null
    ? []
    : tx.all<KnownFailure>(
        sql`SELECT id, list, "position" AS position, error_reason, raw_barcode FROM checkin
            WHERE organizer = ${place.organizer} AND nonce = ${nonce} AND successful = 0`,
      )

/** The failed check-in that has been written for the same scan and reason before. */
export async function sameFailure(
  tx: Tx,
  { place, list, input }: ListedScan,
  reason: Reason,
): Promise<RecordedScan | undefined> {
  const known = await failuresWith(tx, place, input.nonce)
  const same = known.find(
    (one) => one.list === list.facts.id && one.error_reason === reason && one.raw_barcode === input.code,
  )
  return same && { id: same.id, fact: null }
}

/** Writes a failed check-in, once for each nonce and reason. */
export async function recordFailure(
  tx: Tx,
  scan: ListedScan,
  position: PositionCells | null,
  { reason, explanation }: ScanRefusal,
): Promise<RecordedScan> {
  const same = await sameFailure(tx, scan, reason)
  if (same) return same
  const { actor, place, list, input } = scan
  const row = {
    ...scanRow(tx, scan),
    successful: false,
    error_reason: reason,
    error_explanation: explanation,
    position: position?.id ?? null,
  }
  const recorded = await record(tx, scan, row, position)
  tx.audit(place, actor, {
    action: position ? 'ticketsvc.event.checkin.denied' : 'ticketsvc.event.checkin.unknown',
    resource: position ? 'order' : 'checkin_list',
    row: position?.order_id ?? list.facts.id,
    data: { position: position?.id, list: list.facts.id, type: input.type, datetime: row.datetime, reason },
  })
  return recorded
}
