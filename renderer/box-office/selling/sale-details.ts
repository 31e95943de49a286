import type { SaleCatalogue, SaleQuestion } from '../../../schema/bodies/sale-catalogue.ts'
import { type AnswerObjection, asSent, chosen, objectionTo } from '../../questions/answers.ts'
import {
  type BasketLine,
  type BasketPosition,
  basketPositions,
  emailOf,
  type TicketDetails,
} from './basket.ts'

/** What can be asked about whoever has a ticket. */
export const personFields = ['attendee_name', 'attendee_email', 'company'] as const

/** What is asked about a ticket or the buyer: a field that must be filled in, or a question. */
export type AskedField =
  | { readonly key: (typeof personFields)[number] | 'email' }
  | { readonly key: string; readonly question: SaleQuestion }

/** All that is asked about one ticket, or about the buyer. */
export interface AskedPage {
  /** The ticket, by its line and where it stands there; null for the buyer. */
  readonly ticket: { readonly line: string; readonly index: number } | null
  readonly position: Pick<BasketPosition, 'item' | 'variation'> | null
  readonly fields: readonly AskedField[]
  /** What was typed so far. */
  readonly details: TicketDetails
}

/** The positions of some lines, each with where it stands in its line and what was typed about it. */
function detailedPositions(lines: readonly BasketLine[]) {
  const byKey = new Map(lines.map((line) => [line.key, line]))
  const places = new Map<string, number>()
  return basketPositions(lines).map(({ line, position }) => {
    const index = places.get(line) ?? 0
    places.set(line, index + 1)
    return { ticket: { line, index }, position, details: byKey.get(line)?.details?.[index] ?? {} }
  })
}

/** What a till asks before it sells some lines: a page for each ticket that something is asked about, then the buyer's. */
export function askedPages(catalogue: SaleCatalogue | null, lines: readonly BasketLine[]): AskedPage[] {
  if (!catalogue || lines.length === 0) return []
  const tickets = detailedPositions(lines).map(({ ticket, position, details }) => {
    return { ticket, position, details, fields: fieldsOf(catalogue, position.item, details) }
  })
  const buyer = { ticket: null, position: null, details: { email: emailOf(lines) } }
  return [
    ...tickets.filter(({ fields }) => fields.length > 0),
    ...(catalogue.demands.email ? [{ ...buyer, fields: [{ key: 'email' as const }] }] : []),
  ]
}

function fieldsOf(
  { products, questions, demands }: SaleCatalogue,
  item: number,
  details: TicketDetails,
): AskedField[] {
  const known = [...products, ...products.flatMap(({ bundles }) => bundles)]
  const isPersonal = known.some(
    (one) => ('product' in one ? one.product : one.id) === item && one.personalized,
  )
  const asked = questions.filter(({ items }) => items.includes(item))
  return [
    ...personFields.filter((key) => isPersonal && demands[key]).map((key) => ({ key })),
    ...asked
      .filter((one) => isAsked(one, asked, details))
      .map((question) => ({ key: String(question.id), question })),
  ]
}

/** Whether a question is asked: it depends on no other one, or on what was answered to one that is asked itself. */
function isAsked(question: SaleQuestion, asked: readonly SaleQuestion[], details: TicketDetails): boolean {
  if (question.dependency_question === null) return true
  const parent = asked.find(({ id }) => id === question.dependency_question)
  if (!parent || !isAsked(parent, asked, details)) return false
  return valuesOf(parent, details[parent.id] ?? '').some((value) =>
    question.dependency_values.includes(value),
  )
}

/** An answer as other questions depend on it: True or False, or the identifiers of what was chosen. */
function valuesOf({ type, options }: SaleQuestion, text: string): string[] {
  if (type === 'B') return text === '' ? [] : [text === 'true' ? 'True' : 'False']
  const ids = chosen(text)
  return options.filter(({ id }) => ids.includes(String(id))).flatMap(({ identifier }) => identifier ?? [])
}

/** What an e-mail address looks like, as far as a till looks. */
export const writtenAddress = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** What is wrong with what was typed in a field, or null. */
export function objectionToField(field: AskedField, text: string, timeZone: string): AnswerObjection | null {
  if ('question' in field) return objectionTo(field.question, text, timeZone)
  if (text.trim() === '') return { key: 'answer.required' }
  const isAddress = field.key === 'email' || field.key === 'attendee_email'
  return isAddress && !writtenAddress.test(text.trim()) ? { key: 'answer.email' } : null
}

/** Whether a page holds back the sale: something is missing, or will not do. */
export const isOpenPage = ({ fields, details }: AskedPage, timeZone: string): boolean =>
  fields.some((field) => objectionToField(field, details[field.key] ?? '', timeZone) !== null)

/** The positions of an order for some lines, with what was answered to what is asked. */
export function answeredPositions(
  catalogue: SaleCatalogue | null,
  lines: readonly BasketLine[],
): (BasketPosition & AnsweredDetails)[] {
  return detailedPositions(lines).map(({ position, details }) => ({
    ...position,
    ...(catalogue ? answered(fieldsOf(catalogue, position.item, details), details) : {}),
  }))
}

/** What was typed about a ticket, as orders are created with it. */
export interface AnsweredDetails {
  readonly attendee_name?: string
  readonly attendee_email?: string
  readonly company?: string
  readonly answers?: readonly {
    readonly question: number
    readonly answer: string
    readonly options: readonly number[]
  }[]
}

function answered(fields: readonly AskedField[], details: TicketDetails): AnsweredDetails {
  const typed = fields.filter(({ key }) => (details[key] ?? '').trim() !== '')
  const answers = typed.flatMap((field) => {
    if (!('question' in field)) return []
    const { id, type } = field.question
    const text = asSent(field.question, details[field.key] ?? '')
    const isChoice = type === 'C' || type === 'M'
    return [{ question: id, answer: isChoice ? '' : text, options: isChoice ? chosen(text).map(Number) : [] }]
  })
  const person = typed.filter((field) => !('question' in field))
  return {
    ...Object.fromEntries(person.map(({ key }) => [key, (details[key] ?? '').trim()])),
    ...(answers.length > 0 ? { answers } : {}),
  }
}
