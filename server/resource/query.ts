import sql, { join, raw, type Sql } from 'sql-template-tag'
import { type Field, marksOf } from '../../schema/fields.ts'
import { readAnyInstant } from '../../schema/instants.ts'
import type { Filter, Resource } from '../../schema/resource.ts'
import { invalid } from '../errors.ts'
import { cellOf, named, storedFields } from './store.ts'

/** The query of a request: the last value of each parameter, or all of them. */
export type Query = Readonly<Record<string, string | string[] | undefined>>

/** The last value of a query parameter, or undefined when it is absent. */
export function single(query: Query, name: string): string | undefined {
  const value = query[name]
  return Array.isArray(value) ? value.at(-1) : value
}

/** All values of a repeatable query parameter. */
export const repeated = (query: Query, name: string): string[] => {
  const value = query[name]
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

const refuse = (name: string, message: string): never => {
  throw invalid({ [name]: [message] })
}

/** A yes-or-no query parameter; undefined when absent or empty, 400 when it is neither. */
export function flagParameter(query: Query, name: string): boolean | undefined {
  const text = single(query, name)
  if (text === undefined || text === '') return undefined
  if (/^(true|1)$/i.test(text)) return true
  if (/^(false|0)$/i.test(text)) return false
  return refuse(name, 'Must be true or false.')
}

/** A whole-number query parameter; undefined when absent or empty, 400 when it is not one. */
export function integerParameter(query: Query, name: string): number | undefined {
  const text = single(query, name)
  if (text === undefined || text === '') return undefined
  return wholeNumber(name, text)
}

function wholeNumber(name: string, text: string): number {
  const value = Number(text.trim())
  return /^-?\d{1,16}$/.test(text.trim()) && Number.isSafeInteger(value)
    ? value
    : refuse(name, 'Enter a whole number.')
}

/** A comma-separated list of whole numbers; undefined when absent or empty, 400 when it holds anything else. */
export function integersParameter(query: Query, name: string): number[] | undefined {
  const text = single(query, name)
  if (text === undefined || text === '') return undefined
  return text.split(',').map((part) => wholeNumber(name, part))
}

/** A date-time query parameter in stored form; undefined when absent or empty, 400 when it is not one. */
export function instantParameter(query: Query, name: string): string | undefined {
  const text = single(query, name)
  if (text === undefined || text === '') return undefined
  // A plus sign that was not encoded arrives as a space.
  return readAnyInstant(text.replace(/ (\d\d:?\d\d)$/, '+$1')) ?? refuse(name, 'Enter a valid date/time.')
}

function comparable(field: Field<unknown>, name: string, text: string): string | number | null {
  switch (marksOf(field).kind) {
    case 'id':
    case 'integer':
    case 'ref':
      return wholeNumber(name, text)
    case 'money':
    case 'percent':
      return /^-?\d{1,11}(\.\d{1,2}0*)?$/.test(text) ? cellOf(field, text) : refuse(name, 'Enter a number.')
    case 'datetime':
      return readAnyInstant(text.replace(/ (\d\d:?\d\d)$/, '+$1')) ?? refuse(name, 'Enter a valid date/time.')
    default:
      return text
  }
}

/** Text compared without regard to case, the same on every engine for what people type in codes and addresses. */
export const lowered = (column: Sql): Sql => sql`lower(${column})`

function conditionOf(
  filter: Filter,
  field: Field<unknown>,
  { name, text }: { readonly name: string; readonly text: string },
  query: Query,
): Sql {
  const column = named(filter.field)
  if (filter.by === 'is-null' || filter.by === 'is-set') {
    const wanted = flagParameter(query, name)
    return wanted === (filter.by === 'is-null') ? sql`${column} IS NULL` : sql`${column} IS NOT NULL`
  }
  if (marksOf(field).kind === 'flag') return sql`${column} = ${flagParameter(query, name) ? 1 : 0}`
  switch (filter.by) {
    case 'equals':
      return sql`${column} = ${comparable(field, name, text)}`
    case 'same-text':
      return sql`${lowered(column)} = ${text.toLowerCase()}`
    case 'in':
      return sql`${column} IN (${join(text.split(',').map((part) => comparable(field, name, part)))})`
    case 'equals-or-null':
      return sql`(${column} = ${comparable(field, name, text)} OR ${column} IS NULL)`
    case 'at-least':
      return sql`${column} >= ${comparable(field, name, text)}`
    case 'less-than':
      return sql`${column} < ${comparable(field, name, text)}`
  }
}

/** The conditions that a resource's declared filters make of a query. */
export function filterConditions(resource: Resource, query: Query): Sql[] {
  const fields = storedFields(resource)
  return Object.entries(resource.filters ?? {}).flatMap(([name, filter]) => {
    const text = single(query, name)
    const field = fields[filter.field]
    return text === undefined || text === '' || !field
      ? []
      : [conditionOf(filter, field, { name, text }, query)]
  })
}

const textKinds = new Set(['text', 'multilingual', 'decimal'])

/** One column of an order: bytewise for text, so that every engine sorts alike; nothing comes first. */
export function sortBy(engine: 'sqlite' | 'postgres', column: Sql, text: boolean, descending: boolean): Sql {
  const collation = text && engine === 'postgres' ? raw(' COLLATE "C"') : raw('')
  return descending ? sql`${column}${collation} DESC NULLS LAST` : sql`${column}${collation} ASC NULLS FIRST`
}

/**
 * The order that a query asks for, made total by the id. Words that are not allowed are ignored; with none left the
 * default order is kept. `elsewhere` finds the words that are not columns of the resource.
 */
export function orderBy(
  resource: Resource,
  query: Query,
  engine: 'sqlite' | 'postgres',
  elsewhere: Readonly<Record<string, Sql>> = {},
): Sql {
  const { allowed, default: standard } = resource.ordering ?? { allowed: ['id'], default: 'id' }
  const fields = storedFields(resource)
  const asked = new Set((single(query, 'ordering') ?? '').split(','))
  const words = [...asked].filter((word) => allowed.includes(word.replace(/^-/, '')))
  const chosen = words.length > 0 ? words : standard.split(',')
  const parts = chosen.flatMap((word) => {
    const name = word.replace(/^-/, '')
    const field = fields[name]
    const isText = field !== undefined && textKinds.has(marksOf(field).kind)
    const column = field ? named(name) : elsewhere[name]
    return column ? [sortBy(engine, column, isText, word.startsWith('-'))] : []
  })
  return join([...parts, sql`id`])
}
