import type { Field, Fields, RowOf } from './fields.ts'
import type { Requirement } from './permissions.ts'
import type { Audience } from './security-profiles.ts'

/** How a query parameter chooses rows by a field. */
type FilterBy =
  | 'equals'
  | 'same-text'
  | 'in'
  | 'equals-or-null'
  | 'at-least'
  | 'less-than'
  | 'is-null'
  | 'is-set'

/** One query parameter of a list. */
export interface Filter<Name extends string = string> {
  readonly field: Name
  readonly by: FilterBy
}

/** Filters that carry the names of the fields whose value they ask for. */
export const whereEqual = <const N extends string>(...names: readonly N[]): Readonly<Record<N, Filter<N>>> =>
  Object.fromEntries(names.map((field) => [field, { field, by: 'equals' }])) as Record<N, Filter<N>>

/** The same, with one more each, `…__in`, that takes several values. */
export const whereEqualOrIn = <const N extends string>(
  ...names: readonly N[]
): Readonly<Record<N | `${N}__in`, Filter<N>>> =>
  Object.fromEntries(
    names.flatMap((field) => [
      [field, { field, by: 'equals' }],
      [`${field}__in`, { field, by: 'in' }],
    ]),
  ) as Record<N | `${N}__in`, Filter<N>>

/** A standard operation. */
export type Operation = 'list' | 'retrieve' | 'create' | 'update' | 'replace' | 'delete'

/** Where a resource is found and what the engine does with it. Data only: behaviour is attached on the server. */
export interface Resource<F extends Fields = Fields, H extends Fields = Fields, C extends Fields = Fields> {
  /** The word for one row: also its table, unless `table` says otherwise, and its name in the change feed. */
  readonly name: string
  readonly table?: string
  /** The collection's path below its scope, or none for what has no endpoint of its own. */
  readonly path: string | null
  readonly scope: 'organizer' | 'event'
  /** The resource whose row the path names before this collection, and the field that holds its id. */
  readonly parent?: { readonly resource: string; readonly field: string; readonly key?: string }
  /** The field that names a row in a path. */
  readonly key?: string
  readonly fields: F
  /** Stored, never shown. */
  readonly hidden?: H
  /** Shown, never stored: computed when read. */
  readonly computed?: C
  readonly filters?: Readonly<Record<string, Filter<(keyof F & string) | (keyof H & string)>>>
  readonly ordering?: { readonly allowed: readonly string[]; readonly default: string }
  readonly permission: {
    readonly read: Requirement
    readonly write: Requirement
    readonly create?: Requirement
  }
  /** The most bytes that are received of a row, where that is not as usual. */
  readonly bodyLimit?: number
  /** Fields that keep their value after creation whatever is sent. */
  readonly immutable?: readonly string[]
  /** Fields that are unique among the rows of the same event or organizer. */
  readonly unique?: readonly string[]
  readonly omit?: readonly Operation[]
  /** Whether lists carry Last-Modified and answer If-Modified-Since. */
  readonly conditional?: boolean
  /** The filter that continues a list by time; such lists carry X-Page-Generated. */
  readonly since?: string
  /** The least audience that is given rows of it, by the API as by a copy; everybody where nothing is said. */
  readonly audience?: Audience
  /** The same for single fields: those that are only for the audience named and for who is given more. */
  readonly only?: Readonly<
    Partial<Record<Audience, readonly ((keyof F & string) | (keyof H & string) | (keyof C & string))[]>>
  >
  /** Whether stations hold a copy. */
  readonly replicate: boolean
  /** What a station does with a change while it is offline: carry it out, or pass it up. */
  readonly offline: 'local' | 'forward'
}

/** The fields of a declaration that has none of a kind. */
type NoFields = Readonly<Record<never, Field<unknown>>>

type Flat<T> = { [K in keyof T]: T[K] }

/** The JSON form of a resource's row as it is shown, without what is computed. */
export type Row<R extends Resource> = RowOf<R['fields']>

/** The JSON form of a resource's row as it is stored: the fields that are shown and those that are hidden. */
export type StoredRow<R extends Resource> = Flat<RowOf<R['fields'] & NonNullable<R['hidden']>>>

/** Says that a value is a resource; exists for the types it keeps. */
export const defineResource = <
  const F extends Fields,
  const H extends Fields = NoFields,
  const C extends Fields = NoFields,
>(
  resource: Resource<F, H, C>,
): Resource<F, H, C> => resource

/** The table that holds a resource. */
export const tableOf = (resource: Resource): string => resource.table ?? resource.name
