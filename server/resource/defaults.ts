import { marksOf } from '../../schema/fields.ts'
import type { Resource, StoredRow } from '../../schema/resource.ts'
import type { RowData } from './codec.ts'
import { storedFields } from './store.ts'

interface Blank {
  readonly row: RowData
  /** The fields whose values are lists or objects. */
  readonly own: readonly string[]
}

const blanks = new WeakMap<Resource, Blank>()

function blankOf(resource: Resource): Blank {
  const known = blanks.get(resource)
  if (known) return known
  const fields = Object.entries(storedFields(resource))
  const row = Object.fromEntries(fields.map(([name, field]) => [name, marksOf(field).default ?? null]))
  const own = Object.keys(row).filter((name) => typeof row[name] === 'object' && row[name] !== null)
  blanks.set(resource, { row, own })
  return { row, own }
}

/** Values of all stored fields of a row about which nothing was said. */
export function blankRow<R extends Resource>(resource: R): StoredRow<R> {
  const blank = blankOf(resource)
  const row = { ...blank.row }
  // Lists and objects are each row's own.
  for (const name of blank.own) row[name] = structuredClone(row[name])
  return row as StoredRow<R>
}
