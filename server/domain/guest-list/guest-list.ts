import { createHash } from 'node:crypto'
import type { Encoding } from './bytes.ts'
import { decodeGuestList } from './bytes.ts'
import { ticketCodes } from './cells.ts'
import type { ColumnChoices, ColumnPlan } from './columns.ts'
import { findLayout } from './layout.ts'
import type { CatalogueIndex, ProductCatalogue } from './products.ts'
import { indexCatalogue } from './products.ts'
import type { Guest, GuestRow } from './row.ts'
import { readGuestRow } from './row.ts'
import type { ListRow } from './rows.ts'
import { readRows } from './rows.ts'
import { looseKey } from './text.ts'

/** One line of a list that was read: a guest with the key that a second import recognises, or why there is none. */
export type GuestEntry =
  | Exclude<GuestRow, { kind: 'guest' }>
  | { readonly kind: 'guest'; readonly guest: Guest; readonly key: string }

/** A guest list that was opened: what was understood, and its entries. */
export interface GuestList {
  readonly encoding: Encoding
  /** True when the encoding is a guess, so that somebody should look at the umlauts. */
  readonly guessed: boolean
  readonly delimiter: string
  /** Lines in the file, for progress: an entry's line divided by this. */
  readonly lines: number
  readonly plan: ColumnPlan
  /** Reads the rows one after the other, anew at each call; nothing when the plan has a problem. */
  readonly entries: () => Generator<GuestEntry>
}

/** A file that is no guest list at all: why, and what to do. */
export interface Unreadable {
  readonly problem: string
}

/** Opens a guest list as organizers send it. Nothing is read beyond the titles until the entries are asked for. */
export function openGuestList(
  bytes: Uint8Array,
  catalogue: ProductCatalogue,
  choices: ColumnChoices = {},
): GuestList | Unreadable {
  const { text, encoding, guessed, problem } = decodeGuestList(bytes)
  if (problem !== null) return { problem }
  const { delimiter, body, firstLine, plan: found } = findLayout(text, choices)
  const plan = withTickets(found, catalogue)
  const index = indexCatalogue(catalogue)
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
  const entries = () => readEntries(plan.problem ? [] : readRows(body, delimiter, firstLine), plan, index)
  return { encoding, guessed, delimiter, lines, plan, entries }
}

/** Without a column for the ticket type there must be no choice of product. */
function withTickets(plan: ColumnPlan, { items, defaultItem }: ProductCatalogue): ColumnPlan {
  const named = plan.columns.some(({ field }) => field === 'product' || field === 'variation')
  if (plan.problem || named || defaultItem !== null || items.length === 1) return plan
  const reason = 'No column says which ticket a guest gets.'
  const next_step = 'Choose one ticket type for the whole list, or add a column with the title "Ticket".'
  return { ...plan, problem: { reason, next_step } }
}

function* readEntries(
  rows: Iterable<ListRow>,
  plan: ColumnPlan,
  index: CatalogueIndex,
): Generator<GuestEntry> {
  const codes = new Map<string, number>()
  const seen = new Map<string, number>()
  for (const row of rows) {
    if (row.line <= (plan.headerLine ?? 0)) continue
    const read = readRow(row, plan, index)
    if (read.kind !== 'guest') {
      yield read
      continue
    }
    const twice = findKnownCode(read.guest, codes)
    yield twice === undefined
      ? withKey(read.guest, seen)
      : codeIsTaken(read.guest, plan, twice, codes.get(twice))
  }
}

function readRow({ line, cells, problem }: ListRow, plan: ColumnPlan, index: CatalogueIndex): GuestRow {
  if (problem === null) return readGuestRow(plan, cells, line, index)
  return { kind: 'problems', line, problems: [{ line, column: null, message: problem }] }
}

/** The code of a guest that an earlier line has; when there is none, the guest's codes are remembered. */
function findKnownCode(guest: Guest, codes: Map<string, number>): string | undefined {
  if (guest.code === null) return undefined
  const own = ticketCodes(guest.code, guest.quantity).filter((code) => code !== null)
  const known = own.find((code) => codes.has(code))
  if (known === undefined) for (const code of own) codes.set(code, guest.line)
  return known
}

function codeIsTaken({ line }: Guest, plan: ColumnPlan, code: string, first: number | undefined): GuestEntry {
  const column = plan.columns.find(({ field }) => field === 'code')?.title ?? null
  const message = `The code "${code}" is already in line ${first}. Two tickets cannot have the same code.`
  return { kind: 'problems', line, problems: [{ line, column, message }] }
}

function withKey(guest: Guest, seen: Map<string, number>): GuestEntry {
  const first = guestKey(guest, 1)
  const occurrence = (seen.get(first) ?? 0) + 1
  seen.set(first, occurrence)
  return { kind: 'guest', guest, key: occurrence === 1 ? first : guestKey(guest, occurrence) }
}

/**
 * What recognises a guest when the same file is imported again: the code where there is one, else name, e-mail,
 * product and order reference, and the how-many-th such line it is (`occurrence`, from 1). Names and addresses are
 * compared without case, accents and spaces and kept only as a hash (SHA-256), so the key tells nothing about anybody.
 */
export function guestKey(guest: Guest, occurrence: number): string {
  if (guest.code !== null) return `code:${guest.code}`
  const { given_name = '', family_name = '', full_name = '' } = guest.attendee_name_parts
  const name = looseKey(`${given_name}${family_name}${full_name}`)
  const email = guest.attendee_email?.toLowerCase() ?? ''
  const order = looseKey(guest.order ?? '')
  const parts = JSON.stringify([name, email, guest.item, guest.variation, order, occurrence])
  return `line:${createHash('sha256').update(parts).digest('base64url')}`
}
