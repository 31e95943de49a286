import sql, { bulk, join, type Sql } from 'sql-template-tag'
import { type Resource, tableOf } from '../../../schema/resource.ts'
import { organizer } from '../../../schema/resources/events/organizer.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import type { RowsOf } from '../../../schema/sync.ts'
import { encode } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { named, storedFields } from '../../resource/store.ts'
import type { Cells, Queryable } from '../../storage/database.ts'

/** A stored value. */
export type ReplicaCell = string | number | null

/** A row as it travels: cells in the order of its columns. */
export type Cut = RowsOf['rows'][number]

/** How rows of one resource that travel with some columns become rows of its table. */
export interface ReplicaShape {
  readonly resource: Resource
  readonly table: Sql
  /** Columns that are sent and that this program knows. */
  readonly columns: readonly string[]
  /** Where each of them is in a row that travels. */
  readonly places: readonly number[]
  readonly idAt: number
  /** Where the event of a row is, or -1. */
  readonly eventAt: number
  /** Columns that are not sent, with what a new row has there. */
  readonly missing: readonly (readonly [string, ReplicaCell])[]
}

/** The scope columns of a table. */
const scopeOf = (resource: Resource): string[] =>
  resource === organizer ? [] : resource.scope === 'event' ? ['organizer', 'event'] : ['organizer']

/**
 * How rows of a resource with these columns are stored, or undefined for a resource that this program does not know,
 * which a newer upstream server may send. `of` is the organizer where the rows do not say it.
 */
export function shapeOf(name: string, columns: readonly string[], of: number): ReplicaShape | undefined {
  const resource = name === organizer.name ? organizer : resourceByName.get(name)
  if (!resource) return undefined
  const fields = storedFields(resource)
  const all = [...scopeOf(resource), ...Object.keys(fields)]
  const known = all.filter((column) => columns.includes(column))
  const blank = blankRow<Resource>(resource)
  const missing = all
    .filter((column) => !columns.includes(column))
    .map((column): readonly [string, ReplicaCell] => {
      const field = fields[column]
      return [
        column,
        column === 'organizer' ? of : field ? blankCell(encode(field, blank[column]), field) : 0,
      ]
    })
  return {
    resource,
    table: named(tableOf(resource)),
    columns: known,
    places: known.map((column) => columns.indexOf(column)),
    idAt: columns.indexOf('id'),
    eventAt: columns.indexOf('event'),
    missing,
  }
}

/** What stands in a column that was kept from this node and may not be empty. */
function blankCell(cell: ReplicaCell, field: ReturnType<typeof storedFields>[string]): ReplicaCell {
  const { kind, nullable } = field['x-gatehouse']
  if (cell !== null || nullable) return cell
  if (kind === 'json' || kind === 'multilingual') return '{}'
  if (kind === 'refs' || kind === 'texts') return '[]'
  return ['integer', 'float', 'flag', 'money', 'percent', 'id', 'ref'].includes(kind) ? 0 : ''
}

/** The columns of a whole row, in the order of `cellsOf`. */
export const columnsOf = (shape: ReplicaShape): readonly string[] => [
  ...shape.columns,
  ...shape.missing.map(([column]) => column),
]

/** The cells of a whole new row. */
const cellsOf = (shape: ReplicaShape, row: Cut): ReplicaCell[] => [
  ...shape.places.map((place) => row[place] ?? null),
  ...shape.missing.map(([, cell]) => cell),
]

/** The id of a row. */
export const idOf = (shape: ReplicaShape, row: Cut): number => Number(row[shape.idAt])

/** The event of a row, or 0 for what belongs to the organizer. */
export const eventOf = (shape: ReplicaShape, row: Cut): number =>
  shape.resource.scope === 'event' && shape.eventAt >= 0 ? Number(row[shape.eventAt]) : 0

/** The condition that finds rows by their ids. */
const withIds = (shape: ReplicaShape, of: number, ids: readonly number[]): Sql =>
  shape.resource === organizer
    ? sql`id IN (${join([...ids])})`
    : sql`organizer = ${of} AND id IN (${join([...ids])})`

/** The rows that are here already, by id, with the columns that are sent. */
export async function existingRows(
  tx: Queryable,
  shape: ReplicaShape,
  of: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Cells>> {
  const found = await tx.all<Cells>(
    sql`SELECT ${join(shape.columns.map(named))} FROM ${shape.table} WHERE ${withIds(shape, of, ids)}`,
  )
  return new Map(found.map((cells) => [Number(cells.id), cells]))
}

/** Inserts new rows. */
export async function insertCut(tx: Queryable, shape: ReplicaShape, rows: readonly Cut[]): Promise<void> {
  if (rows.length === 0) return
  const columns = join(columnsOf(shape).map(named))
  await tx.run(
    sql`INSERT INTO ${shape.table} (${columns}) VALUES ${bulk(rows.map((row) => cellsOf(shape, row)))}`,
  )
}

/** Sets some columns of a row. */
export async function updateCut(
  tx: Queryable,
  shape: ReplicaShape,
  { of, id }: { readonly of: number; readonly id: number },
  changes: Readonly<Record<string, ReplicaCell>>,
): Promise<void> {
  const parts = Object.entries(changes).map(([column, cell]) => sql`${named(column)} = ${cell}`)
  await tx.run(sql`UPDATE ${shape.table} SET ${join(parts)} WHERE ${withIds(shape, of, [id])}`)
}
