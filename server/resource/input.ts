import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import type { XStatic } from 'typebox/schema'
import { type Field, type Fields, marksOf, type RowOf } from '../../schema/fields.ts'
import { readInstant, storedYears } from '../../schema/instants.ts'
import { textLanguageOf, textLanguages } from '../../schema/multilingual.ts'
import { type FieldErrors, invalid, Refusal } from '../errors.ts'
import { addBounds } from './bounds.ts'
import { type RowData, settled } from './codec.ts'

/** One validator for the whole server: all errors at once, and the formats that the fields use. */
export const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, verbose: false })
ajv.addKeyword('x-gatehouse')
addBounds(ajv)
ajv.addFormat('money', /^-?\d{1,11}\.\d{2}$/)
ajv.addFormat('percent', { validate: (text: string) => /^\d{1,3}\.\d{2}$/.test(text) && Number(text) <= 100 })
ajv.addFormat('decimal', /^-?\d{1,50}(\.\d{1,25})?$/)
ajv.addFormat('date-time', {
  validate: (text: string) => text.length === 27 && readInstant(text) === text,
})
ajv.addFormat('date', {
  validate: (text: string) => text.length === 10 && readInstant(text) !== undefined,
})
ajv.addFormat('time-of-day', /^([01]\d|2[0-3]):[0-5]\d(:[0-5]\d)?$/)
ajv.addFormat('email', /^[^\s@]+@[^\s@]+\.[^\s@]+$/)
ajv.addFormat('slug', /^(?!\.+$)[a-zA-Z0-9.\-_]+$/)

const yes = new Set<unknown>([true, 'true', 'True', 1, '1'])
const no = new Set<unknown>([false, 'false', 'False', 0, '0'])

/** A decimal text in its plain form with at least two decimals, or the value as it came when it is not a number. */
function plainAmount(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : ''
  const match = /^([+-]?)0*(\d+)(?:\.(\d*?)0*)?$/.exec(text)
  if (!match) return value
  const [, sign, whole = '0', fraction = ''] = match
  return `${sign === '-' ? '-' : ''}${whole}.${fraction.padEnd(2, '0')}`
}

const wholeNumber = (value: unknown): unknown =>
  typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : value

/** Text that is blank in every language is no text. One more than all languages is enough to see that one is none. */
function textIn(value: unknown): unknown {
  if (!isObject(value)) return value
  const names = Object.keys(value).slice(0, textLanguages.length + 1)
  const texts = names.map((name) => [name, value[name]] as const)
  return texts.every(([, text]) => text === '') ? {} : Object.fromEntries(texts)
}

/** Whether a value is an object that has fields. */
export const isObject = (value: unknown): value is RowData =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What was sent for a field in the form that its schema describes, where that can be seen; else as it came. */
function coerce(field: Field<unknown>, value: unknown, locale: string): unknown {
  if (value === null) return null
  switch (marksOf(field).kind) {
    case 'flag':
      return yes.has(value) ? true : no.has(value) ? false : value
    case 'id':
    case 'integer':
    case 'ref':
      return wholeNumber(value)
    case 'float':
      return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value.trim()) ? Number(value) : value
    case 'money':
    case 'percent':
      return plainAmount(value)
    case 'decimal':
      return typeof value === 'number' ? String(value) : value
    case 'text':
      return typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : value
    case 'datetime':
      return typeof value === 'string' ? (readInstant(value.trim()) ?? value) : value
    case 'multilingual':
      return textIn(typeof value === 'string' ? { [textLanguageOf(locale)]: value } : value)
    case 'refs':
      return Array.isArray(value) ? value.map(wholeNumber) : value
    case 'date':
    case 'time':
    case 'texts':
    case 'json':
      return value
  }
}

const wrongType: Readonly<Record<string, string>> = {
  integer: 'A valid integer is required.',
  number: 'A valid number is required.',
  boolean: 'Must be a valid boolean.',
  string: 'Not a valid string.',
  array: 'Expected a list of items.',
  object: 'Expected an object.',
}

const withinYears = `from the year ${storedYears.first} to ${storedYears.last}`

/** What is said of a text that is no moment, or none that is stored. */
export const wrongInstant = `Datetime has wrong format. Use ISO 8601, such as 2026-12-31T18:00:00Z, ${withinYears}.`

const wrongFormat: Readonly<Record<string, string>> = {
  money: 'A valid amount with at most two decimals is required.',
  percent: 'A percentage between 0 and 100 with at most two decimals is required.',
  decimal: 'A valid number is required.',
  'date-time': wrongInstant,
  date: `Date has wrong format. Use YYYY-MM-DD, ${withinYears}.`,
  'time-of-day': 'Time has wrong format. Use HH:MM[:SS].',
  email: 'Enter a valid email address.',
  slug: 'Use letters, digits, dots, dashes and underscores only.',
}

