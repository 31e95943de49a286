import sql, { bulk, join } from 'sql-template-tag'
import type { Queryable } from '../../storage/database.ts'

/** A position whose questions are answered. */
interface AnsweredPosition {
  readonly organizer: number
  readonly position: number
}

/** Notes when questions of a ticket were answered, or their answers taken back. */
export async function noteAnswerTimes(
  tx: Queryable,
  { organizer, position }: AnsweredPosition,
  questions: readonly number[],
  at: string,
): Promise<void> {
  if (questions.length === 0) return
  const each = [...new Set(questions)]
  await tx.run(
    sql`INSERT INTO answer_time (organizer, "position", question, at)
        VALUES ${bulk(each.map((question) => [organizer, position, question, at]))}
        ON CONFLICT (organizer, "position", question) DO UPDATE SET at = excluded.at`,
  )
}

/** Those of some questions of a ticket that were not answered later than at a moment. */
export async function notAnsweredSince(
  tx: Queryable,
  { organizer, position }: AnsweredPosition,
  questions: readonly number[],
  at: string,
): Promise<ReadonlySet<number>> {
  if (questions.length === 0) return new Set()
  const newer = await tx.all<{ question: number }>(
    sql`SELECT question FROM answer_time WHERE organizer = ${organizer} AND "position" = ${position}
        AND question IN (${join([...questions])}) AND at > ${at}`,
  )
  const known = new Set(newer.map(({ question }) => question))
  return new Set(questions.filter((question) => !known.has(question)))
}
