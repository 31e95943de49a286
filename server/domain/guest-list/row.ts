import { codeProblem, longestText, nameParts, readQuantity, readText, withoutTextMark } from './cells.ts'
import type { ColumnPlan } from './columns.ts'
import { fieldNames } from './columns.ts'
import { readEmail } from './email.ts'
import type { CatalogueIndex } from './products.ts'
import { findProduct } from './products.ts'
import { cleanCell, cleanComment, looseKey } from './text.ts'
import { keysOf } from './titles.ts'
import type { GuestField } from './words.ts'
import { totalWords } from './words.ts'

/** One line of a list that names a guest: `quantity` tickets of one product. Names are the API's where it has one. */
export interface Guest {
  readonly line: number
  readonly attendee_name_parts: Readonly<Record<string, string>>
  readonly attendee_email: string | null
  readonly item: number
  readonly variation: number | null
  /** The code on a ticket that the guest already has; null: one is to be made. */
  readonly code: string | null
  readonly quantity: number
  readonly order: string | null
  readonly company: string | null
  readonly phone: string | null
  readonly comment: string | null
}

/** Something that a person has to correct. `column` is the title in the file; null: it is about the whole line. */
export interface GuestProblem {
  readonly line: number
  readonly column: string | null
  readonly message: string
}

/** What a line of a guest list turned out to be. */
export type GuestRow =
  | { readonly kind: 'guest'; readonly guest: Guest }
  | { readonly kind: 'problems'; readonly line: number; readonly problems: readonly GuestProblem[] }
  | { readonly kind: 'skipped'; readonly line: number; readonly because: 'empty' | 'totals' | 'titles' }

/** How long texts may be; both parts of a name together fit where whole names are stored. */
const longest: readonly (readonly [field: GuestField, characters: number])[] = [
  ['given_name', 120],
  ['family_name', 120],
  ['full_name', longestText],
  ['order', longestText],
  ['company', longestText],
  ['phone', 100],
]
const longestComment = 5000
const totals: ReadonlySet<string> = new Set(keysOf(totalWords))

/** Reads one line by the plan: a guest, or everything that is wrong with it, or nothing that concerns a guest. */
export function readGuestRow(
  plan: ColumnPlan,
  cells: readonly string[],
  line: number,
  index: CatalogueIndex,
): GuestRow {
  const shown = cells.map(cleanCell)
  const because = reasonToSkip(plan, shown)
  if (because) return { kind: 'skipped', line, because }
  const placeOf = (field: GuestField): number => plan.columns.findIndex((column) => column.field === field)
  const raw = (field: GuestField): string => cells[placeOf(field)] ?? ''
  const text = (field: GuestField): string => readText(shown[placeOf(field)] ?? '')

  const names = nameParts(text('given_name'), text('family_name'), text('full_name') || text('company'))
  const email = readEmail(text('email'))
  const quantity = readQuantity(text('quantity'))
  const product = findProduct(index, text('product'), text('variation'))
  const code = withoutTextMark(text('code'))
  const comment = cleanComment(raw('comment'))

  const found: readonly (readonly [GuestField | null, string | null])[] = [
    [null, shapeProblem(plan, shown)],
    ...longest.map(([field, most]) => [field, lengthProblem(field, text(field), most)] as const),
    ['comment', lengthProblem('comment', comment, longestComment)],
    ['email', email === undefined ? `"${text('email')}" is not an e-mail address.` : null],
    ['code', codeProblem(code, raw('code'), Number(quantity))],
    ['quantity', typeof quantity === 'string' ? quantity : null],
    'problem' in product ? [product.about, product.problem] : [null, null],
    [null, Object.keys(names).length === 0 && email === null && code === '' ? nobody : null],
  ]
  if ('problem' in product || typeof quantity === 'string' || found.some(([, message]) => message !== null)) {
    return {
      kind: 'problems',
      line,
      problems: found.flatMap(([field, message]) => toProblem(plan, line, field, message)),
    }
  }
  const guest: Guest = {
    line,
    attendee_name_parts: names,
    attendee_email: email ?? null,
    item: product.item,
    variation: product.variation,
    code: code || null,
    quantity,
    order: text('order') || null,
    company: text('company') || null,
    phone: withoutTextMark(text('phone')) || null,
    comment: comment || null,
  }
  return { kind: 'guest', guest }
}

const nobody = 'There is no name, no e-mail address and no ticket code, so nobody could find this guest.'

function toProblem(
  plan: ColumnPlan,
  line: number,
  field: GuestField | null,
  message: string | null,
): GuestProblem[] {
  if (message === null) return []
  const column = plan.columns.find((one) => field !== null && one.field === field)?.title ?? null
  return [{ line, column, message }]
}

function lengthProblem(field: GuestField, text: string, most: number): string | null {
  return text.length > most ? `The ${fieldNames[field]} is longer than ${most} characters.` : null
}

function shapeProblem(plan: ColumnPlan, shown: readonly string[]): string | null {
  if (shown.some((cell) => cell.includes('\ufffd')))
    return 'Some characters cannot be read. Save the file as UTF-8.'
  if (shown.slice(plan.columns.length).every((extra) => extra === '')) return null
  return `There are ${shown.length} cells, but only ${plan.columns.length} columns. Put a cell that contains the separator into quotation marks.`
}

/** Blank lines, lines that add up the list, and titles repeated further down (lists that were pasted together). */
function reasonToSkip(plan: ColumnPlan, shown: readonly string[]): 'empty' | 'totals' | 'titles' | undefined {
  const filled = shown.filter((text) => text !== '')
  if (filled.length === 0) return 'empty'
  const isTitle = (text: string, place: number) => text === plan.columns[place]?.title
  if (plan.headerLine !== null && shown.every((text, place) => text === '' || isTitle(text, place)))
    return 'titles'
  const words = filled.filter((text) => !/^[\p{Sc}\d.,' %-]+$/u.test(text))
  const [word = ''] = words
  return words.length === 1 && totals.has(looseKey(word.replaceAll(/\d/g, ''))) ? 'totals' : undefined
}
