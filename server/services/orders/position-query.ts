import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { flagParameter, type Query, single } from '../../resource/query.ts'
import type { Queryable } from '../../storage/database.ts'
import { joinForEachRow, lookedUpIn } from '../../storage/row-by-row.ts'
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

/** The conditions by which a query chooses among the positions of an event. */
function chosenBy({ engine }: Queryable, range: PositionRange, query: Query): Sql[] {
  const conditions = positionConditions(query, { customer: (text) => sql`o.customer = ${text}` })
  const hasCheckin = flagParameter(query, 'has_checkin')
  if (hasCheckin === undefined) return conditions
  return [...conditions, admitted(engine, range, hasCheckin)]
}

/** The positions that a caller may look at: those of some events of an organizer, or of all. */
export interface PositionRange {
  readonly organizer: number
  readonly events: readonly number[] | null
}

/** The condition that positions (`p`) belong to a range, canceled ones only when a query asks for them. */
export function inRange({ organizer, events }: PositionRange, query: Query): Sql {
  const all = flagParameter(query, 'include_canceled_positions') === true
  return sql`p.organizer = ${organizer}${ofEvents(sql`p`, events)}${all ? empty : sql` AND p.canceled = 0`}`
}

function ofEvents(of: Sql, events: readonly number[] | null): Sql {
  if (events === null) return empty
  if (events.length === 1) return sql` AND ${of}.event = ${events[0]}`
  return events.length === 0 ? sql` AND 1 = 0` : sql` AND ${of}.event IN (${join([...events])})`
}

/** The condition of positions (`p`) of a range that were admitted somewhere, or were not. */
function admitted(engine: Queryable['engine'], { organizer, events }: PositionRange, isWanted: boolean): Sql {
  const not = raw(isWanted ? '' : 'NOT ')
  return engine === 'sqlite'
    ? sql`${not}EXISTS (SELECT 1 FROM checkin c WHERE c.organizer = p.organizer AND c."position" = p.id AND c.successful = 1)`
    : sql`${not}${lookedUpIn(
        engine,
        sql`p.id IN (SELECT c."position" FROM checkin c WHERE c.organizer = ${organizer}${ofEvents(sql`c`, events)}
              AND c.successful = 1 AND c."position" IS NOT NULL)`,
      )}`
}

/** The positions (`p`) of orders. */
const theirPositions = (engine: Queryable['engine']): Sql =>
  joinForEachRow(engine, ['order_position', 'p'], sql`p.organizer = o.organizer AND p.order_id = o.id`)

const columns: SortColumns = {
  ...commonColumns,
  order__status: { column: sql`o.status`, text: true },
  attendee_name: { column: sql`NULLIF(p.name_key, '')`, text: true },
}

/** Which positions of a range a query finds. */
export async function positionsInRange(
  db: Queryable,
  range: PositionRange,
  query: Query,
  part: PositionsPart,
): Promise<FoundPositions> {
  const { engine } = db
  const { organizer, events } = range
  const chosen = chosenBy(db, range, query)
  const own = inRange(range, query)
  const condition = join([own, ...chosen], ' AND ')
  const order = positionOrder(db, query, columns, sql`o.datetime, p.positionid`)
  const text = (single(query, 'search') ?? '').trim()
  if (text !== '') {
    const among = { organizer, events, condition, joined: theirOrders(engine) }
    return foundPositions(db, organizer, { tables: hitPositions(engine, among, text), order }, part)
  }
  // Positions first where a query chooses among them, else orders, so that a page comes out of the index by time.
  const found =
    chosen.length === 0
      ? sql`orders o${theirPositions(engine)} WHERE o.organizer = ${organizer}${ofEvents(sql`o`, events)} AND ${own}`
      : sql`order_position p${theirOrders(engine)} WHERE ${condition}`
  const counting = chosen.length === 0 ? sql`order_position p WHERE ${own}` : found
  const counted = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${counting}`)
  const rows = await db.all<{ id: number }>(
    sql`SELECT p.id FROM ${found} ORDER BY ${order} LIMIT ${part.size} OFFSET ${part.offset}`,
  )
  const ids = rows.map((row) => row.id)
  return { count: counted?.count ?? 0, positions: await positionsById(db, organizer, ids) }
}
