import type { QuestionFacts, QuestionType } from '../../../server/domain/questions/questions.ts'

/** A question of the given type about product 1, optional and without limits. */
export function question(type: QuestionType, facts: Partial<QuestionFacts> = {}): QuestionFacts {
  return {
    id: 7,
    type,
    required: false,
    items: [1],
    ask_during_checkin: true,
    valid_number_min: null,
    valid_number_max: null,
    valid_date_min: null,
    valid_date_max: null,
    valid_datetime_min: null,
    valid_datetime_max: null,
    options: type === 'C' || type === 'M' ? meals : [],
    ...facts,
  }
}

const meals: QuestionFacts['options'] = [
  { id: 11, identifier: 'MEAT', answer: { en: 'Meat', de: 'Fleisch' } },
  { id: 12, identifier: 'FISH', answer: { en: 'Fish', de: 'Fisch' } },
  { id: 13, identifier: '11', answer: { en: 'None' } },
]

/** The name of an uploaded file. */
export const file = 'file:0f8fad5b-d9cb-469f-a165-70867728950e'

/** An answer as it is stored. */
export const text = (answer: string, ...options: readonly number[]) => ({ answer, options })

/** What a test is called that expects this answer, or a refusal with these words. */
export function outcome(expected: object | null | string): string {
  return typeof expected === 'string' ? `refused (${expected})` : JSON.stringify(expected)
}
