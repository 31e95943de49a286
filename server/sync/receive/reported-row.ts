import { type Field, type Fields, type JsonObject, marksOf } from '../../../schema/fields.ts'
import { readInstant } from '../../../schema/instants.ts'
import { seen } from '../../../schema/json-schema.ts'
import type { Resource, StoredRow } from '../../../schema/resource.ts'
import { impossible } from '../../errors.ts'
import { blankRow } from '../../resource/defaults.ts'
import { check, isObject } from '../../resource/input.ts'
import { storedFields } from '../../resource/store.ts'

/** The moments of a row in the form they are stored in, whichever way they were written. */
export const settledMoments = (fields: Fields, row: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      const field = fields[name]
      const isMoment = field !== undefined && marksOf(field).kind === 'datetime'
      return [name, isMoment && typeof value === 'string' ? (readInstant(value) ?? value) : value]
    }),
  )

/** What a cell must be. How long a text may be is the matter of whoever took it: it has happened, and is reported. */
const cellOf = (field: Field<unknown>): object =>
  marksOf(field).kind === 'text' ? seen(field) : { ...field }

/**
 * Reads rows that another program has stored, which may be older or newer: what it does not know of is blank, what this
 * one does not know of is left out. `shapes` say more than a field, or something else, of what stands in it. The reader
 * throws 400 for what could not be read again once it were stored, and for nothing else.
 */
export function reportedRows<R extends Resource>(
  resource: R,
  shapes: Readonly<Record<string, object>> = {},
): (value: unknown) => StoredRow<R> & { readonly id: number } {
  const fields = storedFields(resource)
  const properties = Object.entries(fields).map(([name, field]) => [name, shapes[name] ?? cellOf(field)])
  const schema = { type: 'object', properties: Object.fromEntries(properties) }
  return (value) => {
    if (!isObject(value) || !Number.isSafeInteger(value.id) || Number(value.id) <= 0)
      throw impossible(`A row of ${resource.name} has no id.`)
    const sent = Object.fromEntries(Object.entries(value).filter(([name]) => Object.hasOwn(fields, name)))
    const row = { ...blankRow(resource), ...settledMoments(fields, sent) }
    check(schema, row)
    return { ...row, id: Number(value.id) }
  }
}
