import sql, { join, raw, type Sql } from 'sql-template-tag'
import type { Field, Fields } from '../../schema/fields.ts'
import { type Resource, type StoredRow, tableOf } from '../../schema/resource.ts'
import type { Cells, Queryable } from '../storage/database.ts'
import { decodeRow, encode } from './codec.ts'
import { type Insertion, insertion } from './insertion.ts'
import type { Place, Tx } from './transactions.ts'

const stored = new WeakMap<Resource, Fields>()

/** All stored fields of a resource: those shown and those hidden. */
export function storedFields(resource: Resource): Fields {
  const known = stored.get(resource)
  if (known) return known
  const fields = { ...resource.fields, ...resource.hidden }
  stored.set(resource, fields)
  return fields
}

/** The name of a table or column of a declaration; never text from outside. */
export const named = (name: string): Sql => raw(`"${name}"`)

/** The condition that keeps to the rows of a place. */
export const within = (resource: Resource, place: Place): Sql =>
  resource.scope === 'event'
    ? sql`organizer = ${place.organizer} AND event = ${place.event}`
    : sql`organizer = ${place.organizer}`

const feedPlace = (resource: Resource, place: Place): Place =>
  resource.scope === 'event' ? place : { organizer: place.organizer, event: 0 }

const scopeColumns = (resource: Resource): string[] =>
  resource.scope === 'event' ? ['organizer', 'event'] : ['organizer']

const scopeValues = (resource: Resource, place: Place): number[] =>
  resource.scope === 'event' ? [place.organizer, place.event] : [place.organizer]

const rowsPerInsert = 20

interface StoredInsertion {
  readonly insert: Insertion
  readonly fields: readonly (readonly [string, Field<unknown>])[]
}

const insertions = new WeakMap<Resource, StoredInsertion>()

function insertionOf(resource: Resource): StoredInsertion {
  const known = insertions.get(resource)
  if (known) return known
  const fields = Object.entries(storedFields(resource))
  const names = [...scopeColumns(resource), ...fields.map(([name]) => name)]
  const columns = join(names.map(named))
  const insert = insertion(
    names.length,
    (rows) => sql`INSERT INTO ${named(tableOf(resource))} (${columns}) VALUES ${rows}`,
    rowsPerInsert,
  )
  const fresh = { insert, fields }
  insertions.set(resource, fresh)
  return fresh
}

/** Inserts rows in their JSON form, ids included, and enters them into the change feed. */
export async function insertRows<R extends Resource>(
  tx: Tx,
  resource: R,
  place: Place,
  rows: readonly StoredRow<R>[],
): Promise<void> {
  const { insert, fields } = insertionOf(resource)
  const scope = scopeValues(resource, place)
  const values = rows.map((row) => [...scope, ...fields.map(([name, field]) => encode(field, row[name]))])
  await insert(tx, values)
  for (const row of rows) tx.changed(feedPlace(resource, place), resource.name, Number(row.id), 'put')
}

/** Inserts one row; see insertRows. */
export const insertRow = <R extends Resource>(
  tx: Tx,
  resource: R,
  place: Place,
  row: StoredRow<R>,
): Promise<void> => insertRows(tx, resource, place, [row])

/** Sets some stored fields of the row with an id and enters it into the change feed. */
export async function updateRow<R extends Resource>(
  tx: Tx,
  resource: R,
  place: Place,
  { id, ...changes }: Partial<StoredRow<R>> & { readonly id: number },
): Promise<void> {
  const fields = storedFields(resource)
  const parts = Object.entries(changes).flatMap(([name, value]) => {
    const field = fields[name]
    return field ? [sql`${named(name)} = ${encode(field, value)}`] : []
  })
  if (parts.length === 0) return
  await tx.run(
    sql`UPDATE ${named(tableOf(resource))} SET ${join(parts)} WHERE ${within(resource, place)} AND id = ${id}`,
  )
  tx.changed(feedPlace(resource, place), resource.name, id, 'put')
}

/** Removes a row and leaves a tombstone in the change feed. */
export async function removeRow(tx: Tx, resource: Resource, place: Place, id: number): Promise<void> {
  await tx.run(sql`DELETE FROM ${named(tableOf(resource))} WHERE ${within(resource, place)} AND id = ${id}`)
  tx.changed(feedPlace(resource, place), resource.name, id, 'delete')
}

/** Stored cells as a row in its JSON form, hidden fields included. */
export const rowOf = <R extends Resource>(resource: R, cells: Cells): StoredRow<R> =>
  decodeRow(storedFields(resource), cells) as StoredRow<R>

/** Values that rows are found by, usually their `id` alone; what a unique key of a place is made of. */
type RowKey<R extends Resource> = { readonly [K in keyof StoredRow<R>]?: StoredRow<R>[K] }

const having = (resource: Resource, key: object): Sql =>
  join(
    Object.entries(key).map(([name, value]) => {
      const field = storedFields(resource)[name]
      if (!field) throw new Error(`The declaration of ${resource.name} has no field ${name}.`)
      return sql`${named(name)} = ${encode(field, value)}`
    }),
    ' AND ',
  )

/** The row of a place that has these values, hidden fields included, or undefined. */
export async function findRow<R extends Resource>(
  db: Queryable,
  resource: R,
  place: Place,
  key: RowKey<R>,
): Promise<StoredRow<R> | undefined> {
  const cells = await db.get(
    sql`SELECT * FROM ${named(tableOf(resource))} WHERE ${within(resource, place)} AND ${having(resource, key)}`,
  )
  return cells && rowOf(resource, cells)
}

/** The same row, which nobody else changes until the transaction ends. */
export async function lockRow<R extends Resource>(
  tx: Tx,
  resource: R,
  place: Place,
  key: RowKey<R>,
): Promise<StoredRow<R> | undefined> {
  const cells = await tx.get(
    sql`SELECT * FROM ${named(tableOf(resource))} WHERE ${within(resource, place)} AND ${having(resource, key)}${tx.forUpdate}`,
  )
  return cells && rowOf(resource, cells)
}

/** The rows of a place that meet a condition, in an order (of their ids, unless said), hidden fields included. */
export async function findRows<R extends Resource>(
  db: Queryable,
  resource: R,
  place: Place,
  { where = sql`1 = 1`, order = sql`id` }: { readonly where?: Sql; readonly order?: Sql } = {},
): Promise<StoredRow<R>[]> {
  const found = await db.all(
    sql`SELECT * FROM ${named(tableOf(resource))} WHERE ${within(resource, place)} AND ${where} ORDER BY ${order}`,
  )
  return found.map((cells) => rowOf(resource, cells))
}

/** How many rows of a place meet a condition. */
export async function countRows(
  db: Queryable,
  resource: Resource,
  place: Place,
  condition: Sql,
): Promise<number> {
  const row = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM ${named(tableOf(resource))} WHERE ${within(resource, place)} AND ${condition}`,
  )
  return row?.count ?? 0
}

/** A value of one field as it is compared with its column. */
export const cellOf = (field: Field<unknown>, value: unknown): string | number | null => encode(field, value)
