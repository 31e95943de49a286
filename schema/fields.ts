import { type Static, type TUnsafe, Type } from 'typebox'
import { textLanguages } from './multilingual.ts'

/** What a field holds: decides its column, its JSON form and how input is read. */
export type Kind =
  | 'id'
  | 'integer'
  | 'float'
  | 'text'
  | 'flag'
  | 'money'
  | 'percent'
  | 'decimal'
  | 'multilingual'
  | 'datetime'
  | 'date'
  | 'time'
  | 'ref'
  | 'refs'
  | 'texts'
  | 'json'

/** What happens to the rows that point at a row when it is deleted. */
type OnDelete = 'refuse' | 'clear' | 'cascade'

/** The marks that the engine reads beside the JSON Schema itself. */
interface Marks {
  readonly kind: Kind
  readonly nullable: boolean
  readonly readOnly: boolean
  readonly required: boolean
  readonly default: unknown
  readonly to?: string
  readonly onDelete?: OnDelete
}

/** A field of a resource: a JSON Schema whose static type is T, plus the engine's marks. */
export type Field<T> = TUnsafe<T> & { readonly 'x-gatehouse': Marks }

/** The fields of a resource by name. */
export type Fields = Readonly<Record<string, Field<unknown>>>

/** An object in its JSON form of whose fields nothing is known: as it was sent, or as it is shown. */
export type JsonObject = Readonly<Record<string, unknown>>

/** The JSON form of a row with these fields. */
export type RowOf<F extends Fields> = { -readonly [K in keyof F]: Static<F[K]> }

interface Options<T> {
  readonly default?: T
}

const missing = Symbol('no default')

function field<T>(
  kind: Kind,
  schema: object,
  fallback: unknown = missing,
  marks: Partial<Marks> = {},
): Field<T> {
  const all: Marks = {
    kind,
    nullable: false,
    readOnly: false,
    required: fallback === missing,
    default: fallback === missing ? undefined : fallback,
    ...marks,
  }
  return Type.Unsafe<T>({ ...schema, 'x-gatehouse': all }) as Field<T>
}

const given = <T>(options: Options<T>): unknown => ('default' in options ? options.default : missing)

/** Another form of a field: the same schema with other marks. */
function remark<T>(source: Field<unknown>, schema: object, marks: Partial<Marks>): Field<T> {
  const { 'x-gatehouse': old, ...rest } = source as Field<unknown> & Record<string, unknown>
  return Type.Unsafe<T>({ ...rest, ...schema, 'x-gatehouse': { ...old, ...marks } }) as Field<T>
}

/** The id of a row, given by the server. */
export const id = (): Field<number> => field('id', { type: 'integer' }, 0, { readOnly: true })

/** A whole number. */
export const integer = (
  options: Options<number> & { minimum?: number; maximum?: number } = {},
): Field<number> => {
  const { default: _, ...limits } = options
  return field(
    'integer',
    { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991, ...limits },
    given(options),
  )
}

/** A number with a fraction, for places on the map. */
export const float = (options: { minimum?: number; maximum?: number } = {}): Field<number> =>
  field('float', { type: 'number', ...options })

/** One line or more of text; blank is refused where there is no default. */
export const text = (
  options: Options<string> & {
    maxLength?: number
    minLength?: number
    pattern?: string
    format?: string
  } = {},
): Field<string> => {
  const { default: _, ...limits } = options
  const blank = 'default' in options ? {} : { minLength: 1 }
  return field('text', { type: 'string', ...blank, maxLength: 5000, ...limits }, given(options))
}

/** One of a few words. */
export const choice = <const T extends string>(values: readonly T[], options: Options<T> = {}): Field<T> =>
  field('text', { type: 'string', enum: [...values] }, given(options))

/** Yes or no. */
export const flag = (fallback?: boolean): Field<boolean> =>
  field('flag', { type: 'boolean' }, fallback === undefined ? missing : fallback)

