import fc from 'fast-check'
import { seed } from '../support/mocha/chance.ts'
import { description } from '../support/servers/described.ts'
import { seeded } from '../support/ticketing/messy-guest-list.ts'

/** Draws a number from 0 up to 1. */
export type Draw = () => number

/** Draws one of some values. */
export const pick = <T>(draw: Draw, values: readonly T[]): T =>
  values[Math.floor(draw() * values.length)] as T

type Schema = Readonly<Record<string, unknown>>

/** What is known of the server's data: ids and words that some name refers to. */
export interface Known {
  of(name: string): readonly unknown[]
}

/** What people try who mean no good, and what only happens to be odd. */
const odd: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1.5,
  1e300,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u0007\u001b[31m',
  '😀ä€\u0301',
  "'; DROP TABLE checkin; --",
  '<img src=x onerror="alert(1)">',
  '%',
  '%_\\',
  '{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'x'.repeat(5001),
  '9007199254740993',
  '-9223372036854775809',
  '2030-13-45T99:99:99Z',
  '9999-12-31T23:59:59-23:59',
  '0001-01-01',
  '0000-00-00T00:00:00Z',
  '99999999999.99',
  '-99999999999.99',
  'NaN',
  'Infinity',
  [],
  [null],
  [[[[]]]],
  {},
  { en: 5 },
  { '': '' },
  JSON.parse('{"__proto__": 1, "constructor": {"prototype": 1}}'),
  { toString: 0, valueOf: 0 },
  [{ toString: 0, valueOf: 0 }],
  { toJSON: 0, length: 1, hasOwnProperty: 0 },
  { '<': [{ var: 'entries_number' }, 3] },
  { and: [{ or: [] }, { '==': 1 }] },
]

/** The same with what a library for it invents. */
export const hostile: readonly unknown[] = [
  ...odd,
  ...fc.sample(fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.integer(), fc.double()), {
    seed,
    numRuns: 400,
  }),
]

const words = ['gala', 'web', 'en', 'de', 'Ann', 'Ticket', 'paid', 'AAAAA', 'x', 'banktransfer', 'manual']

function inventText(draw: Draw, schema: Schema, name: string, known: Known): string {
  const text = anyText(draw, schema, name, known)
  return text.slice(0, Number(schema.maxLength ?? text.length))
}

function anyText(draw: Draw, schema: Schema, name: string, known: Known): string {
  const own = known.of(name)
  if (own.length > 0 && draw() < 0.7) return String(pick(draw, own))
  const day = `20${pick(draw, [25, 26, 30, 35])}-0${pick(draw, [1, 6, 9])}-1${pick(draw, [0, 5, 9])}`
  switch (schema.format) {
    case 'money':
    case 'decimal':
      return pick(draw, ['0.00', '23.00', '5.00', '10', '0.01', '19.99', '-5.00', '100.00'])
    case 'percent':
      return pick(draw, ['0.00', '7.00', '19.00', '100.00', '33.33'])
    case 'date-time':
      return `${day}T${pick(draw, ['00:00:00Z', '12:30:00+02:00', '23:59:59.999999Z'])}`
    case 'date':
      return day
    case 'time-of-day':
      return pick(draw, ['08:00', '23:59:59'])
    case 'email':
      return pick(draw, ['ann@example.org', 'bob@example.org', `c${Math.floor(draw() * 1e6)}@example.org`])
  }
  const pattern = String(schema.pattern ?? '')
  if (pattern.includes('[A-Z]{3}')) return pick(draw, ['EUR', 'USD'])
  if (pattern.includes('A-NP-Z')) return `F${Math.floor(draw() * 1e7)}`
  if (pattern.includes('api\\.')) return `api.${Math.floor(draw() * 1e6)}`
  if (pattern.includes('admin')) return pick(draw, ['admin', 'api:fuzz'])
  if (schema.maxLength === 2) return pick(draw, ['DE', 'US', 'FR'])
  if (schema.minLength === undefined && draw() < 0.2) return ''
  return draw() < 0.5 ? pick(draw, words) : `${pick(draw, words)}${Math.floor(draw() * 1e5)}`.padEnd(6, 'x')
}

