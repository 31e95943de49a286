import { type Field, type Fields, marksOf, type RowOf } from '../../schema/fields.ts'
import { readAnyInstant, shownInstant } from '../../schema/instants.ts'
import type { Cells } from '../storage/database.ts'

/** A row in its JSON form: what the API shows and takes. */
export type RowData = Record<string, unknown>

type Cell = string | number | null

/** Hundredths of an amount written with up to two decimals: '23.5' is 2350. */
export function hundredths(amount: string): number {
  const negative = amount.startsWith('-')
  const [whole = '0', fraction = ''] = (negative ? amount.slice(1) : amount).split('.')
  const value = Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'))
  return negative && value !== 0 ? -value : value
}

/** An amount in hundredths as it is written: 2350 is '23.50'. */
export function amountOf(value: number): string {
  const size = Math.abs(value)
  const text = `${Math.floor(size / 100)}.${String(size % 100).padStart(2, '0')}`
  return value < 0 ? `-${text}` : text
}

const isStored = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/

/** One value as it is stored. */
export function encode(field: Field<unknown>, value: unknown): Cell {
  if (value === null || value === undefined) return null
  switch (marksOf(field).kind) {
    case 'flag':
      return value ? 1 : 0
    case 'money':
    case 'percent':
      return hundredths(String(value))
    case 'multilingual':
    case 'refs':
    case 'texts':
    case 'json':
      return JSON.stringify(value)
    case 'id':
    case 'integer':
    case 'float':
    case 'ref':
      return Number(value)
    case 'datetime':
      // A row that was read has the short form, which would sort differently.
      return isStored.test(String(value)) ? String(value) : (readAnyInstant(String(value)) ?? String(value))
    case 'text':
    case 'decimal':
    case 'date':
    case 'time':
      return String(value)
  }
}

/** One stored value as it is shown. */
function decode(field: Field<unknown>, cell: Cell | undefined): unknown {
  return decodeKind(marksOf(field).kind, cell)
}

function decodeKind(kind: Kind, cell: Cell | undefined): unknown {
  if (cell === null || cell === undefined) return null
  switch (kind) {
    case 'flag':
      return cell === 1
    case 'money':
    case 'percent':
      return amountOf(Number(cell))
    case 'multilingual':
    case 'refs':
    case 'texts':
    case 'json':
      return JSON.parse(String(cell))
    case 'datetime':
      return shownInstant(String(cell))
    case 'id':
    case 'integer':
    case 'float':
    case 'ref':
    case 'text':
    case 'decimal':
    case 'date':
    case 'time':
      return cell
  }
}

type Kind = ReturnType<typeof marksOf>['kind']

const kinds = new WeakMap<Fields, readonly (readonly [string, Kind])[]>()

/** The names and kinds of a declaration's fields, made once. */
function kindsOf(fields: Fields): readonly (readonly [string, Kind])[] {
  const known = kinds.get(fields)
  if (known) return known
  const fresh = Object.entries(fields).map(([name, field]) => [name, marksOf(field).kind] as const)
  kinds.set(fields, fresh)
  return fresh
}

/** Stored cells as the JSON form of the given fields, after what the row begins with. */
export function decodeRow<F extends Fields>(fields: F, cells: Cells): RowOf<F>
export function decodeRow<F extends Fields, B extends object>(fields: F, cells: Cells, row: B): B & RowOf<F>
export function decodeRow(fields: Fields, cells: Cells, row: RowData = {}): RowData {
  for (const [name, kind] of kindsOf(fields)) row[name] = decodeKind(kind, cells[name])
  return row
}

/** A row as it will be read back once it is stored: every value in the one form that it is shown in. */
export function settled<T extends object>(fields: Fields, row: T): T {
  const result: RowData = Object.fromEntries(Object.entries(row))
  for (const [name, field] of Object.entries(fields))
    if (name in row) result[name] = decode(field, encode(field, result[name]))
  return result as T
}
