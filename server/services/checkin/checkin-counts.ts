import sql, { join, type Sql } from 'sql-template-tag'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import type { ListFacts } from '../../domain/rules/facts.ts'
import { rowOf } from '../../resource/store.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import { joinForEachRow } from '../../storage/row-by-row.ts'
import { theirOrders } from '../orders/position-hits.ts'

type Engine = Queryable['engine']

/** How full an entrance is. */
interface ListCounts {
  readonly position_count: number
  readonly checkin_count: number
}

/** What of a list says which positions belong to it. */
export type ListSet = Pick<
  ListFacts,
  'id' | 'event' | 'all_products' | 'limit_products' | 'subevent' | 'include_pending'
>

/** The condition of orders (`o`) whose tickets belong to a list: they are paid, or count as paid. */
const isCounted = (list: ListSet): Sql =>
  list.include_pending
    ? sql`o.status IN ('p', 'n')`
    : sql`(o.status = 'p' OR (o.status = 'n' AND o.valid_if_pending = 1))`

/** The condition of positions (`p`) that a list is for, whatever became of their orders. */
function isMeant(organizer: number, list: ListSet): Sql {
  const date = list.subevent === null ? sql`1 = 1` : sql`p.subevent = ${list.subevent}`
  const product = list.all_products
    ? sql`1 = 1`
    : list.limit_products.length === 0
      ? sql`1 = 0`
      : sql`p.item IN (${join([...list.limit_products])})`
  return sql`p.organizer = ${organizer} AND p.event = ${list.event} AND p.canceled = 0 AND ${date} AND ${product}`
}

/**
 * Positions (`p`) of orders (`o`) that belong to a list: paid or counting as paid, of its date and its products; of
 * orders in any state when asked for.
 */
export const belongsTo = (organizer: number, list: ListSet, anyStatus = false): Sql =>
  anyStatus ? isMeant(organizer, list) : sql`${isMeant(organizer, list)} AND ${isCounted(list)}`

/** The same without their orders: nearly all are paid, so those that are not are gathered first. */
const belongsWithoutOrder = (organizer: number, list: ListSet): Sql =>
  sql`${isMeant(organizer, list)} AND p.order_id NOT IN (
        SELECT o.id FROM orders o WHERE o.organizer = ${organizer} AND o.event = ${list.event}
          AND o.status IN ('n', 'e', 'c') AND NOT ${isCounted(list)})`

/** Positions (`p`) that were found by their ids in a subquery. */
const thesePositions = (engine: Engine, organizer: number, id: Sql): Sql =>
  joinForEachRow(engine, ['order_position', 'p'], sql`p.organizer = ${organizer} AND p.id = ${id}`)

const count = async (db: Queryable, statement: Sql): Promise<number> =>
  (await db.get<{ count: number }>(statement))?.count ?? 0

/** How many positions belong to a list. */
export const positionCount = (db: Queryable, organizer: number, list: ListSet): Promise<number> =>
  count(db, sql`SELECT count(*) AS count FROM order_position p WHERE ${belongsWithoutOrder(organizer, list)}`)

/** How many of them have entered at least once, also if they have left again. Costs as much as there are check-ins. */
export const checkinCount = (db: Queryable, organizer: number, list: ListSet): Promise<number> =>
  count(
    db,
    sql`SELECT count(*) AS count FROM (
          SELECT DISTINCT c."position" AS id FROM checkin c
          WHERE c.organizer = ${organizer} AND c.list = ${list.id} AND c.successful = 1 AND c."type" = 'entry') came
        ${thesePositions(db.engine, organizer, sql`came.id`)}${theirOrders(db.engine)}
        WHERE ${belongsTo(organizer, list)}`,
  )

/** The moment that a check-in `c` counts at, as for decisions. */
export const countedMoment = sql`CASE WHEN abs(CAST(substr(c.datetime, 1, 4) AS INTEGER) - CAST(substr(c.created, 1, 4) AS INTEGER)) > 1
  THEN c.created ELSE c.datetime END`