/** An amount of money: a string with two decimals. */
export const money = (options: Options<string> & { minimum?: number } = {}): Field<string> =>
  field('money', { type: 'string', format: 'money' }, given(options))

/** A percentage: a string with two decimals, 0 to 100. */
export const percent = (options: Options<string> = {}): Field<string> =>
  field('percent', { type: 'string', format: 'percent' }, given(options))

/** A decimal number of any precision, as a string. */
export const decimal = (options: Options<string> = {}): Field<string> =>
  field('decimal', { type: 'string', format: 'decimal', maxLength: 76 }, given(options))

/** Text in several languages: language code to string. */
export const multilingual = (options: Options<Record<string, string>> = {}): Field<Record<string, string>> =>
  field(
    'multilingual',
    {
      type: 'object',
      propertyNames: { enum: [...textLanguages] },
      additionalProperties: { type: 'string', maxLength: 65000 },
      minProperties: 'default' in options ? 0 : 1,
    },
    given(options),
  )

/** A moment: ISO 8601 in UTC. */
export const datetime = (options: Options<string> = {}): Field<string> =>
  field('datetime', { type: 'string', format: 'date-time' }, given(options))

/** A day: YYYY-MM-DD. */
export const date = (): Field<string> => field('date', { type: 'string', format: 'date' })

/** A time of day: HH:MM or HH:MM:SS. */
export const time = (): Field<string> => field('time', { type: 'string', format: 'time-of-day' })

const rowId = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }

/** The id of a row of another resource of the same event or organizer. */
export const ref = (to: string, onDelete: OnDelete = 'refuse'): Field<number> =>
  field('ref', rowId, missing, { to, onDelete })

/** The ids of rows of another resource; deleting one of them takes it off the list. */
export const refs = (to: string, options: Options<number[]> = { default: [] }): Field<number[]> =>
  field('refs', { type: 'array', items: rowId, uniqueItems: true, maxItems: 10000 }, given(options), { to })

/** A list of words. */
export const texts = (options: Options<string[]> & { each?: object } = {}): Field<string[]> =>
  field(
    'texts',
    { type: 'array', items: { type: 'string', maxLength: 255, ...options.each }, maxItems: 10000 },
    given(options),
  )

/**
 * How much JSON may hold: so many values, keys counted as well. Words that cost more than others where they are worked
 * with weigh as much as is said here.
 */
export interface Bound {
  readonly most: number
  readonly weights?: Readonly<Record<string, number>>
}

/** Enough for what people fill in, and little enough to be read while somebody waits. */
const usualBound: Bound = { most: 10_000 }

/** Any JSON of the given shape, stored as text. */
export const json = <T = unknown>(
  schema: object,
  { bound = usualBound, ...options }: Options<T> & { readonly bound?: Bound } = {},
): Field<T> => field('json', { ...schema, 'x-bound': bound }, given(options))

/** The slugs of events, where something is limited to some. */
export const eventSlugs = (): Field<string[]> =>
  json<string[]>(
    { type: 'array', items: { type: 'string', maxLength: 50 }, uniqueItems: true, maxItems: 5000 },
    { default: [] },
  )

/** The same field, which may also be null and is null when not given. */
export const nullable = <T>(source: Field<T>): Field<T | null> => {
  const { type, enum: words } = source as unknown as { type?: string; enum?: readonly string[] }
  const schema = { ...(type ? { type: [type, 'null'] } : {}), ...(words ? { enum: [...words, null] } : {}) }
  return remark(source, schema, { nullable: true, required: false, default: null })
}

/** The same field, which must be sent even though it has an empty form. */
export const required = <T>(source: Field<T>): Field<T> => remark(source, {}, { required: true })

/** The same field, shown but never taken from a request. */
export const readOnly = <T>(source: Field<T>): Field<T> =>
  remark(source, { readOnly: true }, { readOnly: true, required: false })

/** The engine's marks of a field. */
export const marksOf = (source: Field<unknown>): Marks => source['x-gatehouse']
