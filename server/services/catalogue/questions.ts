import sql, { join } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../../schema/resources/catalogue/question-option.ts'
import type { QuestionFacts } from '../../domain/questions/questions.ts'
import { findRows, rowOf } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** A question with what belongs to it. */
type QuestionWithOptions = StoredRow<typeof question> & {
  readonly dependency_value: string | null
  readonly options: readonly Pick<
    StoredRow<typeof questionOption>,
    'id' | 'identifier' | 'position' | 'answer'
  >[]
}

/** Question rows in the JSON form of the API, with their options. */
export async function withOptions(
  db: Queryable,
  place: Place,
  questions: readonly StoredRow<typeof question>[],
): Promise<QuestionWithOptions[]> {
  const ids = questions.map((row) => row.id)
  const options =
    ids.length === 0
      ? []
      : await findRows(db, questionOption, place, {
          where: sql`question IN (${join(ids)})`,
          order: sql`"position", id`,
        })
  return questions.map((row) => ({
    ...row,
    dependency_value: row.dependency_values[0] ?? null,
    options: options
      .filter((option) => option.question === row.id)
      .map(({ id, identifier, position, answer }) => ({ id, identifier, position, answer })),
  }))
}

/** The questions of an event that are asked at check-in about an item, with their options, in their order. */
export async function questionsAtDoor(
  db: Queryable,
  place: Place,
  item: number,
): Promise<QuestionWithOptions[]> {
  const asked = await db.remembered(`questions ${place.organizer} ${place.event}`, async () => {
    const cells = await db.all(
      sql`SELECT * FROM question WHERE organizer = ${place.organizer} AND event = ${place.event} AND ask_during_checkin = 1
          ORDER BY "position", id`,
    )
    return withOptions(
      db,
      place,
      cells.map((row) => rowOf(question, row)),
    )
  })
  return asked.filter((row) => row.items.includes(item))
}

/** A question row with its options as the domain judges answers by it. */
export const questionFacts = (row: QuestionWithOptions): QuestionFacts => row

/** The ids of questions by their events. */
export type AskedQuestions = ReadonlyMap<number, ReadonlySet<number>>

/** The questions of an organizer that are asked or shown at the entrance. */
export const askedAtEntrance = (db: Queryable, organizer: number): Promise<AskedQuestions> =>
  db.remembered(`asked at ${organizer}`, async () => {
    const found = await db.all<{ event: number; id: number }>(
      sql`SELECT event, id FROM question
          WHERE organizer = ${organizer} AND (ask_during_checkin = 1 OR show_during_checkin = 1) ORDER BY id`,
    )
    const byEvent = new Map<number, Set<number>>()
    for (const { event, id } of found) byEvent.set(event, (byEvent.get(event) ?? new Set()).add(id))
    return byEvent
  })
