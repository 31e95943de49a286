import { countryCodes } from '../../../schema/countries.ts'
import { canonicalInstant, microsecondsOf } from '../../../schema/instants.ts'
import type { ServerTextKey } from '../../../schema/texts/server.ts'
import { inLanguage } from '../text/multilingual.ts'
import { localDateTime, offsetAt, toInstant } from '../text/time.ts'
import { readNumber } from '../text/typed-numbers.ts'
import { readDate, readDateTime, readTime } from '../text/typed-times.ts'
import type { OptionFacts, ParsedAnswer, QuestionFacts } from './questions.ts'

/** What can be wrong with an answer: each is said by the text of that name. */
export type Fault = NameIn<ServerTextKey>

type NameIn<Key> = Key extends `answer.${infer Name}` ? Name : never

/** What an answer given at check-in says: the answer, `null` for nothing, or what is wrong with it. */
export function readAnswer(
  question: QuestionFacts,
  raw: unknown,
  timezone: string,
  locale: string,
): ParsedAnswer | null | Fault {
  if (question.type === 'B') return readBoolean(question, raw)
  if (isNothing(raw)) return question.required ? 'required' : null
  if (question.type === 'M') return readChoices(question, raw, locale)
  if (!isTyped(raw)) return 'text'
  const text = String(raw)
  switch (question.type) {
    case 'C':
      return readChoice(question, text, locale)
    case 'N':
      return readBoundedNumber(question, text, locale)
    case 'D':
      return readBoundedDate(question, text)
    case 'H':
      return plain(readTime(text), 'time')
    case 'W':
      return readBoundedDateTime(question, text, timezone)
    case 'CC':
      return plain(countryCodes.has(text.toUpperCase()) ? text : undefined, 'country')
    case 'F':
      return plain(isUploadedFile(text) ? text : undefined, 'file')
    case 'S':
    case 'T':
    case 'TEL':
      return readText(question, text)
  }
}

/** Whether a text names a file that was uploaded before. */
export function isUploadedFile(text: string): boolean {
  return /^file:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
}

/** The texts of the chosen options, in the question's order, with their ids. */
export function joinOptions(options: readonly OptionFacts[], locale: string): ParsedAnswer {
  return {
    answer: options.map((option) => inLanguage(option.answer, locale)).join(', '),
    options: options.map(({ id }) => id),
  }
}

/** An instant as it is stored in an answer: as read in the event's zone, with the offset. */
export function spellDateTime(instant: string, timezone: string): string {
  return `${localDateTime(instant, timezone)}${offsetAt(instant, timezone)}`
}

/** Objects are never turned into text: JSON can have one that cannot be. */
function isTyped(raw: unknown): raw is string | number {
  return typeof raw === 'string' || typeof raw === 'number'
}

function isNothing(raw: unknown): boolean {
  if (Array.isArray(raw)) return raw.length === 0
  return raw === null || raw === undefined || (typeof raw === 'string' && raw.trim() === '')
}

function plain(answer: string | undefined, fault: Fault): ParsedAnswer | Fault {
  return answer === undefined ? fault : { answer, options: [] }
}

function readBoolean({ required }: QuestionFacts, raw: unknown): ParsedAnswer | Fault {
  const yes = raw === true || raw === 'true' || raw === 'True'
  if (required && !yes) return 'required'
  return { answer: yes ? 'True' : 'False', options: [] }
}

function findOption({ options }: QuestionFacts, text: string): OptionFacts | undefined {
  const id = /^\d+$/.test(text) ? Number(text) : undefined
  return options.find((option) => option.id === id) ?? options.find((option) => option.identifier === text)
}

function readChoice(question: QuestionFacts, text: string, locale: string): ParsedAnswer | Fault {
  const option = findOption(question, text.trim())
  return option === undefined ? 'option' : joinOptions([option], locale)
}

/** Every part must name an option of its own: naming one twice is more likely a mistake than meant. */
function readChoices(question: QuestionFacts, raw: unknown, locale: string): ParsedAnswer | Fault {
  const parts: readonly unknown[] =
    typeof raw === 'string' ? raw.split(',') : Array.isArray(raw) ? raw : [raw]
  const chosen = new Set(
    parts.map((part) => (isTyped(part) ? findOption(question, String(part).trim()) : undefined)),
  )
  if (chosen.has(undefined) || chosen.size !== parts.length) return 'option'
  return joinOptions(
    question.options.filter((option) => chosen.has(option)),
    locale,
  )
}

function readBoundedNumber(
  { valid_number_min, valid_number_max }: QuestionFacts,
  text: string,
  locale: string,
): ParsedAnswer | Fault {
  const number = readNumber(text, locale)
  if (number === undefined) return 'number'
  if (valid_number_min !== null && Number(number) < Number(valid_number_min)) return 'tooLow'
  if (valid_number_max !== null && Number(number) > Number(valid_number_max)) return 'tooHigh'
  return { answer: number, options: [] }
}

function readBoundedDate(
  { valid_date_min, valid_date_max }: QuestionFacts,
  text: string,
): ParsedAnswer | Fault {
  const date = readDate(text)
  if (date === undefined) return 'date'
  if (valid_date_min !== null && date < valid_date_min) return 'tooEarly'
  if (valid_date_max !== null && date > valid_date_max) return 'tooLate'
  return { answer: date, options: [] }
}

function readBoundedDateTime(
  { valid_datetime_min, valid_datetime_max }: QuestionFacts,
  text: string,
  timezone: string,
): ParsedAnswer | Fault {
  const clock = readDateTime(text)
  const instant =
    canonicalInstant(text.trim()) ?? (clock === undefined ? undefined : toInstant(clock, timezone))
  if (instant === undefined) return 'datetime'
  const moment = microsecondsOf(instant)
  if (valid_datetime_min !== null && moment < microsecondsOf(valid_datetime_min)) return 'tooEarly'
  if (valid_datetime_max !== null && moment > microsecondsOf(valid_datetime_max)) return 'tooLate'
  return { answer: spellDateTime(instant, timezone), options: [] }
}

function readText({ valid_string_length_max }: QuestionFacts, text: string): ParsedAnswer | Fault {
  const limit = valid_string_length_max ?? Number.POSITIVE_INFINITY
  return [...text].length > limit ? 'tooLong' : { answer: text, options: [] }
}
