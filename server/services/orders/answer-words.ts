import sql from 'sql-template-tag'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import type { QuestionFacts } from '../../domain/questions/questions.ts'
import { countryName, inLanguage } from '../../domain/text/multilingual.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'
import { inWords } from './ticket-print.ts'

/** A question as its answers are printed: `options` are the texts of its options by their ids, in their order. */
export type PrintedQuestion = Pick<QuestionFacts, 'id' | 'type'> & {
  readonly identifier: string
  readonly options: ReadonlyMap<number, Readonly<Record<string, string>>>
}

/** All questions of an event. */
export async function printedQuestions(
  db: Queryable,
  organizer: number,
  event: number,
): Promise<readonly PrintedQuestion[]> {
  const at = sql`organizer = ${organizer} AND event = ${event}`
  const questions = await db.all<Omit<PrintedQuestion, 'options'>>(
    sql`SELECT id, identifier, type FROM question WHERE ${at} ORDER BY id`,
  )
  const options = await db.all<{ id: number; question: number; answer: string }>(
    sql`SELECT id, question, answer FROM question_option WHERE ${at} ORDER BY "position", id`,
  )
  return questions.map((one) => ({
    ...one,
    options: new Map(
      options.filter(({ question }) => question === one.id).map(({ id, answer }) => [id, JSON.parse(answer)]),
    ),
  }))
}

/** What was answered to a question, as it is printed in a language. */
export function answerWords(
  { type, options }: PrintedQuestion,
  { answer, options: chosen }: StoredAnswer,
  { timezone }: Pick<EventFacts, 'timezone'>,
  locale: string,
): string {
  /** A moment in words; what is none is printed as it is. */
  const moment = (instant: string, zone: string, style: Parameters<typeof inWords>[3]): string =>
    Number.isNaN(Date.parse(instant)) ? answer : inWords(instant, zone, locale, style)
  switch (type) {
    case 'B':
      return answer === 'True' || answer === 'False'
        ? serverTranslator(locale)(answer === 'True' ? 'ticket.yes' : 'ticket.no')
        : answer
    case 'C':
    case 'M': {
      const texts = [...options].filter(([id]) => chosen.includes(id))
      return texts.length > 0 ? texts.map(([, text]) => inLanguage(text, locale)).join(', ') : answer
    }
    case 'D':
      return moment(`${answer}T00:00:00Z`, 'UTC', { dateStyle: 'short' })
    case 'H':
      return moment(`2000-01-01T${answer}Z`, 'UTC', { timeStyle: 'short' })
    case 'W':
      return moment(answer, timezone, { dateStyle: 'short', timeStyle: 'short' })
    case 'CC':
      return countryName(answer, locale)
    default:
      return answer
  }
}
