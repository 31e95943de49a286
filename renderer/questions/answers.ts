import type { CheckinQuestion } from '../../schema/bodies/scan-result.ts'
import { countryCodes } from '../../schema/countries.ts'
import type { TextKey } from '../text/translate.ts'

/** Why an answer cannot be sent yet. */
export interface AnswerObjection {
  readonly key: Extract<TextKey, `answer.${string}`>
  /** What the answer may be at most, at least and so on. */
  readonly limit?: string
}

const number = /^[+-]?\d{1,20}([.,]\d{1,20})?$/

/** What is wrong with an answer, as far as it can be known without the server; null when nothing is. Times are those of a zone. */
export function objectionTo(
  question: CheckinQuestion,
  text: string,
  timeZone: string,
): AnswerObjection | null {
  if (text.trim() === '') {
    if (!question.required) return null
    return { key: question.type === 'F' ? 'answer.no-files-required' : 'answer.required' }
  }
  switch (question.type) {
    case 'N':
      return number.test(text.trim())
        ? outside(question, Number(asSent(question, text)))
        : { key: 'answer.number' }
    case 'B':
      return question.required && text !== 'true' ? { key: 'answer.must-agree' } : null
    case 'D':
      return tooEarlyOrLate(text, question.valid_date_min, question.valid_date_max)
    case 'W':
      return tooEarlyOrLate(
        text,
        localMoment(question.valid_datetime_min, timeZone),
        localMoment(question.valid_datetime_max, timeZone),
      )
    case 'CC':
      return countryCodes.has(text) ? null : { key: 'answer.country' }
    case 'TEL':
      return text.replaceAll(/\D/g, '').length >= 5 ? null : { key: 'answer.phone' }
    case 'S':
    case 'T':
      return tooLong(text, question.valid_string_length_max)
    default:
      return null
  }
}

function outside(question: CheckinQuestion, value: number): AnswerObjection | null {
  const { valid_number_min: min, valid_number_max: max } = question
  if (min != null && value < Number(min)) return { key: 'answer.at-least', limit: trimmed(min) }
  if (max != null && value > Number(max)) return { key: 'answer.at-most', limit: trimmed(max) }
  return null
}

function tooEarlyOrLate(text: string, min?: string | null, max?: string | null): AnswerObjection | null {
  if (min && text < min) return { key: 'answer.not-before', limit: min.replace('T', ' ') }
  if (max && text > max) return { key: 'answer.not-after', limit: max.replace('T', ' ') }
  return null
}

/** A moment as the clock of a zone shows it, in the form in which one is typed. */
function localMoment(moment: string | null | undefined, timeZone: string): string | null {
  if (!moment) return null
  const shown = new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return shown.format(new Date(moment)).replace(' ', 'T')
}

function tooLong(text: string, limit?: number | null): AnswerObjection | null {
  return limit && text.length > limit ? { key: 'answer.too-long', limit: String(limit) } : null
}

const trimmed = (decimal: string): string => String(Number(decimal))

/** An answer in the form that the server reads. */
export const asSent = (question: CheckinQuestion, text: string): string =>
  question.type === 'N' ? text.trim().replace(',', '.') : text.trim()

/** The chosen options of a multiple choice, from its answer. */
export const chosen = (text: string): readonly string[] => text.split(',').filter((id) => id !== '')

/** The answer of a multiple choice with one option added or taken off, in the order of the options. */
export function toggled(question: CheckinQuestion, text: string, id: string): string {
  const before = chosen(text)
  const after = before.includes(id) ? before.filter((each) => each !== id) : [...before, id]
  return question.options
    .map((option) => String(option.id))
    .filter((each) => after.includes(each))
    .join(',')
}

/** The answers to all the questions asked, skipped ones empty. */
export const allAnswers = (
  questions: readonly CheckinQuestion[],
  drafts: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(questions.map((each) => [String(each.id), asSent(each, drafts[each.id] ?? '')]))

/** The questions in the order they are asked. */
export const inOrder = (questions: readonly CheckinQuestion[]): readonly CheckinQuestion[] =>
  questions.toSorted((a, b) => a.position - b.position || a.id - b.id)

/** Countries with their names in a language, sorted as that language sorts. */
export function countryNames(language: string): readonly { readonly code: string; readonly name: string }[] {
  const names = new Intl.DisplayNames(language, { type: 'region' })
  return [...countryCodes]
    .map((code) => ({ code, name: names.of(code) ?? code }))
    .toSorted((a, b) => a.name.localeCompare(b.name, language))
}
