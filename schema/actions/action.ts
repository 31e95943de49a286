import type { Json } from '../json-schema.ts'
import type { Requirement } from '../permissions.ts'

/** An endpoint beyond the standard operations, as the description of the interface needs it. */
export interface Action {
  readonly name: string
  readonly tag: string
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  readonly path: string
  readonly summary: string
  readonly needs: Requirement | 'nothing'
  readonly query?: readonly string[]
  readonly body?: object
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

/** The paths below which most endpoints are. */
export const org = '/api/v1/organizers/:organizer'
export const ev = `${org}/events/:event`

/** Refusals that go with what an endpoint looks at. */
export const refused = { '400': '', '401': '', '403': '' }
export const hidden = { '401': '', '403': '', '404': '' }
export const refusedOrHidden = { ...refused, '404': '' }
