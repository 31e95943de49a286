import sql, { empty, join, type Sql } from 'sql-template-tag'
import {
  type BankReference,
  barePrefix,
  type ReferenceWords,
  referencePattern,
} from '../../domain/orders/bank-references.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Queryable } from '../../storage/database.ts'
import { codesMeant } from '../codes/order-codes.ts'
import type { BankImportRow } from './bank-imports.ts'

/** The characters of a usual code; more of them may follow in a reference that names something else as well. */
const usualCode = 5

/** How many zeros may be missing in front of the number of an invoice. */
const mostZeros = 9

/** What the transactions of an import are matched with. */
export interface Matching {
  readonly row: BankImportRow
  readonly actor: Actor
  readonly pattern: RegExp | null
  /** The events in reach, and the form in which references name them. */
  readonly events: readonly { readonly id: number; readonly bare: string }[]
  /** What the numbers of invoices begin with. */
  readonly invoicePrefixes: readonly string[]
}

/** An order that a reference names. */
export interface Named {
  readonly id: number
  readonly code: string
  readonly event: number
}

const reachOf = ({ event, reach }: BankImportRow, column: Sql): Sql => {
  const ids: readonly number[] | null = event > 0 ? [event] : reach === null ? null : JSON.parse(reach)
  if (ids === null) return empty
  return ids.length === 0 ? sql` AND 1 = 0` : sql` AND ${column} IN (${join([...ids])})`
}

/** What an import is carried out with: what references may name. */
export async function matchingOf(db: Queryable, row: BankImportRow): Promise<Matching> {
  const { organizer } = row
  const events = await db.all<{ id: number; slug: string }>(
    sql`SELECT id, slug FROM event WHERE organizer = ${organizer}${reachOf(row, sql`id`)}`,
  )
  const invoices = await db.all<{ prefix: string; shortest: number; longest: number }>(
    sql`SELECT prefix, MIN(LENGTH("number") - LENGTH(prefix)) AS shortest,
          MAX(LENGTH("number") - LENGTH(prefix)) AS longest
        FROM invoice WHERE organizer = ${organizer}${reachOf(row, sql`event`)} GROUP BY prefix`,
  )
  const codes = await db.get<{ shortest: number | null; longest: number | null }>(
    sql`SELECT MIN(LENGTH(code)) AS shortest, MAX(LENGTH(code)) AS longest FROM orders
        WHERE organizer = ${organizer}${reachOf(row, sql`event`)}`,
  )
  const words: ReferenceWords = {
    prefixes: [...events.map(({ slug }) => slug), ...invoices.map(({ prefix }) => prefix)],
    shortest: Math.max(1, Math.min(codes?.shortest ?? 1, ...invoices.map(({ shortest }) => shortest))),
    longest: Math.max(codes?.longest ?? usualCode, ...invoices.map(({ longest }) => longest)),
  }
  return {
    row,
    actor: { ...JSON.parse(row.actor), ...nothingElse, organizer },
    pattern: referencePattern(words),
    events: events.map(({ id, slug }) => ({ id, bare: barePrefix(slug) })),
    invoicePrefixes: invoices.map(({ prefix }) => prefix),
  }
}

/** What was asked for was allowed when it was asked for. */
const nothingElse: Pick<Actor, 'permissions' | 'allEvents' | 'events' | 'device'> = {
  ...{ permissions: new Set(), allEvents: false, events: new Set(), device: null },
}

/** The order that a reference names by its code or by the number of its invoice. */
export async function orderNamed(
  db: Queryable,
  { row, events, invoicePrefixes }: Matching,
  { prefix, code }: BankReference,
): Promise<Named | undefined> {
  const places = row.event > 0 ? events : events.filter(({ bare }) => bare === prefix)
  const columns = sql`o.id, o.code, o.event FROM orders o`
  if (places.length > 0) {
    const codes = [...new Set([...codesMeant(code), ...codesMeant(code.slice(0, usualCode))])]
    const rows = await db.all<Named>(
      sql`SELECT ${columns} WHERE o.organizer = ${row.organizer}
          AND o.event IN (${join(places.map(({ id }) => id))}) AND o.code IN (${join(codes)})`,
    )
    const named = codes.map((one) => rows.find((order) => order.code === one)).find((order) => order)
    if (named) return named
  }
  const numbers = invoicePrefixes
    .filter((one) => barePrefix(one) === prefix)
    .flatMap((one) => Array.from({ length: mostZeros + 1 }, (_, zeros) => one + '0'.repeat(zeros) + code))
  if (numbers.length === 0) return undefined
  const orders = await db.all<Named>(
    sql`SELECT DISTINCT ${columns} JOIN invoice i ON i.organizer = o.organizer AND i.order_id = o.id
        WHERE i.organizer = ${row.organizer}${reachOf(row, sql`i.event`)}
          AND lower(i."number") IN (${join(numbers.map((number) => number.toLowerCase()))})`,
  )
  return orders.length === 1 ? orders[0] : undefined
}
