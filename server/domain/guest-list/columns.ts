import { cleanCell } from './text.ts'
import type { TitleMatch } from './titles.ts'
import { matchTitle } from './titles.ts'
import type { GuestField } from './words.ts'

/** One column of the file: its title as written, and what it is used for (null: it is not imported). */
interface Column {
  readonly title: string
  readonly field: GuestField | null
}

/** Several columns that could be the same thing; `used` is the one taken, null when a person has to decide. */
interface AmbiguousColumns {
  readonly field: GuestField
  readonly titles: readonly string[]
  readonly used: string | null
}

/** How the columns of a file are read. */
export interface ColumnPlan {
  /** The line with the titles; null in a file without. */
  readonly headerLine: number | null
  readonly columns: readonly Column[]
  /** Titles that are not imported. */
  readonly unmatched: readonly string[]
  readonly ambiguous: readonly AmbiguousColumns[]
  /** Why the file cannot be imported like this and what to do about it; null when it can. */
  readonly problem: { readonly reason: string; readonly next_step: string } | null
}

/** What a person decided about a column, by its title; null: do not import it. */
export type ColumnChoices = Readonly<Record<string, GuestField | null>>

/** Which field is called what in messages. */
export const fieldNames: Readonly<Record<GuestField, string>> = {
  given_name: 'first name',
  family_name: 'last name',
  full_name: 'name',
  email: 'e-mail address',
  product: 'ticket type',
  variation: 'variation',
  code: 'ticket code',
  quantity: 'number of tickets',
  order: 'order reference',
  company: 'company',
  phone: 'phone number',
  comment: 'comment',
}

/** By one of these a guest can be found at the door. */
const identifying: readonly GuestField[] = ['given_name', 'family_name', 'full_name', 'email', 'code']

/** Whether and how somebody is admitted depends on these, so two candidates are never resolved by guessing. */
const decisive: readonly GuestField[] = [...identifying, 'product', 'variation', 'quantity']

type Candidate = {
  readonly index: number
  readonly title: string
  readonly field: GuestField
  readonly rank: number
}

/** The plan for a file whose titles are these cells. Choices of a person go before what the titles say. */
export function planColumns(
  cells: readonly string[],
  line: number | null,
  choices: ColumnChoices = {},
): ColumnPlan {
  const shown = tellApart(cells.map(cleanCell))
  const candidates = findCandidates(shown, choices)
  const used = new Map<number, GuestField>()
  const ambiguous: AmbiguousColumns[] = []
  for (const field of new Set(candidates.map((candidate) => candidate.field))) {
    const rivals = candidates.filter((candidate) => candidate.field === field)
    const [first, ...others] = rivals.filter(
      ({ rank }) => rank === Math.max(...rivals.map((rival) => rival.rank)),
    )
    if (!first) continue
    const decided = others.length === 0 || !decisive.includes(field)
    if (decided) used.set(first.index, field)
    if (others.length === 0) continue
    ambiguous.push({
      field,
      titles: [first, ...others].map(({ title }) => title),
      used: decided ? first.title : null,
    })
  }
  const columns = shown.map((title, index) => ({ title, field: used.get(index) ?? null }))
  const doubtful = ambiguous.flatMap(({ titles }) => titles)
  const unmatched = columns.filter(
    ({ title, field }) => title !== '' && field === null && !doubtful.includes(title),
  )
  return {
    headerLine: line,
    columns,
    unmatched: unmatched.map(({ title }) => title),
    ambiguous,
    problem: findProblem(columns, ambiguous),
  }
}

/** Two columns with one title get a number, so that a choice can name either. */
function tellApart(shown: readonly string[]): string[] {
  return shown.map((title, index) => {
    const before = shown.slice(0, index).filter((other) => other === title).length
    return title === '' || before === 0 ? title : `${title} (${before + 1})`
  })
}

function findCandidates(shown: readonly string[], choices: ColumnChoices): Candidate[] {
  const matches = shown.map((title) =>
    title === '' || Object.hasOwn(choices, title) ? undefined : matchTitle(title),
  )
  const chosen = new Set(Object.values(choices))
  const found = shown.flatMap((title, index): Candidate[] => {
    const choice = Object.hasOwn(choices, title) ? choices[title] : undefined
    if (choice) return [{ index, title, field: choice, rank: 4 }]
    const match = matches[index]
    return match ? [{ index, title, field: settleName(match, matches, chosen), rank: match.rank }] : []
  })
  const rank = (field: GuestField) =>
    Math.max(-1, ...found.filter((one) => one.field === field).map((one) => one.rank))
  const parts = Math.max(rank('given_name'), rank('family_name'))
  return rank('full_name') > parts ? found.filter(({ field }) => !nameParts.includes(field)) : found
}

const nameParts: readonly GuestField[] = ['given_name', 'family_name']

/** A column "Name" beside a first name is the last name and the other way round; alone it is the whole name. */
function settleName(
  match: TitleMatch,
  all: readonly (TitleMatch | undefined)[],
  chosen: ReadonlySet<GuestField | null>,
): GuestField {
  if (match.meaning !== 'name') return match.meaning
  const has = (field: GuestField) => chosen.has(field) || all.some((other) => other?.meaning === field)
  if (has('given_name') === has('family_name')) return 'full_name'
  return has('given_name') ? 'family_name' : 'given_name'
}

function findProblem(
  columns: readonly Column[],
  ambiguous: readonly AmbiguousColumns[],
): ColumnPlan['problem'] {
  const undecided = ambiguous.find(({ used }) => used === null)
  if (undecided) {
    const names = undecided.titles.map((title) => `"${title}"`).join(', ')
    return {
      reason: `Several columns could be the ${fieldNames[undecided.field]}: ${names}.`,
      next_step: 'Say which of them it is, or delete or rename the others.',
    }
  }
  if (columns.some(({ field }) => field !== null && identifying.includes(field))) return null
  const names = columns.flatMap(({ title }) => (title === '' ? [] : [`"${title}"`])).join(', ')
  return {
    reason: `No column with a name, an e-mail address or a ticket code was found. The columns are: ${names}.`,
    next_step:
      'Give the columns titles in the first line, for example: First name, Last name, E-mail, Ticket, Code.',
  }
}
