import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { PaymentProviderId } from '../../../schema/payment-providers.ts'
import { order as orderResource } from '../../../schema/resources/orders/order.ts'
import type { Audience } from '../../../schema/security-profiles.ts'
import { maskedQuery } from '../../resource/mask.ts'
import {
  filterConditions,
  instantParameter,
  integerParameter,
  orderBy,
  type Query,
  single,
} from '../../resource/query.ts'
import type { Queryable } from '../../storage/database.ts'
import { lookedUpIn } from '../../storage/row-by-row.ts'
import { codesMeant } from '../codes/order-codes.ts'
import type { OrderCells } from './order-present.ts'
import { beginsWith, hitPositions, joinedThen, mostHits, type PositionsPart } from './position-hits.ts'

/** The orders that a caller may look at: those of some events of an organizer, or of all. */
interface OrderRange {
  readonly organizer: number
  readonly events: readonly number[] | null
  /** Who looks: nobody finds an order by what they are not given of it. */
  readonly audience: Audience
}

/** A part of the orders that a query finds, and how many there are in all. */
interface FoundOrders {
  readonly count: number
  readonly orders: readonly OrderCells[]
}

/** Orders with a position, canceled or not, that meets a condition. */
const withPosition = ({ engine }: Queryable, organizer: number, condition: Sql): Sql =>
  lookedUpIn(
    engine,
    sql`orders.id IN (SELECT p.order_id FROM order_position p WHERE p.organizer = ${organizer} AND ${condition})`,
  )

const onDate = (db: Queryable, organizer: number, condition: Sql): Sql =>
  withPosition(
    db,
    organizer,
    sql`p.subevent IN (SELECT s.id FROM subevent s WHERE s.organizer = ${organizer} AND ${condition})`,
  )

const cardTerminal: PaymentProviderId = 'cardterminal'

/** In what is stored of a card payment, the names of the numbers that it is known by. */
const cardNumbers = ['reference', 'receipt', 'trace'] as const

/**
 * Orders with a card payment whose number begins like this: as somebody has typed it from the terminal's receipt, or as
 * the terminal has said it.
 */
function paidByCard(organizer: number, text: string): Sql {
  const begins = JSON.stringify(text.toLowerCase())
    .slice(1, -1)
    .replace(/[\\%_]/g, '\\$&')
  const written = cardNumbers.flatMap((name) => [
    sql`lower(p."details") LIKE ${`%"${name}":"${begins}%`} ESCAPE '\\'`,
    ...(/^\d+$/.test(text)
      ? ['}', ','].map((end) => sql`p."details" LIKE ${`%"${name}":${Number(text)}${end}%`}`)
      : []),
  ])
  return sql`orders.id IN (SELECT p.order_id FROM order_payment p WHERE p.organizer = ${organizer}
    AND p."provider" = ${cardTerminal} AND (${join(written, ' OR ')}))`
}

/** The conditions that a query makes on orders. */
function conditionsOf(db: Queryable, { organizer, events, audience }: OrderRange, asked: Query): Sql[] {
  const query = maskedQuery(orderResource, audience, asked)
  const conditions = [sql`organizer = ${organizer}`, ...filterConditions(orderResource, query)]
  if (events !== null)
    conditions.push(events.length === 0 ? sql`1 = 0` : sql`event IN (${join([...events])})`)
  for (const name of ['item', 'variation', 'subevent']) {
    const id = integerParameter(query, name)
    if (id !== undefined) conditions.push(withPosition(db, organizer, sql`p.${raw(name)} = ${id}`))
  }
  const reference = (single(query, 'payment_reference') ?? '').trim()
  if (reference !== '') conditions.push(audience === 'sale' ? paidByCard(organizer, reference) : sql`1 = 0`)
  const after = instantParameter(query, 'subevent_after')
  if (after !== undefined)
    conditions.push(onDate(db, organizer, sql`COALESCE(s.date_to, s.date_from) > ${after}`))
  const before = instantParameter(query, 'subevent_before')
  if (before !== undefined) conditions.push(onDate(db, organizer, sql`s.date_from < ${before}`))
  return conditions
}

/**
 * Orders (`orders`) that meet some conditions, about which somebody typed something: about one of their positions, or
 * in a note. An order is also known by the beginning of its code, after a part of its event's slug or alone, and by the
 * number of an invoice. The conditions are met while the index is looked through, so that hits are not used up by other
 * orders.
 */
function ordersAbout(
  db: Queryable,
  { organizer, events, audience }: OrderRange,
  where: Sql,
  text: string,
): Sql {
  const dash = text.lastIndexOf('-')
  const slug = `%${text
    .slice(0, Math.max(0, dash))
    .toLowerCase()
    .replace(/[\\%_]/g, '\\$&')}%`
  const coded = codesMeant(text.slice(dash + 1)).map(
    (code, index) => sql`UNION SELECT id FROM (SELECT orders.id FROM orders
      WHERE orders.organizer = ${organizer} AND ${beginsWith(db.engine, sql`orders.code`, code)} AND ${where}
        AND orders.event IN (SELECT e.id FROM event e WHERE e.organizer = ${organizer}
          AND lower(e.slug) LIKE ${slug} ESCAPE '\\') LIMIT ${mostHits}) ${raw(`coded${index}`)}`,
  )
  const condition = sql`EXISTS (SELECT 1 FROM orders
    WHERE orders.organizer = p.organizer AND orders.id = p.order_id AND ${where})`
  const invoiced = sql`UNION SELECT orders.id FROM orders WHERE orders.organizer = ${organizer} AND ${where}
    AND orders.id IN (SELECT i.order_id FROM invoice i WHERE i.organizer = ${organizer}
      AND lower(i."number") = ${text.toLowerCase()})`
  const hits = hitPositions(
    db.engine,
    { organizer, events, condition, joined: empty, notes: audience === 'sale' },
    text,
  )
  return sql`(SELECT p.order_id AS found_id FROM ${hits}
      ${join(coded, ' ')}
      ${audience === 'sale' ? invoiced : empty}) found
    ${joinedThen(db.engine)} orders ON orders.organizer = ${organizer} AND orders.id = found.found_id`
}

/** Which orders a query finds in a range. */
export async function findOrders(
  db: Queryable,
  range: OrderRange,
  query: Query,
  page: PositionsPart,
): Promise<FoundOrders> {
  const where = join(conditionsOf(db, range, query), ' AND ')
  const order = orderBy(orderResource, query, db.engine)
  const text = (single(query, 'search') ?? '').trim()
  if (text !== '') {
    const orders = await db.all<OrderCells & { readonly count: number }>(
      sql`SELECT orders.*, count(*) OVER () AS count FROM ${ordersAbout(db, range, where, text)}
          ORDER BY ${order} LIMIT ${page.size} OFFSET ${page.offset}`,
    )
    return { count: orders[0]?.count ?? 0, orders }
  }
  const counted = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM orders WHERE ${where}`)
  const orders = await db.all<OrderCells>(
    sql`SELECT * FROM orders WHERE ${where} ORDER BY ${order} LIMIT ${page.size} OFFSET ${page.offset}`,
  )
  return { count: counted?.count ?? 0, orders }
}

/** The order of a range with a code, or undefined. */
export const orderInRange = async (
  db: Queryable,
  range: OrderRange,
  code: string,
): Promise<OrderCells | undefined> =>
  db.get<OrderCells>(
    sql`SELECT * FROM orders WHERE ${join(conditionsOf(db, range, {}), ' AND ')} AND code = ${code}`,
  )

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
