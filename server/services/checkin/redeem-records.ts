import sql from 'sql-template-tag'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition, type StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { Reason } from '../../domain/checkin/checkin.ts'
import type { ParsedAnswer } from '../../domain/questions/answers.ts'
import type { Actor } from '../../resource/actor.ts'
import type { RowData } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { shaped } from '../../storage/shaped.ts'
import { keepFiles } from '../input/uploads.ts'
import { noteAnswerTimes } from '../orders/answer-times.ts'
import { answersOf, type PositionCells } from '../orders/positions.ts'
import type { ListAt } from './checkin-lists.ts'
import type { RedeemInput } from './redeem-input.ts'

/** Stores answers given at the door with their position; a null answer deletes a stored one. */
export async function saveAnswers(
  tx: Tx,
  actor: Actor,
  place: Place,
  position: PositionCells,
  given: ReadonlyMap<number, ParsedAnswer | null>,
): Promise<void> {
  if (given.size === 0) return
  const before = answersOf(position)
  const kept = before.filter((answer) => !given.has(answer.question))
  const fresh = [...given].flatMap(([question, answer]): StoredAnswer[] =>
    answer ? [{ question, ...answer }] : [],
  )
  const answers = [...kept, ...fresh].sort((a, b) => a.question - b.question)
  if (JSON.stringify(answers) === JSON.stringify(before)) return
  await updateRow(tx, orderPosition, place, position.id, { answers })
  await updateRow(tx, order, place, position.order_id, { last_modified: tx.now })
  await noteAnswerTimes(tx, place.organizer, position.id, [...given.keys()], tx.now)
  await keepFiles(tx, place.organizer, position.id, answers, before)
  const removed = [...given].flatMap(([question, answer]) => (answer ? [] : [question]))
  const payload = { position: position.id, answers: fresh, removed }
  tx.fact(place, actor.device?.id ?? null, { kind: 'answers', payload })
  // What is shown of the position afterwards includes what was just said.
  Object.assign(position, { answers: JSON.stringify(answers) })
}

const sentWith = (actor: Actor, input: RedeemInput, now: string, at: string): RowData => ({
  datetime: at,
  created: now,
  gate: actor.device?.gate ?? null,
  device: actor.device?.id ?? null,
  type: input.type,
  nonce: input.nonce,
  force_sent: input.force,
  raw_barcode: input.code,
  raw_source_type: input.source_type,
})

/** A check-in or failed check-in that stands for a scan. */
export interface RecordedScan {
  readonly id: number
  /** The nonce under which the server above is told of it; null where there is none. */
  readonly fact: string | null
}

/** Writes a scan, and has the server above told of it. */
async function record(
  tx: Tx,
  actor: Actor,
  place: Place,
  row: RowData,
  position: PositionCells | null,
): Promise<RecordedScan> {
  await insertRow(tx, checkin, place, row)
  const payload = { row, secret: position === null ? null : position.secret }
  const fact = tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload })
  return { id: Number(row.id), fact }
}

/** Writes a check-in. */
export async function recordPass(
  tx: Tx,
  actor: Actor,
  place: Place,
  list: ListAt,
  position: PositionCells,
  input: RedeemInput,
  at: string,
  forced: boolean,
  ordinal: number,
): Promise<RecordedScan> {
  const row = {
    ...blankRow(checkin),
    ...sentWith(actor, input, tx.now, at),
    id: tx.nextId(),
    position: position.id,
    list: list.facts.id,
    forced,
    ordinal,
    site: tx.site,
  }
  const recorded = await record(tx, actor, place, row, position)
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
      datetime: at,
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

/** Writes a failed check-in, once for each nonce and reason. */
export async function recordFailure(
  tx: Tx,
  actor: Actor,
  place: Place,
  list: ListAt,
  position: PositionCells | null,
  input: RedeemInput,
  at: string,
  reason: Reason,
  explanation: string | null,
): Promise<RecordedScan> {
  const known = await failuresWith(tx, place, input.nonce)
  const same = known.find(
    (one) => one.list === list.facts.id && one.error_reason === reason && one.raw_barcode === input.code,
  )
  if (same) return { id: same.id, fact: null }
  const row = {
    ...blankRow(checkin),
    ...sentWith(actor, input, tx.now, at),
    id: tx.nextId(),
    successful: false,
    error_reason: reason,
    error_explanation: explanation,
    position: position?.id ?? null,
    list: list.facts.id,
    site: tx.site,
  }
  const recorded = await record(tx, actor, place, row, position)
  tx.audit(place, actor, {
    action: position ? 'ticketsvc.event.checkin.denied' : 'ticketsvc.event.checkin.unknown',
    resource: position ? 'order' : 'checkin_list',
    row: position?.order_id ?? list.facts.id,
    data: { position: position?.id, list: list.facts.id, type: input.type, datetime: at, reason },
  })
  return recorded
}
