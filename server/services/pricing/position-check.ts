import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { parseOrderAnswer } from '../../domain/questions/answers.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { type Attempt, attempt, goodRows } from '../input/attempts.ts'
import { type ItemFacts, isDisabledOn, type OrderCatalogue } from './order-catalogue.ts'
import type { OrderScope } from './order-draft.ts'
import type { AnswerInput } from './position-input.ts'

/** What a position is for. */
interface Choice {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
}

const unknownId = (id: number): string[] => [`Invalid pk "${id}" - object does not exist.`]

/** The item that a position is for, where everything about the choice is right; else throws 400. */
export function checkChoice(
  catalogue: OrderCatalogue,
  at: OrderScope,
  choice: Choice,
  force: boolean,
): ItemFacts {
  const item = catalogue.items.get(choice.item)
  if (!item) throw invalid({ item: unknownId(choice.item), ...dateProblems(catalogue, at, choice) })
  const errors: FieldErrors = { ...variationProblems(item, choice), ...dateProblems(catalogue, at, choice) }
  if (!item.active) errors.item = ['This product is not sold any more.']
  else if (!force && isDisabledOn(catalogue, item.id, choice.variation, choice.subevent))
    errors.item = ['This product is not sold on this date.']
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return item
}

function variationProblems(item: ItemFacts, { variation }: Choice): FieldErrors {
  if (variation === null)
    return item.variations.length === 0 ? {} : { variation: ['Choose a variation of this product.'] }
  if (item.variations.length === 0) return { variation: ['This product has no variations.'] }
  return item.variations.some((one) => one.id === variation)
    ? {}
    : { variation: ['This variation does not belong to this product.'] }
}

function dateProblems(
  { subevents }: OrderCatalogue,
  { event }: OrderScope,
  { subevent }: Choice,
): FieldErrors {
  if (!event.hasSubevents)
    return subevent === null ? {} : { subevent: ['This event has no dates to choose from.'] }
  if (subevent === null) return { subevent: ['Choose a date of the series.'] }
  return subevents.has(subevent) ? {} : { subevent: unknownId(subevent) }
}

/** The answers of a position as they are stored; throws 400 aligned with the answers given. */
export function checkAnswers(
  catalogue: OrderCatalogue,
  at: OrderScope,
  answers: readonly AnswerInput[],
): StoredAnswer[] {
  const seen = new Set<number>()
  const attempts = answers.map(
    (answer): Attempt<StoredAnswer> =>
      attempt(() => {
        if (seen.has(answer.question)) throw invalid({ question: ['This question is answered twice.'] })
        seen.add(answer.question)
        return checkAnswer(catalogue, at, answer)
      }),
  )
  return goodRows('answers', attempts).sort((a, b) => a.question - b.question)
}

function checkAnswer(
  { questions, files }: OrderCatalogue,
  { event }: OrderScope,
  answer: AnswerInput,
): StoredAnswer {
  const question = questions.get(answer.question)
  if (!question) throw invalid({ question: unknownId(answer.question) })
  const verdict = parseOrderAnswer(question, answer, event.timezone, event.locale)
  if (verdict.ok && question.type === 'F' && !files.has(verdict.value.answer))
    throw invalid({ answer: [serverTranslator(event.locale)('answer.file')] })
  if (verdict.ok) return { question: question.id, ...verdict.value }
  const choices = question.type === 'C' || question.type === 'M' || answer.options.length > 0
  throw invalid({ [choices ? 'options' : 'answer']: [verdict.message] })
}
