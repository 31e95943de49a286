import sql, { join, type Sql } from 'sql-template-tag'
import type { Multilingual } from '../../../schema/multilingual.ts'
import type {
  ListSums,
  PassCount,
  RefusedCount,
  StatisticsNames,
  TicketCount,
} from '../../domain/checkin/statistics.ts'
import { inLanguage } from '../../domain/text/multilingual.ts'
import type { Queryable } from '../../storage/database.ts'
import { joinForEachRow } from '../../storage/row-by-row.ts'
import { countedMoment } from './checkin-counts.ts'

/** The beginning of the quarter of an hour of a minute (`2026-11-25T17:58`). Every time zone is whole quarters from UTC. */
const quarterOf = (minute: Sql): Sql =>
  sql`substr(${minute}, 1, 14) || CASE WHEN substr(${minute}, 15, 2) < '15' THEN '00' WHEN substr(${minute}, 15, 2) < '30' THEN '15'
        WHEN substr(${minute}, 15, 2) < '45' THEN '30' ELSE '45' END`

/** The minute that a check-in `c` counts at. Rows are summed by minutes first: the quarters of these are few. */
const minute = sql`substr(CASE WHEN substr(c.datetime, 1, 4) = substr(c.created, 1, 4) THEN c.datetime ELSE ${countedMoment} END, 1, 16)`

const entries = sql`sum(CASE WHEN c."type" = 'entry' THEN 1 ELSE 0 END)`
const exits = sql`sum(CASE WHEN c."type" = 'exit' THEN 1 ELSE 0 END)`

/** Sums the scans of some lists: what comes of it is a few rows, whatever their number. */
export async function sumsOfLists(
  db: Queryable,
  organizer: number,
  lists: readonly number[],
): Promise<ListSums> {
  const ofList = sql`FROM checkin c WHERE c.organizer = ${organizer} AND c.list IN (${join([...lists])})`
  return {
    passes: await db.all<PassCount>(
      sql`SELECT ${quarterOf(sql`minute`)} AS quarter, gate, sum(entries) AS entries, sum(exits) AS exits FROM (
            SELECT ${minute} AS minute, c.gate AS gate, ${entries} AS entries, ${exits} AS exits
            ${ofList} AND c.successful = 1 GROUP BY 1, 2) minutes
          GROUP BY 1, 2`,
    ),
    tickets: await db.all<TicketCount>(ticketCounts(db, organizer, ofList)),
    refused: await db.all<RefusedCount>(
      sql`SELECT c.error_reason AS reason, count(*) AS count ${ofList} AND c.successful = 0
            AND c.error_reason NOT IN ('annulled', 'incomplete')
          GROUP BY c.error_reason ORDER BY 2 DESC, 1`,
    ),
  }
}

/** Tickets by where and when they came first and by product; who was admitted by a signature alone has no position here. */
function ticketCounts(db: Queryable, organizer: number, ofList: Sql): Sql {
  const came = sql`min(CASE WHEN c."type" = 'entry' THEN ${minute} || ' ' || COALESCE(CAST(c.gate AS TEXT), '') END)`
  const each = sql`${came} AS came, ${entries} AS entries, ${exits} AS exits`
  const sold = joinForEachRow(
    db.engine,
    ['order_position', 'p'],
    sql`p.organizer = ${organizer} AND p.id = seen.id`,
  )
  return sql`SELECT ${quarterOf(sql`came`)} AS quarter, substr(came, 18) AS gate, item, variation,
      sum(tickets) AS tickets, sum(entries) AS entries, sum(exits) AS exits FROM (
        SELECT seen.came AS came, p.item AS item, p.variation AS variation, count(*) AS tickets,
          sum(seen.entries) AS entries, sum(seen.exits) AS exits FROM (
            SELECT c."position" AS id, ${each} ${ofList} AND c."position" IS NOT NULL AND c.successful = 1
            GROUP BY c."position") seen${sold}
        GROUP BY seen.came, p.item, p.variation
        UNION ALL
        SELECT came, item, variation, 1 AS tickets, entries, exits FROM (
          SELECT ${each}, min(c.raw_item) AS item, min(c.raw_variation) AS variation
          ${ofList} AND c."position" IS NULL AND c.successful = 1 GROUP BY c.raw_barcode) signed) counted
      GROUP BY 1, 2, 3, 4`
}

/** Reads the names that the statistics of some events show. */
export async function statisticsNames(
  db: Queryable,
  place: { readonly organizer: number; readonly events: readonly number[] },
  language: string,
): Promise<StatisticsNames> {
  const { organizer } = place
  const events = join([...place.events])
  const named = async (statement: Sql, textOf: (name: string) => string) =>
    new Map((await db.all<{ id: number; name: string }>(statement)).map(({ id, name }) => [id, textOf(name)]))
  const translated = (name: string): string => inLanguage(JSON.parse(name) as Multilingual, language)
  return {
    gates: await named(sql`SELECT id, name FROM gate WHERE organizer = ${organizer}`, (name) => name),
    items: await named(
      sql`SELECT id, name FROM item WHERE organizer = ${organizer} AND event IN (${events}) ORDER BY event, "position", id`,
      translated,
    ),
    variations: await named(
      sql`SELECT id, value AS name FROM variation WHERE organizer = ${organizer} AND event IN (${events}) ORDER BY event, "position", id`,
      translated,
    ),
  }
}
