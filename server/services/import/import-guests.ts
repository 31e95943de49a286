import sql from 'sql-template-tag'
import type { GuestList } from '../../domain/guest-list/guest-list.ts'
import type { Guest, GuestProblem } from '../../domain/guest-list/row.ts'
import type { Place, Transactions } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import {
  type GuestsAt,
  type KeyedGuest,
  sortGuests,
  type TakenCode,
  type WrittenGuests,
  writeGuests,
} from './imported-guests.ts'

/** What an import did, or would do. */
export interface ImportReport {
  /** Rows that became orders, and the tickets in them. */
  readonly guests: number
  readonly tickets: number
  /** Rows that an earlier import has brought. */
  readonly unchanged: number
  /** Empty rows, totals and titles. */
  readonly skipped: number
  /** Everything that a person has to correct, by line. */
  readonly problems: readonly GuestProblem[]
  /** Whether nothing was written because of the problems. */
  readonly refused: boolean
  /** The first rows, to look at before anything is written. */
  readonly preview: readonly Guest[]
}

/** Tells how far an import is. */
export type ImportProgress = (step: 'reading' | 'writing', done: number, total: number) => void

/** How a list is imported. */
export interface ImportOptions {
  /** `look` writes nothing; `strict` writes nothing if any row has a problem. */
  readonly mode: 'import' | 'strict' | 'look'
  readonly progress: ImportProgress
  /** Waited for after each transaction; `others` tells whether somebody else has written to the event meanwhile. */
  readonly rest: (others: boolean) => Promise<void>
}

/** Few enough that a scan which waits for one transaction's lock is still answered at once. */
const ticketsAtOnce = 100
const previewed = 5

/**
 * Brings the guests of a list into an event: every row whole or not at all, rows that came before left as they are. The
 * whole list is checked before anything is written. Written in small transactions, so that scans go on meanwhile: an
 * import that was cut off is completed by running it again.
 */
export async function importGuests(
  transactions: Transactions,
  at: GuestsAt,
  list: GuestList,
  options: ImportOptions,
): Promise<ImportReport> {
  const { rows, skipped, problems } = readList(list, options.progress)
  const { fresh, unchanged, taken } = await sortGuests(transactions.database, at.place, rows)
  problems.push(...taken.map((one) => codeProblem(list, one)))
  const refused = options.mode === 'strict' && problems.length > 0
  const expected: WrittenGuests = { written: fresh, unchanged: 0, taken: [] }
  const done =
    options.mode === 'look' || refused ? expected : await writeAll(transactions, at, fresh, options)
  problems.push(...done.taken.map((one) => codeProblem(list, one)))
  return {
    guests: done.written.length,
    tickets: ticketsIn(done.written),
    unchanged: unchanged + done.unchanged,
    skipped,
    problems: problems.sort((a, b) => a.line - b.line),
    refused,
    preview: fresh.slice(0, previewed).map((one) => one.guest),
  }
}

const ticketsIn = (rows: readonly KeyedGuest[]): number =>
  rows.reduce((sum, { guest }) => sum + guest.quantity, 0)

function readList(list: GuestList, progress: ImportProgress) {
  const rows: KeyedGuest[] = []
  const problems: GuestProblem[] = []
  let skipped = 0
  let count = 0
  for (const entry of list.entries()) {
    if (entry.kind === 'guest') rows.push(entry)
    else if (entry.kind === 'problems') problems.push(...entry.problems)
    else skipped += 1
    count += 1
    if (count % 1000 === 0)
      progress('reading', entry.kind === 'guest' ? entry.guest.line : entry.line, list.lines)
  }
  return { rows, skipped, problems }
}

const codeProblem = (list: GuestList, { guest, code, order }: TakenCode): GuestProblem => ({
  line: guest.line,
  column: list.plan.columns.find((column) => column.field === 'code')?.title ?? null,
  message: `The code "${code}" is already on a ticket of order ${order}. Give this guest another code, or leave it empty.`,
})

async function writeAll(
  transactions: Transactions,
  at: GuestsAt,
  rows: readonly KeyedGuest[],
  { progress, rest }: ImportOptions,
): Promise<WrittenGuests> {
  const written: KeyedGuest[] = []
  const taken: TakenCode[] = []
  let unchanged = 0
  let done = 0
  let known = await lastChange(transactions.database, at.place)
  for (const part of portions(rows)) {
    progress('writing', done, rows.length)
    const { before, ...result } = await transactions.write(async (tx) => ({
      before: await lastChange(tx, at.place),
      ...(await writeGuests(tx, at, part)),
    }))
    written.push(...result.written)
    taken.push(...result.taken)
    unchanged += result.unchanged
    done += part.length
    const others = before !== known
    known = await lastChange(transactions.database, at.place)
    await rest(others)
  }
  progress('writing', rows.length, rows.length)
  return { written, unchanged, taken }
}

/** The number of the latest change of an event. */
async function lastChange(db: Queryable, { organizer, event }: Place): Promise<number> {
  const feed = await db.get<{ seq: number }>(
    sql`SELECT seq FROM feed WHERE organizer = ${organizer} AND event = ${event}`,
  )
  return feed?.seq ?? 0
}

/** Rows by as many as are written in one transaction. */
function* portions(rows: readonly KeyedGuest[]): Generator<KeyedGuest[]> {
  let portion: KeyedGuest[] = []
  let tickets = 0
  for (const row of rows) {
    if (portion.length > 0 && tickets + row.guest.quantity > ticketsAtOnce) {
      yield portion
      portion = []
      tickets = 0
    }
    portion.push(row)
    tickets += row.guest.quantity
  }
  if (portion.length > 0) yield portion
}
