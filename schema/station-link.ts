import type { Conflict } from './resources/checkin/conflict.ts'
import type { FactKind } from './sync.ts'

// How a station shows itself and its upstream server to its screens. Names are the wire's own.

/** How far a node reaches: to the top, to the upstream hub only, or nobody. */
export type LinkState = 'online' | 'hub only' | 'alone'

/** One line of the list that says whether a station can go to work. */
export interface Readiness {
  readonly name: 'data' | 'clock' | 'disk' | 'keys' | 'upstream' | 'queue'
  readonly ok: boolean
  readonly text: string
  /** What is counted in it: tickets, milliseconds that the clock is wrong, free bytes, keys, facts; null where nothing is. */
  readonly value: number | null
}

/** How far the first copy of the data, or a new one, has come. */
export interface Loading {
  readonly phase: 'counting' | 'loading' | 'catching up' | 'switching'
  readonly rows: number
  readonly total: number
  readonly seconds_left: number | null
}

/** Why the upstream server did not answer the last time. */
type TroubleKind =
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

/** How a node and its upstream server get on. */
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
  /** Facts not reported yet, facts that were refused, and open contradictions of this station's events. */
  readonly queue: number
  readonly parked: number
  readonly conflicts: number
  /** Milliseconds. */
  readonly clock: { readonly offset: number; readonly uncertainty: number | null; readonly skewed: boolean }
  readonly loading: Loading | null
  readonly revoked: boolean
  readonly readiness: readonly Readiness[]
  /** What went wrong last, in a sentence, while something is wrong. */
  readonly problem: string | null
  /** Why the upstream server did not answer the last time, as a word; null while it does. */
  readonly trouble: TroubleKind | null
}

/** Whether a fact is still to be reported, was refused upstream and waits for a person, or is known upstream. */
export type QueueState = 'waiting' | 'parked' | 'done'

/** What a fact reports; `subject` is the code or name that it is about. */
export interface FactTopic {
  readonly what: Exclude<FactKind, 'checkin'> | 'entry' | 'exit' | 'refusal' | 'unknown'
  readonly subject: string
}

/** Something that happened at a station and is reported to the upstream server, as users see it. */
export interface ShownFact extends FactTopic {
  readonly nonce: string
  readonly kind: string
  readonly state: QueueState
  /** When it happened, as far as is known here. */
  readonly at: string
  readonly text: string
  readonly attempts: number
  /** Why it was refused or waits, as a word and as a sentence. */
  readonly reason: string | null
  readonly detail: string | null
  readonly retry_at: string | null
}

/** It turned out late that somebody should not have been admitted here. */
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

/** Two facts that contradict each other, with the names of what they are about. */
export interface ShownConflict
  extends Readonly<Pick<Conflict, 'id' | 'kind' | 'severity' | 'state' | 'note'>> {
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
}

/** The first page of a list, and how many there are in all. */
export interface FirstPage<T> {
  readonly count: number
  readonly results: readonly T[]
}
