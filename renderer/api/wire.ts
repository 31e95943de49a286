import type { conflictKinds } from '../../schema/resources/checkin/conflict.ts'

/** What the station's server says about itself and the upstream server it. Names are the wire's own. */

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
