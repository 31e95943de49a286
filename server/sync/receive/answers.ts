import sql, { join } from 'sql-template-tag'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition, type StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { check } from '../../resource/input.ts'
import { findRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { keepFiles } from '../../services/input/uploads.ts'
import { notAnsweredSince, noteAnswerTimes } from '../../services/orders/answer-times.ts'
import type { Applier, ApplyContext } from './applier.ts'
import { mayStillCome, positionById, type ReportedPosition } from './reported-position.ts'

const id = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const

/** Answers as they are stored, as JSON Schema. */
export const answersSchema = {
  type: 'array',
  maxItems: 1000,
  items: {
    type: 'object',
    required: ['question', 'answer', 'options'],
    properties: {
      question: id,
      answer: { type: 'string' },
      options: { type: 'array', items: id },
    },
  },
} as const

const schema = {
  type: 'object',
  required: ['position', 'answers'],
  properties: {
    position: id,
    answers: answersSchema,
    removed: { type: 'array', maxItems: 1000, items: id },
  },
} as const

interface Given {
  readonly position: number
  readonly answers: readonly StoredAnswer[]
  readonly removed?: readonly number[]
}

/** Stores answers that were given at a station; of each question the newest answer stays. */
export const applyAnswers: Applier = async (tx, context, fact) => {
  check(schema, fact.payload)
  const { position: id, answers, removed = [] } = fact.payload as Given
  const position = await positionById(tx, context.place, id)
  if (!position)
    return {
      status: mayStillCome(tx, context, id) ? 'retry' : 'rejected',
      reason: 'unknown_order',
      detail: 'The ticket whose questions were answered is not known here.',
    }
  await mergeAnswers(tx, context, position, { answers, removed })
  return { status: 'applied' }
}

/** Stores answers to questions of a ticket, except where newer ones are known. */
export async function mergeAnswers(
  tx: Tx,
  { place, at }: ApplyContext,
  { id, order_id }: ReportedPosition,
  { answers, removed = [] }: Omit<Given, 'position'>,
): Promise<void> {
  const said = new Set([...answers.map(({ question }) => question), ...removed])
  const known = await questionsAmong(tx, place, [...said])
  const newest = await notAnsweredSince(tx, { organizer: place.organizer, position: id }, known, at)
  const row = await findRow(tx, orderPosition, place, { id })
  const before = row?.answers ?? []
  const merged = [
    ...before.filter(({ question }) => !newest.has(question)),
    ...answers
      .filter(({ question }) => newest.has(question))
      .map(({ question, answer, options }) => ({ question, answer, options })),
  ].sort((a, b) => a.question - b.question)
  await noteAnswerTimes(tx, { organizer: place.organizer, position: id }, [...newest], at)
  if (JSON.stringify(merged) !== JSON.stringify(before)) {
    await updateRow(tx, orderPosition, place, { id, answers: merged })
    await keepFiles(tx, { organizer: place.organizer, position: id }, merged, before)
    await updateRow(tx, order, place, { id: order_id, last_modified: tx.now })
  }
}

/** Questions that have been deleted here are not answered any more, nor any that is not asked at check-in. */
async function questionsAmong(
  tx: Tx,
  { organizer, event }: Place,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return []
  const rows = await tx.all<{ id: number }>(
    sql`SELECT id FROM question WHERE organizer = ${organizer} AND event = ${event} AND id IN (${join([...ids])})
          AND ask_during_checkin = 1`,
  )
  return rows.map((row) => row.id)
}