/** One complaint of the validator in words for the person who sent the value. */
function explain(error: ErrorObject, value: unknown): string {
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return 'This field is required.'
    case 'type': {
      if (value === null) return 'This field may not be null.'
      const types: readonly string[] = [params.type].flat()
      return wrongType[types[0] ?? ''] ?? 'This value has the wrong type.'
    }
    case 'minLength':
    case 'minProperties':
      return params.limit === 1
        ? 'This field may not be blank.'
        : `Ensure this field has at least ${params.limit} characters.`
    case 'maxLength':
      return `Ensure this field has no more than ${params.limit} characters.`
    case 'maxItems':
      return `Ensure this field has no more than ${params.limit} elements.`
    case 'maxProperties':
      return `Ensure this field has no more than ${params.limit} entries.`
    case 'propertyNames':
      return 'Invalid languages included.'
    case 'minimum':
      return `Ensure this value is greater than or equal to ${params.limit}.`
    case 'maximum':
      return `Ensure this value is less than or equal to ${params.limit}.`
    case 'enum':
      return `${JSON.stringify(value)?.slice(0, 100)} is not a valid choice.`
    case 'format':
      return wrongFormat[String(params.format)] ?? 'This value has the wrong format.'
    case 'uniqueItems':
      return 'The same value is listed twice.'
    default:
      return `This value ${error.message ?? 'is not valid'}.`
  }
}

const at = (value: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (inner, key) =>
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>)[key] : undefined,
    value,
  )

/** The validator's complaints by field, each field with its list of messages. */
function fieldErrors(errors: readonly ErrorObject[], data: unknown): FieldErrors {
  const messages: Record<string, string[]> = {}
  for (const error of errors) {
    const path = error.instancePath
      .split('/')
      .slice(1)
      .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    const name =
      path[0] ?? (error.keyword === 'required' ? String(error.params.missingProperty) : 'non_field_errors')
    const list = messages[name] ?? []
    const value = at(data, path)
    // Nothing is not one of a few words either, but that is said already.
    if (value === null && error.keyword === 'enum') continue
    const message = explain(error, value)
    if (!list.includes(message)) list.push(message)
    messages[name] = list
  }
  return messages
}

/** A compiled check of a body against an object schema. */
const validators = new WeakMap<object, ValidateFunction>()

/** Checks data against a JSON Schema; throws 400 with messages by field. */
export function check<const S extends object>(schema: S, data: unknown): asserts data is XStatic<S> {
  const known = validators.get(schema) ?? ajv.compile(schema)
  validators.set(schema, known)
  if (!known(data)) throw invalid(fieldErrors(known.errors ?? [], data))
}

/** The JSON Schema of a request body that writes these fields. */
function bodySchema(fields: Fields, partial: boolean): object {
  const writable = Object.entries(fields).filter(([, field]) => !marksOf(field).readOnly)
  return {
    type: 'object',
    properties: Object.fromEntries(writable.map(([name, field]) => [name, { ...field }])),
    required: partial ? [] : writable.filter(([, field]) => marksOf(field).required).map(([name]) => name),
  }
}

const schemas = new WeakMap<Fields, { whole: object; part: object }>()

/**
 * Reads a request body into the values of the given fields: unknown and read-only keys are ignored, values coerced and
 * checked. With `partial` only what was sent; else defaults fill what was not. Throws 400 with messages by field.
 */
export function readBody<F extends Fields, P extends boolean>(
  fields: F,
  body: unknown,
  options: { partial: P; locale: string },
): P extends true ? Partial<RowOf<F>> : RowOf<F> {
  if (!isObject(body)) throw invalid({ non_field_errors: ['Invalid data. Expected an object.'] })
  const row: RowData = {}
  for (const [name, field] of Object.entries(fields)) {
    if (marksOf(field).readOnly || !Object.hasOwn(body, name)) continue
    row[name] = coerce(field, body[name], options.locale)
  }
  const cached = schemas.get(fields) ?? { whole: bodySchema(fields, false), part: bodySchema(fields, true) }
  schemas.set(fields, cached)
  check(options.partial ? cached.part : cached.whole, row)
  if (!options.partial) {
    for (const [name, field] of Object.entries(fields)) {
      const marks = marksOf(field)
      if (!marks.readOnly && !(name in row)) row[name] = ownDefault(marks.default)
    }
  }
  return row as P extends true ? Partial<RowOf<F>> : RowOf<F>
}

/** A default of its own for a row, where it could be changed. */
const ownDefault = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? structuredClone(value) : value

/** What was read of a list of objects: the values, and the errors of each, aligned with what was sent. */
export interface Entries<F extends Fields> {
  readonly rows: RowOf<F>[]
  /** Undefined when there is none. */
  readonly errors: readonly FieldErrors[] | readonly string[] | undefined
}

const mostEntries = 1000

/** Reads a list of objects that was sent inside a body, each as a whole with the given fields. */
export function readEntries<F extends Fields>(fields: F, sent: unknown, locale: string): Entries<F> {
  if (!Array.isArray(sent)) return { rows: [], errors: ['Expected a list of items.'] }
  if (sent.length > mostEntries) return { rows: [], errors: [`Send at most ${mostEntries} of these.`] }
  const rows: RowOf<F>[] = []
  const errors: FieldErrors[] = sent.map((entry) => {
    try {
      rows.push(settled(fields, readBody(fields, entry, { partial: false, locale })))
      return {}
    } catch (cause) {
      if (cause instanceof Refusal && cause.status === 400) return cause.body as FieldErrors
      throw cause
    }
  })
  return { rows, errors: errors.some((error) => Object.keys(error).length > 0) ? errors : undefined }
}
