import { type Field, type Fields, marksOf } from './fields.ts'

/** A JSON Schema, or any other part of the description of the interface. */
export type Json = Readonly<Record<string, unknown>>

/** A field as plain JSON Schema: without the engine's marks, but with its default and what its ids are of. */
export function plain(field: Field<unknown>): Json {
  const { 'x-gatehouse': marks, ...schema } = field as unknown as Record<string, unknown> & Field<unknown>
  const { default: fallback, readOnly, required, to } = marks
  return {
    ...schema,
    ...(readOnly || required || fallback === undefined ? {} : { default: fallback }),
    ...(to === undefined ? {} : { 'x-refers-to': to }),
  }
}

/** What a value must keep to when it is sent; what is shown may be older than such a limit. */
const limits = new Set([
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'propertyNames',
  'x-bound',
  'default',
])

/** A field as it is shown: only its type, its form and its words are promised. */
export const seen = (field: Field<unknown>): Json => withoutLimits(plain(field))

const withoutLimits = (schema: Json): Json =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !limits.has(key))
      .map(([key, inner]) => [
        key,
        typeof inner === 'object' && inner !== null && !Array.isArray(inner)
          ? withoutLimits(inner as Json)
          : inner,
      ]),
  )

/** An object that shows these fields, and what is inside of some. */
export const shownObject = (fields: Fields, required: readonly string[], inside: Json = {}): Json => ({
  type: 'object',
  properties: {
    ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, seen(field)])),
    ...inside,
  },
  required,
})

/** How long a list may be, which holds whatever is said of its rows elsewhere. */
const lengthOf = (schema: Json): Json =>
  Object.fromEntries(Object.entries(schema).filter(([key]) => key === 'minItems' || key === 'maxItems'))

/** An object with these fields, as JSON Schema. */
function objectOf(fields: Fields, required: readonly string[], inside: Json = {}): Json {
  const own = Object.entries(fields).map(([name, field]): readonly [string, Json] => {
    const schema = plain(field)
    const said = inside[name]
    return [name, typeof said === 'object' ? { ...lengthOf(schema), ...said } : schema]
  })
  return {
    type: 'object',
    properties: { ...inside, ...Object.fromEntries(own) },
    ...(required.length > 0 ? { required } : {}),
  }
}

/** The fields that a request may send. */
const writable = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => !marksOf(field).readOnly))

/** The body of a request that sends these fields; `inside` says more of some, or of others. */
export function bodySchema(fields: Fields, inside: Json = {}): Json {
  const sent = writable(fields)
  const needed = Object.entries(sent).filter(([, field]) => marksOf(field).required)
  return objectOf(
    sent,
    needed.map(([name]) => name),
    inside,
  )
}

/** The body of a request that sends some of these fields. */
export const changeSchema = (fields: Fields, inside: Json = {}): Json =>
  objectOf(writable(fields), [], inside)

/** One of the named schemas of the description. */
export const the = (name: string): Json => ({ $ref: `#/components/schemas/${name}` })

/** A list of something. */
export const listSchema = (items: Json): Json => ({ type: 'array', items })

/** The same, or null. */
export const orNull = (schema: Json): Json => ({ anyOf: [schema, { type: 'null' }] })

/** An object with these properties, all of them always there. */
export const exactly = (properties: Json): Json => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

/** A page of a list. */
export const pageSchema = (schema: Json): Json =>
  exactly({
    count: { type: 'integer' },
    next: { type: ['string', 'null'] },
    previous: { type: ['string', 'null'] },
    results: listSchema(schema),
  })
