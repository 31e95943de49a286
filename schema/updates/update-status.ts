import type { FailedUpdate } from './update-files.ts'

// How a station shows its own updates to its screens. Names are the wire's own.

/** Why an update waits, as a word. */
export type UpdateHindrance =
  /** Money that a terminal was asked for is not settled. */
  | 'payment'
  /** What happened here is not reported yet. */
  | 'outbox'
  /** The disk has no room for it. */
  | 'room'
  /** It did not fit on the disk a short while ago. */
  | 'retry'
  | 'drawer'
  | 'parked'
  /** Somebody was checked in a short while ago. */
  | 'scans'
  /** Doors open within twelve hours, or are open. */
  | 'doors'
  /** Somebody has said that it is not to be today. */
  | 'today'

/** Why there is no list of updates to go by. */
export type ListTrouble =
  /** It is signed by nobody known, or no list at all. */
  | 'signature'
  /** It is older than one that was seen here. */
  | 'older'
  | 'expired'
  /** It was made in what this machine takes for the future. */
  | 'clock'
  /** Nobody upstream has answered. */
  | 'unreachable'

/** How far a station is with an update. */
export interface UpdateStatus {
  readonly version: string
  /** Whether this station updates itself at all. */
  readonly enabled: boolean
  readonly channel: string
  /** The version that is on its way or waits; null where there is none. */
  readonly offered: string | null
  readonly phase: 'none' | 'downloading' | 'waiting' | 'installing'
  /** Bytes, while something is downloaded. */
  readonly progress: { readonly done: number; readonly total: number } | null
  readonly why: UpdateHindrance | null
  /** Bytes that are to be freed on the disk, where it waits for that. */
  readonly missing: number
  /** Whether somebody may have it installed now in spite of what it waits for. */
  readonly may_now: boolean
  /** When doors open next, or until when somebody has put it off: an instant. */
  readonly until: string | null
  readonly trouble: ListTrouble | null
  readonly failed: FailedUpdate | null
}
