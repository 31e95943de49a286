import sql, { join, type Sql } from 'sql-template-tag'
import type { Row } from '../../../schema/resource.ts'
import { type Invoice, invoice } from '../../../schema/resources/orders/invoice.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { filterConditions, lowered, orderBy, type Query, repeated, single } from '../../resource/query.ts'
import { rowOf } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Cells, Queryable } from '../../storage/database.ts'

/** The words of an invoice that are looked up, by its id. */
interface Links {
  readonly id: number
  readonly event: string
  readonly order_code: string
  readonly refers: string | null
}

/** An invoice as it is shown. */
type ShownInvoice = Row<typeof invoice> & {
  readonly event: string
  readonly order: string
  readonly refers: string | null
}

/** Invoices as they are shown: with their event, their order and what they cancel. */
export async function shownInvoices(
  db: Queryable,
  organizer: number,
  rows: readonly Invoice[],
): Promise<ShownInvoice[]> {
  if (rows.length === 0) return []
  const links = await db.all<Links>(
    sql`SELECT i.id, event.slug AS event, orders.code AS order_code, canceled."number" AS refers FROM invoice i
        JOIN event ON event.organizer = i.organizer AND event.id = i.event
        JOIN orders ON orders.organizer = i.organizer AND orders.id = i.order_id
        LEFT JOIN invoice canceled ON canceled.organizer = i.organizer AND canceled.id = i.refers_id
        WHERE i.organizer = ${organizer} AND i.id IN (${join(rows.map(({ id }) => id))})`,
  )
  const byId = new Map(links.map((link) => [link.id, link]))
  return rows.map((row) => {
    const { event = '', order_code: order = '', refers = null } = byId.get(row.id) ?? {}
    const {
      id: _,
      order_id,
      refers_id,
      prefix,
      created,
      shredded,
      sent_to_organizer,
      printed,
      ...shown
    } = row
    return { event, order, ...shown, refers }
  })
}

/** Conditions on `invoice` by what somebody calls it, its order or what it cancels, in any case. */
function calledConditions({ organizer }: Scope, query: Query): Sql[] {
  const words = (name: string): string[] =>
    repeated(query, name)
      .filter((word) => word !== '')
      .map((word) => word.toLowerCase())
  const [numbers, orders] = [words('number'), words('order')]
  const refers = single(query, 'refers')
  return [
    ...(numbers.length > 0 ? [sql`${lowered(sql`"number"`)} IN (${join(numbers)})`] : []),
    ...(orders.length > 0
      ? [
          sql`order_id IN (SELECT orders.id FROM orders WHERE orders.organizer = ${organizer.id}
            AND ${lowered(sql`orders.code`)} IN (${join(orders)}))`,
        ]
      : []),
    ...(refers
      ? [
          sql`refers_id IN (SELECT other.id FROM invoice other WHERE other.organizer = ${organizer.id}
            AND ${lowered(sql`other."number"`)} = ${refers.toLowerCase()})`,
        ]
      : []),
  ]
}

/** The order of a list; numbers are compared letter by letter. */
const sorted = (query: Query, engine: 'sqlite' | 'postgres'): Sql =>
  orderBy(invoice, query, engine, {
    nr: engine === 'postgres' ? sql`"number" COLLATE "C"` : sql`"number"`,
  })

/** What lists of invoices are asked for, and what is shown of them. */
export const invoiceBehaviour: Behaviour<typeof invoice> = {
  conditions: calledConditions,
  order: sorted,
  present: (db, { organizer }, rows) => shownInvoices(db, organizer.id, rows),
}

/** The events whose invoices a caller may look at. */
const ofEvents = ({ allEvents, events }: Scope['actor']): Sql =>
  allEvents ? sql`1 = 1` : events.size > 0 ? sql`invoice.event IN (${join([...events])})` : sql`1 = 0`

/** A page of the invoices of all events that a caller may see, and how many there are. */
export async function organizerInvoices(
  db: Queryable,
  scope: Scope,
  query: Query,
  page: { readonly size: number; readonly offset: number },
): Promise<{ readonly count: number; readonly rows: readonly ShownInvoice[] }> {
  const { organizer, actor } = scope
  const where = join(
    [
      sql`invoice.organizer = ${organizer.id} AND ${ofEvents(actor)}`,
      ...filterConditions(invoice, query),
      ...calledConditions(scope, query),
    ],
    ' AND ',
  )
  const counted = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM invoice WHERE ${where}`)
  const found = await db.all<Cells>(
    sql`SELECT * FROM invoice WHERE ${where} ORDER BY ${sorted(query, db.engine)}
        LIMIT ${page.size} OFFSET ${page.offset}`,
  )
  const rows = await shownInvoices(
    db,
    organizer.id,
    found.map((cells) => rowOf(invoice, cells)),
  )
  return { count: counted?.count ?? 0, rows }
}

/** An invoice and the id of its event. */
interface FoundInvoice {
  readonly row: Invoice
  readonly event: number
}

/** The invoice with a number, of the event that a caller asks about or of any that they may see; undefined without. */
export async function invoiceByNumber(
  db: Queryable | Tx,
  { organizer, actor, event }: Scope,
  number: string,
): Promise<FoundInvoice | undefined> {
  const here = event ? sql`invoice.event = ${event.id}` : ofEvents(actor)
  const cells = await db.get<Cells & { readonly event: number }>(
    sql`SELECT * FROM invoice WHERE organizer = ${organizer.id} AND ${here} AND "number" = ${number}
        ${'forUpdate' in db ? db.forUpdate : sql``}`,
  )
  return cells && { row: rowOf(invoice, cells), event: cells.event }
}
