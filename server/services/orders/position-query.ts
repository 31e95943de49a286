import sql, { empty, join, type Sql } from 'sql-template-tag'
import { flagParameter, type Query, single } from '../../resource/query.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import {
  commonColumns,
  type FoundPositions,
  foundPositions,
  hitPositions,
  type PositionsPart,
  positionConditions,
  positionOrder,
  positionsById,
  type SortColumns,
  theirOrders,
} from './position-hits.ts'

const admitted = sql`EXISTS (SELECT 1 FROM checkin c WHERE c.organizer = p.organizer AND c."position" = p.id AND c.successful = 1)`

/** The conditions by which a query chooses among the positions of an event. */
function chosenBy(query: Query): Sql[] {
  const conditions = positionConditions(query, { customer: (text) => sql`o.customer = ${text}` })
  const hasCheckin = flagParameter(query, 'has_checkin')
  return hasCheckin === undefined ? conditions : [...conditions, hasCheckin ? admitted : sql`NOT ${admitted}`]
}

/** The condition that positions belong to an event, canceled ones only when a query asks for them. */
function ofEvent({ organizer, event }: Place, query: Query): Sql {
  const all = flagParameter(query, 'include_canceled_positions') === true
  return sql`o.organizer = ${organizer} AND o.event = ${event} AND p.organizer = ${organizer} AND p.event = ${event}
    AND p.order_id = o.id${all ? empty : sql` AND p.canceled = 0`}`
}

const columns: SortColumns = {
  ...commonColumns,
  order__status: { column: sql`o.status`, text: true },
  attendee_name: { column: sql`NULLIF(p.name_key, '')`, text: true },
}

/** Which positions of an event a query finds. */
export async function findEventPositions(
  db: Queryable,
  place: Place,
  query: Query,
  part: PositionsPart,
): Promise<FoundPositions> {
  const { organizer } = place
  const chosen = chosenBy(query)
  const condition = join([ofEvent(place, query), ...chosen], ' AND ')
  const order = positionOrder(db, query, columns, sql`o.datetime, p.positionid`)
  const text = (single(query, 'search') ?? '').trim()
  if (text !== '') {
    const among = { organizer, events: [place.event], condition, joined: theirOrders(db.engine) }
    return foundPositions(db, organizer, { tables: hitPositions(db.engine, among, text), order }, part)
  }
  // Positions first where a query chooses among them, else orders, so that a page comes out of the index by time.
  const tables =
    chosen.length === 0
      ? sql`orders o CROSS JOIN order_position p`
      : sql`order_position p CROSS JOIN orders o`
  const counted = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM ${tables} WHERE ${condition}`,
  )
  const rows = await db.all<{ id: number }>(
    sql`SELECT p.id FROM ${tables} WHERE ${condition} ORDER BY ${order} LIMIT ${part.size} OFFSET ${part.offset}`,
  )
  const ids = rows.map((row) => row.id)
  return { count: counted?.count ?? 0, positions: await positionsById(db, organizer, ids) }
}
