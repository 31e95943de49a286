import type { conflictKinds } from '../../schema/resources/conflict.ts'

/** What the station's server says about itself and the server above it. Names are the wire's own. */

/** One line of the list that says whether a station can go to work. */
export interface Readiness {
  readonly name: 'data' | 'clock' | 'disk' | 'keys' | 'upstream' | 'queue'
  readonly ok: boolean
  readonly text: string
  /** What is counted: tickets, milliseconds that the clock is wrong, free bytes, keys, scans. */
  readonly value: number | null
}

/** How far the first copy of the data, or a new one, has come. */
export interface Loading {
  readonly phase: 'counting' | 'loading' | 'catching up' | 'switching'
  readonly rows: number
  readonly total: number
  readonly seconds_left: number | null
}

/** Why the server above did not answer the last time. */
export type Trouble =
  | 'unreachable'
  | 'timeout'
  | 'stranger'
  | 'revoked'
  | 'unknown'
  | 'denied'
  | 'busy'
  | 'gone'
  | 'refused'
  | 'failed'

/** How this station and the server above it get on. */
export interface LinkStatus {
  readonly role: 'alone_by_choice' | 'station' | 'hub'
  readonly state: 'online' | 'hub only' | 'alone'
  readonly since: string
  readonly upstream: {
    readonly url: string
    readonly organizer: string
    readonly device_name: string
    readonly security_profile: string
  } | null
  /** Seconds since the data was known to be complete; null while there is none. */
  readonly data_age: number | null
  readonly queue: number
  readonly parked: number
  readonly conflicts: number
  /** Milliseconds. */
  readonly clock: { readonly offset: number; readonly uncertainty: number | null; readonly skewed: boolean }
  readonly loading: Loading | null
  readonly revoked: boolean
  readonly readiness: readonly Readiness[]
  readonly problem: string | null
  readonly trouble: Trouble | null
}

/** It turned out late that somebody should not have been let in here. */
export interface Alert {
  readonly id: number
  readonly kind: string
  readonly name: string | null
  readonly code: string | null
  readonly list: string | null
  readonly gate: string | null
  readonly device: string | null
  readonly other_device: string | null
  readonly other_gate: string | null
  readonly datetime: string | null
  readonly other_datetime: string | null
  readonly text: string
}

/** What is still to be sent, what the server above refused, and what it has taken. */
export type QueueState = 'waiting' | 'parked' | 'done'

/** Something that happened here and is told to the server above. */
export interface Fact {
  readonly nonce: string
  readonly kind: string
  readonly what:
    | 'entry'
    | 'exit'
    | 'refusal'
    | 'annulment'
    | 'answers'
    | 'order'
    | 'device'
    | 'lease'
    | 'unknown'
  readonly subject: string
  readonly state: QueueState
  readonly at: string
  readonly text: string
  readonly attempts: number
  readonly reason: string | null
  readonly detail: string | null
  readonly retry_at: string | null
}

/** Two facts that contradict each other. */
export interface Conflict {
  readonly id: number
  readonly kind: (typeof conflictKinds)[number]
  readonly severity: 'info' | 'warning' | 'critical'
  readonly state: 'open' | 'resolved'
  readonly order: string | null
  readonly positionid: number | null
  readonly attendee_name: string | null
  readonly list_name: string | null
  readonly datetime: string
  readonly other_datetime: string | null
  readonly device_name: string | null
  readonly other_device_name: string | null
  readonly gate_name: string | null
  readonly other_gate_name: string | null
  readonly note: string
}

/** The first page of a list, and how many there are in all. */
export interface Some<T> {
  readonly count: number
  readonly results: readonly T[]
}
