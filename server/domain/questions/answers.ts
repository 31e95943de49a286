import { countryCodes } from '../../../schema/countries.ts'
import { canonicalInstant } from '../../../schema/instants.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { toInstant } from '../text/time.ts'
import { readPlainNumber } from '../text/typed-numbers.ts'
import { readDate, readDateTime, readTime } from '../text/typed-times.ts'
import { type Fault, isUploadedFile, joinOptions, readAnswer, spellDateTime } from './answer-values.ts'
import type { AnswerVerdict, ParsedAnswer, QuestionFacts } from './questions.ts'

/**
 * Reads an answer given at check-in, leniently: people type it at a door. Choices are given as option ids or
 * identifiers, several as a list or separated by commas. `null` is the valid answer nothing, which deletes a stored
 * one; the answer nothing to a yes/no question is no. The message of a refusal is in the given language.
 */
export function parseAnswer(
  question: QuestionFacts,
  raw: unknown,
  timezone: string,
  locale: string,
): AnswerVerdict<ParsedAnswer | null> {
  const read = readAnswer(question, raw, timezone, locale)
  return typeof read === 'string'
    ? { ok: false, message: serverTranslator(locale)(`answer.${read}`) }
    : { ok: true, value: read }
}

/**
 * Looks at the questions that are asked about a product at check-in: the valid ones of the given answers, which are
 * keyed by question id, and the ids of the questions still open. Open is what has neither a stored answer nor a valid
 * given one, required or not, and what was given an invalid answer, so that it is asked again.
 */
export function judgeAnswers(
  questions: readonly QuestionFacts[],
  answers: {
    /** The product of the ticket. */
    readonly item: number
    /** The questions that have a stored answer. */
    readonly stored: ReadonlySet<number>
    readonly given: Readonly<Record<string, unknown>>
  },
  { timezone, locale }: { readonly timezone: string; readonly locale: string },
): { valid: ReadonlyMap<number, ParsedAnswer | null>; missing: readonly number[] } {
  const { item, stored, given } = answers
  const asked = questions.filter((question) => question.ask_during_checkin && question.items.includes(item))
  const valid = new Map<number, ParsedAnswer | null>()
  const missing: number[] = []
  for (const question of asked) {
    const key = String(question.id)
    if (!Object.hasOwn(given, key)) {
      if (!stored.has(question.id)) missing.push(question.id)
      continue
    }
    const verdict = parseAnswer(question, given[key], timezone, locale)
    if (verdict.ok) valid.set(question.id, verdict.value)
    else missing.push(question.id)
  }
  return { valid, missing }
}

/** An answer as it stands in an order or a cart: choices by option id, everything else as text. */
interface OrderAnswer {
  readonly answer?: unknown
  readonly options?: readonly number[]
}

/**
 * Reads an answer of an order or a cart position, strictly: machines send it. Choices need `options` and get their
 * text from them, everything else must not have any. Limits of the question are not tested here, because whoever may
 * write an order may also overrule them. The message of a refusal is in the given language.
 */
export function parseOrderAnswer(
  question: QuestionFacts,
  input: OrderAnswer,
  timezone: string,
  locale: string,
): AnswerVerdict<ParsedAnswer> {
  const choices = question.type === 'C' || question.type === 'M'
  const read = choices ? readOptions(question, input, locale) : readOrderText(question, input, timezone)
  return typeof read === 'string'
    ? { ok: false, message: serverTranslator(locale)(`answer.${read}`) }
    : { ok: true, value: read }
}

function readOptions(
  question: QuestionFacts,
  { options = [] }: OrderAnswer,
  locale: string,
): ParsedAnswer | Fault {
  const chosen = new Set(options)
  if (chosen.size === 0) return 'optionMissing'
  if (question.type === 'C' && chosen.size > 1) return 'oneOption'
  const found = question.options.filter(({ id }) => chosen.has(id))
  return found.length < chosen.size ? 'optionForeign' : joinOptions(found, locale)
}

function readOrderText(
  { type }: QuestionFacts,
  { answer, options = [] }: OrderAnswer,
  timezone: string,
): ParsedAnswer | Fault {
  if (options.length > 0) return 'optionUnwanted'
  const text = typeof answer === 'number' || typeof answer === 'boolean' ? String(answer) : answer
  if (text === undefined || text === null || text === '') return 'required'
  if (typeof text !== 'string') return 'text'
  const read = readStrictly(type, text, timezone)
  return typeof read === 'string' ? { answer: read, options: [] } : read.fault
}

/** The text to be stored for one that is spelled exactly as the interface asks. */
function readStrictly(
  type: QuestionFacts['type'],
  text: string,
  timezone: string,
): string | { fault: Fault } {
  switch (type) {
    case 'B':
      if (/^(true|True|TRUE|1)$/.test(text)) return 'True'
      return /^(false|False|FALSE|0)$/.test(text) ? 'False' : { fault: 'boolean' }
    case 'N':
      return readLimitedNumber(text)
    case 'D':
      return (/^\d{4}-\d\d-\d\d$/.test(text) && readDate(text)) || { fault: 'date' }
    case 'H':
      return (/^\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) && readTime(text)) || { fault: 'time' }
    case 'W': {
      const instant = canonicalInstant(text) ?? readLocalDateTime(text, timezone)
      return instant === undefined ? { fault: 'datetime' } : spellDateTime(instant, timezone)
    }
    case 'CC':
      return countryCodes.has(text.toUpperCase()) ? text : { fault: 'country' }
    case 'F':
      return isUploadedFile(text) ? text : { fault: 'file' }
    default:
      return text
  }
}

/** At most 50 digits, 25 of them decimals. */
function readLimitedNumber(text: string): string | { fault: Fault } {
  const number = readPlainNumber(text)
  if (number === undefined) return { fault: 'number' }
  const [whole = '', decimals = ''] = number.replace('-', '').split('.')
  return decimals.length > 25 || whole.length + decimals.length > 50 ? { fault: 'tooManyDigits' } : number
}

function readLocalDateTime(text: string, timezone: string): string | undefined {
  const clock = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/.test(text) ? readDateTime(text) : undefined
  return clock === undefined ? undefined : toInstant(clock, timezone)
}
