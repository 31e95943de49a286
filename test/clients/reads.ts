import assert from 'node:assert/strict'
import type { JsonObject } from '../../schema/fields.ts'

/**
 * How an app reads a field: `text`, `long`, `flag`, `object` and `list` must be there and be that, those with a question
 * mark may be null or missing; `moment` is a text that names an instant with its offset, `texts` an object that holds
 * texts alone.
 */
type Kind = 'text' | 'long' | 'flag' | 'object' | 'list' | 'moment' | 'texts'
type Read = Kind | `${Kind}?`

/** What is read of an object, by the names of its fields. */
export type Reads = Readonly<Record<string, Read>>

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/

const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
  text: (value) => typeof value === 'string',
  long: Number.isSafeInteger,
  flag: (value) => typeof value === 'boolean',
  object: isObject,
  list: Array.isArray,
  moment: (value) => typeof value === 'string' && instant.test(value) && !Number.isNaN(Date.parse(value)),
  texts: (value) => isObject(value) && Object.values(value).every((one) => typeof one === 'string'),
}

function readable(value: unknown, read: Read): boolean {
  const kind = read.replace('?', '')
  return (read.endsWith('?') && (value === null || value === undefined)) || fits[kind]?.(value) === true
}

/** Reads what a program needs of an object; the first thing that it cannot read is a failure. */
export function readAs(reads: Reads, value: unknown, what: string): JsonObject {
  assert.ok(isObject(value), `${what} is no object: ${JSON.stringify(value)}`)
  for (const [name, read] of Object.entries(reads))
    assert.ok(readable(value[name], read), `${what}.${name} is not ${read}: ${JSON.stringify(value[name])}`)
  return value
}

/** Reads every object of a list in the same way. */
export function readAll(reads: Reads, values: unknown, what: string): JsonObject[] {
  assert.ok(Array.isArray(values), `${what} is no list: ${JSON.stringify(values)}`)
  return values.map((value) => readAs(reads, value, what))
}
