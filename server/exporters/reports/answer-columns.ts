import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { AskedQuestion, CatalogueWords } from '../format/event-catalogue.ts'
import { type Column, flagColumn, type TableCell, textColumn } from '../format/table.ts'

/** Columns for the answers to some questions, and the cells that a position's stored answers put there. */
interface AnswerColumns {
  readonly columns: readonly Column[]
  cells(stored: unknown): TableCell[]
}

/** A column for each question; for one with several answers, unless they are grouped, one for each option. */
export function answerColumns(
  words: readonly CatalogueWords[],
  isWished: (question: AskedQuestion) => boolean,
  isGrouped: boolean,
): AnswerColumns {
  const questions = words.flatMap((one) => one.questions.filter(isWished))
  const places = questions.flatMap((one): { question: AskedQuestion; option: number | null }[] =>
    one.type === 'M' && !isGrouped
      ? [...one.options.keys()].map((option) => ({ question: one, option }))
      : [{ question: one, option: null }],
  )
  const columns = places.map(({ question, option }) =>
    option === null
      ? textColumn(question.question)
      : flagColumn(`${question.question}: ${question.options.get(option) ?? ''}`),
  )
  const nothing = places.map(() => null)
  return {
    columns,
    cells(stored) {
      if (typeof stored !== 'string' || stored === '[]' || places.length === 0) return nothing
      const answers = new Map(
        (JSON.parse(stored) as StoredAnswer[]).map((answer) => [answer.question, answer]),
      )
      return places.map(({ question, option }) => {
        const answer = answers.get(question.id)
        if (!answer) return null
        return option === null ? answerText(question, answer) : answer.options.includes(option)
      })
    },
  }
}

/** An answer as it is read: options by what they are called today. */
export function answerText(question: AskedQuestion, answer: StoredAnswer): string {
  const chosen = answer.options.flatMap((id) => question.options.get(id) ?? [])
  if (chosen.length > 0) return chosen.join(', ')
  if (question.type === 'B') return answer.answer.toLowerCase() === 'true' ? 'Yes' : 'No'
  return answer.answer
}
