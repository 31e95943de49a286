import { marksOf } from '../../schema/fields.ts'
import type { Resource } from '../../schema/resource.ts'
import type { RowData } from './codec.ts'
import { storedFields } from './store.ts'

const blanks = new WeakMap<Resource, RowData>()

function blankOf(resource: Resource): RowData {
  const known = blanks.get(resource)
  if (known) return known
  const fields = Object.entries(storedFields(resource))
  const blank = Object.fromEntries(fields.map(([name, field]) => [name, marksOf(field).default ?? null]))
  blanks.set(resource, blank)
  return blank
}

/** Values of all stored fields of a row about which nothing was said. */
export function blankRow(resource: Resource): RowData {
  const row = { ...blankOf(resource) }
  // Lists and objects are each row's own.
  for (const [name, value] of Object.entries(row))
    if (typeof value === 'object' && value !== null) row[name] = structuredClone(value)
  return row
}
