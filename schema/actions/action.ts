import type { XStatic } from 'typebox/schema'
import { rowBody } from '../body-limits.ts'
import type { Fields, RowOf } from '../fields.ts'
import { bodySchema, changeSchema, type Json, pageSchema, the } from '../json-schema.ts'
import type { Requirement } from '../permissions.ts'
import type { Operation, Resource } from '../resource.ts'

/** What an endpoint is about: the server itself, an organizer, or an event. */
export type Where = 'server' | 'organizer' | 'event'

/** What a path is about, by what it names. */
export type WhereOf<P extends string> = P extends `${string}/:event/${string}`
  ? 'event'
  : P extends `${string}/:organizer/${string}`
    ? 'organizer'
    : 'server'

/** The names that a path gives to its parts. */
type Names<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? Name | Names<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? Name
    : never

/** The parts of a path by their names, as they were sent. */
export type Params<P extends string> = Readonly<Record<Names<P>, string>>

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** What a request sends: how it is described, and how it is read as a T. */
export interface Body<T> {
  readonly description: Json
  /** Read as these fields of a row; some of them where it is partial, else with defaults for what is not sent. */
  readonly fields?: Fields
  readonly isPartial?: boolean
  /** Received by what serves it, as bytes. */
  readonly isRaw?: boolean
  /** Checked against this JSON Schema, and taken as it was sent. */
  readonly schema?: object
  /** Exists for the type it keeps. */
  readonly static?: T
}

/** A body that is read where it is served. */
export const bodyLike = (description: Json): Body<unknown> => ({ description })

/** A body that is no JSON, or more of it than is read at once. */
export const rawBody = (description: Json): Body<unknown> => ({ description, isRaw: true })

/** A file as a body. */
export const fileAsBody = rawBody({ type: 'string', format: 'binary' })

/** A body of these fields. */
export const bodyWith = <const F extends Fields>(fields: F): Body<RowOf<F>> => ({
  description: bodySchema(fields),
  fields,
})

/** A body of some of these fields. */
export const changesOf = <const F extends Fields>(fields: F): Body<Partial<RowOf<F>>> => ({
  description: changeSchema(fields),
  fields,
  isPartial: true,
})

/** A body that keeps to a JSON Schema. */
export const bodyAs = <const S extends Json>(schema: S): Body<XStatic<S>> => ({ description: schema, schema })

/** A method of a path: what serves it needs to know no more. */
export interface Endpoint<P extends string = string, B = unknown> {
  readonly method: Method
  readonly path: P
  readonly where: WhereOf<P>
  readonly needs: Requirement | 'nothing'
  readonly body?: Body<B>
  /** The most bytes of its body that are received, where that is not what is small. */
  readonly bodyLimit?: number
  /** Whether texts of its body come from scanners, fit or not: they are judged with marks for what cannot be stored. */
  readonly isScanned?: boolean
  /** Whether somebody at a door waits for it, as for all that is scanned. */
  readonly isUrgent?: boolean
  /** The status of its answer when it succeeds. */
  readonly status: number
}

/** What is read of the body of an endpoint. */
export type BodyOf<E> = E extends { readonly body?: Body<infer B> } ? B : never

/** What is declared of an endpoint beyond the standard operations. */
interface Declared<P extends string, B> {
  readonly name: string
  readonly tag: string
  readonly method: Method
  readonly path: P
  readonly summary: string
  readonly needs: Requirement | 'nothing'
  readonly query?: readonly string[]
  readonly body?: Body<B>
  /** See Endpoint. */
  readonly bodyLimit?: number
  /** See Endpoint. */
  readonly isScanned?: boolean
  /** See Endpoint. */
  readonly isUrgent?: boolean
  /** What the body is, where it is not JSON. */
  readonly bodyType?: string
  /** What it answers with when it succeeds, or null for nothing. */
  readonly shows: Json | null
  /** What that is, where it is not JSON. */
  readonly type?: string
  /** What it refuses with, where that is not as everywhere, by status. */
  readonly refusals?: Readonly<Record<string, Json>>
  readonly answers: Readonly<Record<string, string>>
}

/** An endpoint beyond the standard operations, as it is served and described. */
export interface Action<P extends string = string, B = unknown> extends Declared<P, B>, Endpoint<P, B> {}

const whereOf = <P extends string>(path: P): WhereOf<P> =>
  (path.includes('/:event/') ? 'event' : path.includes('/:organizer/') ? 'organizer' : 'server') as WhereOf<P>

/** Says that a value is an action; exists for the types it keeps. */
export const defineAction = <const P extends string, B = undefined>(
  action: Declared<P, B>,
): Action<P, B> => ({
  ...action,
  where: whereOf(action.path),
  status: Number(Object.keys(action.answers).find((status) => status.startsWith('2')) ?? 204),
})

const standard: Readonly<Record<Operation, readonly [method: Method, status: number]>> = {
  list: ['get', 200],
  create: ['post', 201],
  retrieve: ['get', 200],
  update: ['patch', 200],
  replace: ['put', 200],
  delete: ['delete', 204],
}

/** A standard operation of a resource, at the path of its collection or of one row. */
export function operationOf<const P extends string>(
  resource: Resource,
  operation: Operation,
  path: P,
): Endpoint<P> {
  const { read, write, create = write } = resource.permission
  const { bodyLimit = rowBody } = resource
  const [method, status] = standard[operation]
  const needs = method === 'get' ? read : operation === 'create' ? create : write
  return { method, path, where: whereOf(path), needs, bodyLimit, status }
}

/** An endpoint that is served but not described, and asks for no credential of an organizer. */
export const endpointAt = <const P extends string, B = undefined>({
  status = 200,
  ...endpoint
}: Pick<Endpoint<P, B>, 'method' | 'path' | 'body' | 'bodyLimit' | 'isScanned'> & {
  readonly status?: number
}): Endpoint<P, B> => ({
  ...endpoint,
  where: whereOf(endpoint.path),
  needs: 'nothing',
  status,
})

/** The paths below which most endpoints are. */
export const org = '/api/v1/organizers/:organizer'
export const ev = '/api/v1/organizers/:organizer/events/:event'

/** Refusals that go with what an endpoint looks at. */
export const refused = { '400': '', '401': '', '403': '' }
export const hidden = { '401': '', '403': '', '404': '' }
export const refusedOrHidden = { ...refused, '404': '' }

/** What lists of a kind of row have in common that belong to something. */
export const showsPage = (kind: string, answer: string) =>
  ({
    method: 'get',
    query: ['page', 'page_size'],
    shows: pageSchema(the(kind)),
    answers: { '200': answer, ...hidden },
  }) as const

/** What is in common where a stored file is answered with. */
export const showsFile = (answer: string) =>
  ({
    method: 'get',
    shows: { type: 'string', format: 'binary' },
    type: '*/*',
    answers: { '200': answer, ...hidden },
  }) as const

/** What is in common where one row of a kind is answered with. */
export const showsOne = (kind: string, answer: string) =>
  ({ method: 'get', shows: the(kind), answers: { '200': answer, ...hidden } }) as const
