import sql, { join, raw, type Sql } from 'sql-template-tag'
import { order } from '../../schema/resources/order.ts'
import {
  filterConditions,
  instantParameter,
  integerParameter,
  orderBy,
  type Query,
  single,
} from '../resource/query.ts'
import type { Queryable } from '../storage/database.ts'
import { matchesText } from './find-positions.ts'
import type { OrderCells } from './order-present.ts'

/** The orders that a caller may look at: those of some events of an organizer, or of all. */
export interface OrderRange {
  readonly organizer: number
  readonly events: readonly number[] | null
}

/** A part of the orders that a query finds, and how many there are in all. */
export interface FoundOrders {
  readonly count: number
  readonly orders: readonly OrderCells[]
}

/** Orders with a position, canceled or not, that meets a condition. */
const withPosition = (organizer: number, condition: Sql): Sql =>
  sql`orders.id IN (SELECT p.order_id FROM order_position p WHERE p.organizer = ${organizer} AND ${condition})`

const onDate = (organizer: number, condition: Sql): Sql =>
  withPosition(
    organizer,
    sql`p.subevent IN (SELECT s.id FROM subevent s WHERE s.organizer = ${organizer} AND ${condition})`,
  )

/** Orders about which somebody typed something; an order is also known by its event's slug and its code. */
function matchesSearch(db: Queryable, organizer: number, text: string): Sql {
  const wanted = text.trim()
  const code = wanted.slice(wanted.lastIndexOf('-') + 1).toUpperCase()
  const slug = wanted.slice(0, -code.length - 1).toLowerCase()
  const ofEvent = sql`orders.event IN (SELECT e.id FROM event e WHERE e.organizer = ${organizer} AND lower(e.slug) = ${slug})`
  const named = sql`orders.code = ${code} AND ${ofEvent}`
  const noted = sql`orders.comment <> '' AND lower(orders.comment) LIKE ${`%${wanted.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`} ESCAPE '\\'`
  const people = withPosition(organizer, matchesText(db.engine, organizer, wanted))
  return sql`(${people} OR (${named}) OR (${noted}))`
}

/** The conditions that a query makes on orders. */
function conditionsOf(db: Queryable, { organizer, events }: OrderRange, query: Query): Sql[] {
  const conditions = [sql`organizer = ${organizer}`, ...filterConditions(order, query)]
  if (events !== null)
    conditions.push(events.length === 0 ? sql`1 = 0` : sql`event IN (${join([...events])})`)
  for (const name of ['item', 'variation', 'subevent']) {
    const id = integerParameter(query, name)
    if (id !== undefined) conditions.push(withPosition(organizer, sql`p.${raw(name)} = ${id}`))
  }
  const after = instantParameter(query, 'subevent_after')
  if (after !== undefined)
    conditions.push(onDate(organizer, sql`COALESCE(s.date_to, s.date_from) > ${after}`))
  const before = instantParameter(query, 'subevent_before')
  if (before !== undefined) conditions.push(onDate(organizer, sql`s.date_from < ${before}`))
  const text = single(query, 'search')
  if (text !== undefined && text.trim() !== '') conditions.push(matchesSearch(db, organizer, text))
  return conditions
}

/** Which orders a query finds in a range. */
export async function findOrders(
  db: Queryable,
  range: OrderRange,
  query: Query,
  page: { readonly size: number; readonly offset: number },
): Promise<FoundOrders> {
  const where = join(conditionsOf(db, range, query), ' AND ')
  const counted = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM orders WHERE ${where}`)
  const orders = await db.all<OrderCells>(
    sql`SELECT * FROM orders WHERE ${where} ORDER BY ${orderBy(order, query, db.engine)} LIMIT ${page.size} OFFSET ${page.offset}`,
  )
  return { count: Number(counted?.count ?? 0), orders }
}

/** The order of an event with a code, or undefined. */
export const orderByCode = (
  db: Queryable,
  place: { readonly organizer: number; readonly event: number },
  code: string,
  lock: Sql = sql``,
): Promise<OrderCells | undefined> =>
  db.get<OrderCells>(
    sql`SELECT * FROM orders WHERE organizer = ${place.organizer} AND event = ${place.event} AND code = ${code}${lock}`,
  )