/** A value that fits a schema, as far as a schema says what fits. */
export function invent(draw: Draw, schema: Schema, known: Known, name = '', depth = 0): unknown {
  if (typeof schema.$ref === 'string') {
    const target = description.components.schemas[schema.$ref.split('/').at(-1) ?? '']
    return invent(draw, target ?? {}, known, name, depth)
  }
  if (Array.isArray(schema.anyOf))
    return invent(draw, pick(draw, schema.anyOf as Schema[]), known, name, depth)
  if (Array.isArray(schema.enum)) return pick(draw, schema.enum)
  const types = [schema.type ?? 'object'].flat() as string[]
  const type = pick(draw, types.length > 1 && draw() < 0.6 ? types.filter((one) => one !== 'null') : types)
  switch (type) {
    case 'null':
      return null
    case 'boolean':
      return draw() < 0.5
    case 'integer': {
      const own = known.of(String(schema['x-refers-to'] ?? name))
      if (own.length > 0 && draw() < 0.95) return pick(draw, own)
      return Math.max(Number(schema.minimum ?? 0), pick(draw, [0, 1, 2, 3, 5, 10, 100]))
    }
    case 'number':
      return pick(draw, [0, 1.5, 52.5, -13.4])
    case 'string':
      return inventText(draw, schema, name, known)
    case 'array':
      return inventList(draw, schema, known, name, depth)
    default:
      return inventObject(draw, schema, known, name, depth)
  }
}

function inventList(draw: Draw, schema: Schema, known: Known, name: string, depth: number): unknown[] {
  const count = Math.max(Number(schema.minItems ?? 0), depth > 4 ? 0 : pick(draw, [0, 1, 1, 1, 2, 3]))
  const to = schema['x-refers-to']
  const items = { ...((schema.items ?? {}) as Schema), ...(to === undefined ? {} : { 'x-refers-to': to }) }
  const list = Array.from({ length: count }, () => invent(draw, items, known, name, depth + 1))
  return schema.uniqueItems ? [...new Set(list)] : list
}

function inventObject(
  draw: Draw,
  schema: Schema,
  known: Known,
  name: string,
  depth: number,
): Record<string, unknown> {
  const required = new Set((schema.required ?? []) as string[])
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const often = draw() < 0.6 ? 0.06 : 0.4
  const object = Object.fromEntries(
    properties
      .filter(([key, { 'x-refers-to': to }]) => required.has(key) || draw() < (to ? often / 2 : often))
      .map(([key, inner]) => [key, invent(draw, inner, known, key, depth + 1)]),
  )
  const own = properties.length === 0 ? known.of(name) : []
  if (own.length > 0) return pick(draw, own) as Record<string, unknown>
  const rest = schema.additionalProperties
  if (properties.length === 0 && typeof rest === 'object' && rest !== null)
    for (const key of ['en', 'given_name'])
      if (draw() < 0.6) object[key] = invent(draw, rest as Schema, known, key, depth + 1)
  return Object.keys(object).length === 0 && schema.minProperties === 1 ? { en: 'Something' } : object
}

/** What holds values under keys or numbers. */
export type Holder = Record<string | number, unknown>

/** Every place in a value where another one could stand. */
export function placesIn(value: unknown, found: (readonly [Holder, string | number])[] = []) {
  if (typeof value !== 'object' || value === null) return found
  const holder = value as Holder
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    found.push([holder, key])
    placesIn(holder[key], found)
  }
  return found
}

/** A value with something odd in one place or two; changes it. */
export function spoil(draw: Draw, value: unknown): unknown {
  for (let times = pick(draw, [1, 1, 1, 2]); times > 0; times -= 1) {
    const places = placesIn(value)
    if (places.length === 0) return structuredClone(pick(draw, hostile))
    const [holder, key] = pick(draw, places)
    if (draw() < 0.25 && !Array.isArray(holder)) delete holder[key]
    else holder[key] = structuredClone(pick(draw, hostile))
  }
  return value
}

export { seeded }
