import sql, { join, type Sql } from 'sql-template-tag'
import { referencesIn, withoutReferences } from '../../domain/orders/order-references.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Database, Queryable } from '../../storage/database.ts'
import { addPositions, indexPositions, type SearchText } from '../../storage/search.ts'
import { nameText } from '../../storage/searched-names.ts'

/** Everything that a position is found by, apart from its code. */
interface SearchedWords {
  readonly name: string | null
  readonly email: string | null
  readonly company: string | null
  readonly parentName: string | null
  readonly parentEmail: string | null
  readonly code: string
  readonly orderEmail: string | null
  readonly invoiceName: string | null
  readonly invoiceCompany: string | null
  /** What the order is called where it came from, as its comment says. */
  readonly reference: string | null
}

/** What a position is found by; a line break keeps a search from running from one word into the next. */
export const searchText = (words: SearchedWords): Pick<SearchText, 'names' | 'text'> => ({
  names: nameText([words.name, words.parentName, words.invoiceName]),
  text: [...new Set(Object.values(words))].filter(Boolean).join('\n'),
})

interface WordCells {
  readonly id: number
  readonly name: string | null
  readonly email: string | null
  readonly company: string | null
  readonly parent_name: string | null
  readonly parent_email: string | null
  readonly code: string
  readonly order_email: string | null
  readonly address: string | null
  readonly comment: string
}

/** Brings the searched words of all positions of some orders up to date, after something of them was changed. */
export async function indexOrders(tx: Queryable, place: Place, orders: readonly number[]): Promise<void> {
  if (orders.length > 0) await indexWhere(tx, place, sql`p.order_id IN (${join([...orders])})`)
}

/** The same for some positions, and those that belong to them. */
export async function indexTickets(tx: Queryable, place: Place, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await indexWhere(tx, place, sql`p.id IN (${join([...ids])})`)
  await indexWhere(tx, place, sql`p.addon_to IN (${join([...ids])})`)
}

const positionsPerStep = 1000

/**
 * Makes all positions of an organizer findable where none is yet, in steps between which others have their turn; reports
 * each step how many positions it was.
 */
export async function indexNewPositions(
  database: Database,
  organizer: number,
  report: (count: number) => void,
): Promise<void> {
  for (let last: number | null = 0; last !== null; ) {
    const from: number = last
    last = await database.transaction((tx) => indexNextPositions(tx, organizer, from, report))
  }
}

/** Makes the positions behind an id findable, some at a time; the last of them, or null where there are no more. */
export async function indexNextPositions(
  tx: Queryable,
  organizer: number,
  after: number,
  report: (count: number) => void,
): Promise<number | null> {
  const rows = await wordsOf(tx, organizer, sql`p.id > ${after} ORDER BY p.id LIMIT ${positionsPerStep}`)
  await addPositions(
    tx,
    rows.map((row) => ({ position: row.id, organizer, event: 0, ...wordsIn(row) })),
  )
  report(rows.length)
  return rows.at(-1)?.id ?? null
}

/** The words of the positions of an organizer behind an id and up to another one, in the order of their ids. */
export async function textsBetween(
  tx: Queryable,
  organizer: number,
  after: number,
  upTo: number,
): Promise<SearchText[]> {
  const rows = await wordsOf(tx, organizer, sql`p.id > ${after} AND p.id <= ${upTo} ORDER BY p.id`)
  return rows.map((row) => ({ position: row.id, organizer, event: 0, ...wordsIn(row) }))
}

async function indexWhere(tx: Queryable, place: Place, condition: Sql): Promise<void> {
  const rows = await wordsOf(tx, place.organizer, condition)
  await indexPositions(
    tx,
    rows.map((row) => ({ position: row.id, ...place, ...wordsIn(row) })),
  )
}

const wordsOf = (tx: Queryable, organizer: number, condition: Sql): Promise<WordCells[]> =>
  tx.all<WordCells>(
    sql`SELECT p.id, p.attendee_name AS name, p.attendee_email AS email, p.company,
          parent.attendee_name AS parent_name, parent.attendee_email AS parent_email,
          o.code, o.email AS order_email, o.invoice_address AS address, o.comment
        FROM order_position p
          JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
          LEFT JOIN order_position parent ON parent.organizer = p.organizer AND parent.id = p.addon_to
        WHERE p.organizer = ${organizer} AND ${condition}`,
  )

function wordsIn(row: WordCells): Pick<SearchText, 'names' | 'text' | 'note'> {
  const address: { name?: string; company?: string } = JSON.parse(row.address ?? '{}') ?? {}
  const found = searchText({
    name: row.name,
    email: row.email,
    company: row.company,
    parentName: row.parent_name,
    parentEmail: row.parent_email,
    code: row.code,
    orderEmail: row.order_email,
    invoiceName: address.name ?? null,
    invoiceCompany: address.company ?? null,
    reference: referencesIn(row.comment),
  })
  return { ...found, note: withoutReferences(row.comment) }
}
