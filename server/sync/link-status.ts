import type { LinkState } from './link.ts'
import type { Trouble } from './upstream-client.ts'

/** One line of the list that says whether a station can go to work. */
export interface Readiness {
  readonly name: 'data' | 'clock' | 'disk' | 'keys' | 'upstream' | 'queue'
  readonly ok: boolean
  readonly text: string
  /** What is counted in it: tickets, milliseconds that the clock is wrong, free bytes, keys, facts; null where nothing is. */
  readonly value: number | null
}

/** How far the first copy, or a new one, has come. */
export interface Loading {
  readonly phase: 'counting' | 'loading' | 'catching up' | 'switching'
  readonly rows: number
  readonly total: number
  readonly seconds_left: number | null
}

/** How a node and the server above it get on, as the screens see it. */
export interface LinkStatus {
  readonly role: 'alone_by_choice' | 'station' | 'hub'
  readonly state: LinkState
  /** When the state became what it is: an instant as the API shows it. */
  readonly since: string
  readonly upstream: {
    readonly url: string
    readonly organizer: string
    readonly device_name: string
    readonly security_profile: string
  } | null
  /** Seconds since the data was known to be complete, or null where there is none. */
  readonly data_age: number | null
  /** Facts not told yet, facts that were refused, and open contradictions of this station's events. */
  readonly queue: number
  readonly parked: number
  readonly conflicts: number
  readonly clock: { readonly offset: number; readonly uncertainty: number | null; readonly skewed: boolean }
  readonly loading: Loading | null
  readonly revoked: boolean
  readonly readiness: readonly Readiness[]
  /** What went wrong last, in a sentence, while something is wrong. */
  readonly problem: string | null
  /** Why the server above did not answer the last time, as a word; null while it does. */
  readonly trouble: Trouble['kind'] | null
}
