import sql, { empty, join, type Sql } from 'sql-template-tag'
import { orderPosition } from '../../schema/resources/order-position.ts'
import { filterConditions, flagParameter, lowered, type Query, single, sortBy } from '../resource/query.ts'
import type { Place } from '../resource/transactions.ts'
import type { Queryable } from '../storage/database.ts'
import { matchesText } from './find-positions.ts'
import { type PositionCells, selectPositions } from './positions.ts'
import { storedCode } from './voucher-codes.ts'

/** A part of the positions that a query finds, and how many there are in all. */
export interface FoundPositions {
  readonly count: number
  readonly positions: readonly PositionCells[]
}

const parent = sql`LEFT JOIN order_position parent ON parent.organizer = p.organizer AND parent.id = p.addon_to`

/**
 * The positions of an event (`p`) with their orders (`o`) and parents: positions first where a query chooses among them,
 * else orders, so that a page comes straight out of the index by time.
 */
function tablesFor({ organizer, event }: Place, declared: readonly Sql[], chosen: readonly Sql[]): Sql {
  if (declared.length === 0 && chosen.length === 0) return sql`orders o CROSS JOIN order_position p ${parent}`
  const conditions = [sql`organizer = ${organizer} AND event = ${event}`, ...declared]
  return sql`(SELECT * FROM order_position WHERE ${join(conditions, ' AND ')}) p CROSS JOIN orders o ${parent}`
}

const sameText = (column: Sql, text: string): Sql => sql`${lowered(column)} = ${text.toLowerCase()}`

/** Parameters that are about a position's order or parent, or are no plain comparison. */
const special: Readonly<Record<string, (db: Queryable, place: Place, text: string) => Sql>> = {
  order: (_, __, text) => sameText(sql`o.code`, text),
  customer: (_, __, text) => sql`o.customer = ${text}`,
  order__status: (_, __, text) => sql`o.status = ${text}`,
  order__status__in: (_, __, text) => sql`o.status IN (${join(text.split(','))})`,
  attendee_name: (_, __, text) =>
    sql`(${sameText(sql`p.attendee_name`, text)} OR ${sameText(sql`parent.attendee_name`, text)})`,
  voucher__code: (_, { organizer, event }, text) =>
    sql`p.voucher IN (SELECT v.id FROM voucher v
      WHERE v.organizer = ${organizer} AND v.event = ${event} AND v.code = ${storedCode(text)})`,
  search: (db, { organizer }, text) => matchesText(db.engine, organizer, text),
}

const admitted = sql`EXISTS (SELECT 1 FROM checkin c WHERE c.organizer = p.organizer AND c."position" = p.id AND c.successful = 1)`

/** The conditions by which a query chooses among positions, beyond the declared filters. */
function chosenBy(db: Queryable, place: Place, query: Query): Sql[] {
  const conditions: Sql[] = []
  for (const [name, condition] of Object.entries(special)) {
    const text = single(query, name)
    if (text !== undefined && text.trim() !== '') conditions.push(condition(db, place, text))
  }
  const hasCheckin = flagParameter(query, 'has_checkin')
  if (hasCheckin !== undefined) conditions.push(hasCheckin ? admitted : sql`NOT ${admitted}`)
  return conditions
}

/** The condition that positions belong to an event, canceled ones only when a query asks for them. */
function ofEvent({ organizer, event }: Place, query: Query): Sql {
  const all = flagParameter(query, 'include_canceled_positions') === true
  return sql`o.organizer = ${organizer} AND o.event = ${event} AND p.organizer = ${organizer} AND p.event = ${event}
    AND p.order_id = o.id${all ? empty : sql` AND p.canceled = 0`}`
}

const columns: Readonly<Record<string, { readonly column: Sql; readonly text: boolean }>> = {
  order__code: { column: sql`o.code`, text: true },
  order__datetime: { column: sql`o.datetime`, text: false },
  order__status: { column: sql`o.status`, text: true },
  positionid: { column: sql`p.positionid`, text: false },
  attendee_name: { column: sql`NULLIF(p.name_key, '')`, text: true },
}

function orderOf({ engine }: Queryable, query: Query): Sql {
  const words = (single(query, 'ordering') ?? '').split(',').flatMap((word) => {
    const known = columns[word.replace(/^-/, '')]
    return known ? [sortBy(engine, known.column, known.text, word.startsWith('-'))] : []
  })
  return join([...(words.length > 0 ? words : [sql`o.datetime, p.positionid`]), sql`p.id`])
}

/** Which positions of an event a query finds. */
export async function findEventPositions(
  db: Queryable,
  place: Place,
  query: Query,
  page: { readonly size: number; readonly offset: number },
): Promise<FoundPositions> {
  const chosen = chosenBy(db, place, query)
  const tables = tablesFor(place, filterConditions(orderPosition, query), chosen)
  const where = join([ofEvent(place, query), ...chosen], ' AND ')
  const counted = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${tables} WHERE ${where}`)
  const rows = await db.all<{ id: number }>(
    sql`SELECT p.id FROM ${tables} WHERE ${where} ORDER BY ${orderOf(db, query)} LIMIT ${page.size} OFFSET ${page.offset}`,
  )
  const ids = rows.map((row) => row.id)
  return { count: Number(counted?.count ?? 0), positions: await positionsById(db, place.organizer, ids) }
}

/** The positions with some ids, in the order of the ids. */
async function positionsById(
  db: Queryable,
  organizer: number,
  ids: readonly number[],
): Promise<PositionCells[]> {
  if (ids.length === 0) return []
  const found = await selectPositions(
    db,
    sql`p.organizer = ${organizer} AND p.id IN (${join([...ids])})`,
    sql`p.id`,
  )
  const byId = new Map(found.map((cells) => [cells.id, cells]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}