/** How many are inside: entered, and not left since; whoever left in the same instant is outside. */
export const insideCount = (db: Queryable, organizer: number, list: ListSet): Promise<number> =>
  count(
    db,
    sql`SELECT count(*) AS count FROM (
          SELECT c."position" AS id,
            max(CASE WHEN c."type" = 'entry' THEN ${countedMoment} END) AS came,
            max(CASE WHEN c."type" = 'exit' THEN ${countedMoment} END) AS went
          FROM checkin c
          WHERE c.organizer = ${organizer} AND c.list = ${list.id} AND c.successful = 1 AND c."position" IS NOT NULL
          GROUP BY c."position") seen
        ${thesePositions(db.engine, organizer, sql`seen.id`)}${theirOrders(db.engine)}
        WHERE seen.came IS NOT NULL AND (seen.went IS NULL OR seen.went < seen.came) AND ${belongsTo(organizer, list)}`,
  )

/** How many entries there were by a list, also of those who came again: never fewer than are inside. */
export const entryCount = (db: Queryable, organizer: number, list: number): Promise<number> =>
  count(
    db,
    sql`SELECT count(*) AS count FROM checkin c
        WHERE c.organizer = ${organizer} AND c.list = ${list} AND c.successful = 1 AND c."type" = 'entry'`,
  )

/** How many are inside of whom nothing is known but what their ticket says of itself. */
export const insideBySignature = (db: Queryable, organizer: number, list: number): Promise<number> =>
  count(
    db,
    sql`SELECT count(*) AS count FROM (
          SELECT max(CASE WHEN c."type" = 'entry' THEN ${countedMoment} END) AS came,
            max(CASE WHEN c."type" = 'exit' THEN ${countedMoment} END) AS went
          FROM checkin c
          WHERE c.organizer = ${organizer} AND c.list = ${list} AND c.successful = 1 AND c."position" IS NULL
          GROUP BY c.raw_barcode) seen
        WHERE came IS NOT NULL AND (went IS NULL OR went < came)`,
  )

/** The part of stored list cells that says which positions belong to it. */
export function listSet(cells: Cells): ListSet {
  const row = rowOf(checkinList, cells)
  return {
    id: row.id,
    event: Number(cells.event),
    all_products: row.all_products,
    limit_products: row.limit_products,
    subevent: row.subevent,
    include_pending: row.include_pending,
  }
}

/** The counts of lists by their ids. */
export async function countsOfLists(
  db: Queryable,
  organizer: number,
  lists: readonly number[],
): Promise<ReadonlyMap<number, ListCounts>> {
  const counts = new Map<number, ListCounts>()
  if (lists.length === 0) return counts
  const found = await db.all(
    sql`SELECT * FROM checkin_list WHERE organizer = ${organizer} AND id IN (${join([...lists])})`,
  )
  for (const cells of found) {
    const set = listSet(cells)
    counts.set(set.id, {
      position_count: await positionCount(db, organizer, set),
      checkin_count: await checkinCount(db, organizer, set),
    })
  }
  return counts
}

interface ProductCount {
  readonly item: number
  readonly variation: number | null
  readonly positions: number
  readonly checkins: number
}

/** The counts of a list by product and variation. */
export const countsByProduct = (db: Queryable, organizer: number, list: ListSet): Promise<ProductCount[]> =>
  db.all<ProductCount>(
    sql`SELECT p.item AS item, p.variation AS variation, count(*) AS positions,
          sum(CASE WHEN p.id IN (
            SELECT c."position" FROM checkin c WHERE c.organizer = ${organizer} AND c.list = ${list.id}
              AND c.successful = 1 AND c."type" = 'entry' AND c."position" IS NOT NULL) THEN 1 ELSE 0 END) AS checkins
        FROM order_position p WHERE ${belongsWithoutOrder(organizer, list)} GROUP BY p.item, p.variation`,
  )
