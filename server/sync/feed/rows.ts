import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import { type Resource, tableOf } from '../../../schema/resource.ts'
import { organizer } from '../../../schema/resources/events/organizer.ts'
import { named } from '../../resource/store.ts'
import type { Cells, Queryable } from '../../storage/database.ts'
import type { RowShape } from './columns.ts'
import type { View } from './view.ts'

const perStatement = 500
const mostWindow = 8000

/**
 * Ids for a list of values, filled up with the last of them to a power of two: statements of few lengths are prepared
 * once each, and do not drive those that requests wait for out of the cache.
 */
function padded(ids: readonly number[]): number[] {
  const size = 2 ** Math.ceil(Math.log2(Math.max(ids.length, 1)))
  return [...ids, ...Array.from({ length: size - ids.length }, () => ids.at(-1) ?? 0)]
}

/** A list of values for IN. */
export const listOf = (ids: readonly number[]): Sql => sql`(${join(padded(ids))})`

/** Parts of a list that a statement takes. */
export const chunksOf = <T>(list: readonly T[], size = perStatement): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, index) =>
    list.slice(index * size, (index + 1) * size),
  )

const ofOrganizer = (resource: Resource, view: View): Sql =>
  resource.name === organizer.name ? sql`id = ${view.organizer}` : sql`organizer = ${view.organizer}`

/** The condition that a device may see a row, for what one row of an event tells from another. */
function visible(resource: Resource, view: View): Sql {
  if (view.allEvents) return empty
  const column = resource.scope === 'event' ? 'event' : resource.name === 'event' ? 'id' : null
  if (column === null) return empty
  return sql` AND ${raw(column)} IN ${listOf([...view.events.keys()])}`
}

const selected = (shape: RowShape): Sql => sql`SELECT ${join(shape.read.map(named))} FROM ${tableAt(shape)}`

const tableAt = ({ resource }: RowShape): Sql => named(tableOf(resource))

/** The rows with these ids that a device may see, in no particular order. */
export async function rowsById(
  db: Queryable,
  view: View,
  shape: RowShape,
  ids: readonly number[],
): Promise<Cells[]> {
  const rows: Cells[] = []
  for (const some of chunksOf(ids))
    rows.push(
      ...(await db.all(
        sql`${selected(shape)} WHERE ${ofOrganizer(shape.resource, view)} AND id IN ${listOf(some)}${visible(shape.resource, view)}`,
      )),
    )
  return complete(db, view, shape, rows)
}

/** Rows of a resource in the order of their ids, as far as they were looked at. */
interface Stretch {
  readonly rows: readonly Cells[]
  /** Up to which id was looked, or null when there is nothing behind. */
  readonly last: number | null
}

/** Which rows of a resource are read. */
interface RowRange {
  /** The id behind which they are. */
  readonly after: number
  readonly limit: number
  /** The event that they belong to, or null for all that a device may see. */
  readonly event: number | null
}

/**
 * Some of the rows behind an id, at most `limit`, of one event or of all that a device may see. A statement looks at a
 * bounded number of rows whatever they belong to, so that none takes long; `window` is how many, and may find nothing.
 */
export async function rowsAfter(
  db: Queryable,
  view: View,
  shape: RowShape,
  { after, limit, event }: RowRange,
): Promise<Stretch> {
  const { resource } = shape
  const own = ofOrganizer(resource, view)
  const filter = event === null ? visible(resource, view) : sql` AND event = ${event}`
  if (filter === empty) {
    const rows = await db.all(
      sql`${selected(shape)} WHERE ${own} AND id > ${after} ORDER BY id LIMIT ${limit}`,
    )
    const last = rows.length < limit ? null : Number(rows.at(-1)?.id)
    return { rows: await complete(db, view, shape, rows), last }
  }
  const window = await db.get<{ count: number; last: number | null }>(
    sql`SELECT count(*) AS count, max(id) AS last FROM (SELECT id FROM ${tableAt(shape)} WHERE ${own} AND id > ${after} ORDER BY id LIMIT ${mostWindow}) ids`,
  )
  if (!window || window.last === null) return { rows: [], last: null }
  const rows = await db.all(
    sql`${selected(shape)} WHERE ${own} AND id > ${after} AND id <= ${window.last}${filter} ORDER BY id LIMIT ${limit}`,
  )
  const isWhole = rows.length < limit
  const last = !isWhole ? Number(rows.at(-1)?.id) : window.count < mostWindow ? null : window.last
  return { rows: await complete(db, view, shape, rows), last }
}

/** How many rows a device may see of a resource, up to an id; counted bit by bit, calling `rest` in between. */
export async function countUpTo(
  db: Queryable,
  view: View,
  { resource }: RowShape,
  { upTo, rest }: { readonly upTo: number; readonly rest: () => Promise<void> },
): Promise<number> {
  const own = ofOrganizer(resource, view)
  const filter = visible(resource, view)
  const wanted = filter === empty ? sql`1 = 1` : sql`1 = 1${filter}`
  const columns = resource.scope === 'event' ? sql`id, event` : sql`id`
  let total = 0
  for (let after: number | null = 0; after !== null; ) {
    const part: { seen: number; wanted: number; last: number | null } | undefined = await db.get(
      sql`SELECT count(*) AS seen, max(id) AS last, COALESCE(sum(CASE WHEN ${wanted} THEN 1 ELSE 0 END), 0) AS wanted
          FROM (SELECT ${columns} FROM ${named(tableOf(resource))} WHERE ${own} AND id > ${after} AND id <= ${upTo} ORDER BY id LIMIT ${mostWindow}) ids`,
    )
    total += part?.wanted ?? 0
    after = part && part.seen === mostWindow ? part.last : null
    await rest()
  }
  return total
}

/** Check-ins that were made without a code get that of their ticket where nothing else tells whose they are. */
async function complete(db: Queryable, view: View, { resource }: RowShape, rows: Cells[]): Promise<Cells[]> {
  if (view.withOrders || resource.name !== 'checkin') return rows
  const bare = rows.filter((row) => row.raw_barcode === null).map((row) => Number(row.id))
  if (bare.length === 0) return rows
  const secrets = new Map<number, string>()
  for (const some of chunksOf(bare))
    for (const { id, secret } of await db.all<{ id: number; secret: string }>(
      sql`SELECT c.id, p.secret FROM checkin c JOIN order_position p ON p.organizer = c.organizer AND p.id = c."position"
          WHERE c.organizer = ${view.organizer} AND c.id IN ${listOf(some)}`,
    ))
      secrets.set(id, secret)
  return rows.map((row) =>
    row.raw_barcode === null ? { ...row, raw_barcode: secrets.get(Number(row.id)) ?? null } : row,
  )
}
