import sql from 'sql-template-tag'
import { inLanguage } from '../../domain/text/multilingual.ts'
import { nameSchemes } from '../../domain/text/names.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'
import { type LocalClock, localClock } from './local-clock.ts'

/** A date of a series, its times by the clocks there. */
interface DateWords {
  readonly name: string
  readonly from: string | null
  readonly to: string | null
}

/** A question with its options, in the language of the event. */
export interface AskedQuestion {
  readonly id: number
  readonly identifier: string
  readonly question: string
  readonly type: string
  readonly options: ReadonlyMap<number, string>
}

/** What an event calls its things, in its language. */
export interface CatalogueWords {
  readonly event: EventFacts
  readonly clock: LocalClock
  readonly items: ReadonlyMap<unknown, string>
  readonly variations: ReadonlyMap<unknown, string>
  readonly taxRules: ReadonlyMap<unknown, string>
  readonly dates: ReadonlyMap<unknown, DateWords>
  /** By their order on a form. */
  readonly questions: readonly AskedQuestion[]
  /** The parts of a name that have a column of their own: none where a name has one part only. */
  readonly nameParts: readonly string[]
}

interface Named {
  readonly id: number
  readonly name: string
}

/** Loads what an event calls its things; as much as there are things, not tickets. */
export async function wordsOf(db: Queryable, organizer: number, event: EventFacts): Promise<CatalogueWords> {
  const at = sql`organizer = ${organizer} AND event = ${event.id}`
  const said = (text: string | null): string => (text ? inLanguage(JSON.parse(text), event.locale) : '')
  const byId = (rows: readonly Named[]): ReadonlyMap<unknown, string> =>
    new Map(rows.map(({ id, name }) => [id, said(name)]))
  const clock = localClock(event.timezone)
  const dates = await db.all<Named & { date_from: string; date_to: string | null }>(
    sql`SELECT id, name, date_from, date_to FROM subevent WHERE ${at}`,
  )
  const questions = await db.all<{ id: number; identifier: string; question: string; type: string }>(
    sql`SELECT id, identifier, question, "type" AS type FROM question WHERE ${at} ORDER BY "position", id`,
  )
  const options = await db.all<{ id: number; question: number; answer: string }>(
    sql`SELECT id, question, answer FROM question_option WHERE ${at} ORDER BY "position", id`,
  )
  const parts = nameSchemes[event.nameScheme]?.parts ?? []
  return {
    event,
    clock,
    items: byId(await db.all<Named>(sql`SELECT id, name FROM item WHERE ${at}`)),
    variations: byId(await db.all<Named>(sql`SELECT id, value AS name FROM variation WHERE ${at}`)),
    taxRules: byId(await db.all<Named>(sql`SELECT id, name FROM tax_rule WHERE ${at}`)),
    dates: new Map(
      dates.map(({ id, name, date_from, date_to }) => [
        id,
        { name: said(name), from: clock(date_from), to: clock(date_to) },
      ]),
    ),
    questions: questions.map((one) => ({
      ...one,
      question: said(one.question),
      options: new Map(
        options.filter(({ question }) => question === one.id).map(({ id, answer }) => [id, said(answer)]),
      ),
    })),
    nameParts: parts.length > 1 ? parts : [],
  }
}

/** Loads the words of all events of a run. */
export async function wordsOfAll(
  db: Queryable,
  organizer: number,
  events: readonly EventFacts[],
): Promise<readonly CatalogueWords[]> {
  const all: CatalogueWords[] = []
  for (const event of events) all.push(await wordsOf(db, organizer, event))
  return all
}
