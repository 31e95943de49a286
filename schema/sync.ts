/**
 * What stations, hubs and central say to each other. `docs/protocol.md` tells it as a story. A server answers every
 * version from `oldestProtocol` on.
 */

import type { Shredder } from './actions/operations/shredders.ts'

/** The version of the messages that this program writes. */
export const protocol = 1

/** The oldest version that this program still answers. */
export const oldestProtocol = 1

/** By this header every answer below `sync/` is known to come from a server of ours and not from a captive portal. */
export const syncHeader = 'X-Gatehouse-Sync'

/** How many facts a push may hold. */
export const factsPerPush = 500

/** How many bytes a fact has at most; an order and its tickets may be long. */
export const largestFact = 256 * 1024
export const largestOrderFact = 1024 * 1024

/** How many facts are taken in of a device on a day: ten times those of the hardest day at an entrance. */
export const mostReportedFacts = 200_000

/** How many bytes they have at most; the one that exceeds it is still taken in. */
export const mostReportedBytes = 256 * 1024 * 1024

/** How many facts of a device wait in quarantine at most: as many as a day at a busy entrance brings. */
export const mostQuarantinedFacts = 50_000

/** How many bytes they have at most; the one that exceeds it is still stored. */
export const mostQuarantinedBytes = 128 * 1024 * 1024

/** How a node below another one uses it. */
export const roles = ['station', 'hub'] as const
export type Role = (typeof roles)[number]

/** What can happen at a node and is reported upstream. */
export const factKinds = [
  'checkin',
  'annulment',
  'answers',
  'attendee_name',
  'order',
  'device',
  'lease',
  'gift_card',
  'print',
  'drawer',
  'receipt',
  'closing',
  'receipt_print',
  'receipt_signature',
] as const
export type FactKind = (typeof factKinds)[number]

/** A fact as it travels upwards, unchanged by the hubs on its way. */
export interface SentFact {
  readonly nonce: string
  readonly kind: FactKind
  /** 0 for what belongs to the organizer itself. */
  readonly event: number
  /** The node where it happened, and its place in the order of what happened there. */
  readonly site: number
  readonly site_seq: number
  readonly device: number | null
  /** What the clock of the machine showed, 27 characters in UTC. */
  readonly device_time: string
  /** Milliseconds since a start of the program, and which start. */
  readonly mono: number
  readonly boot: string
  /** Milliseconds that were added to the machine's clock when it happened; null while it did not know the time. */
  readonly clock_offset: number | null
  readonly payload: unknown
}

/** The body of `POST sync/push/`. */
export interface Push {
  readonly protocol: number
  /** The clocks of the sender at the moment of sending; facts of the same start are dated by them. */
  readonly boot: string
  readonly mono: number
  readonly device_time: string
  readonly clock_offset: number | null
  readonly facts: readonly SentFact[]
}

/** What became of a fact. */
export const factStatuses = ['applied', 'duplicate', 'conflict', 'rejected', 'retry', 'quarantined'] as const
export type FactStatus = (typeof factStatuses)[number]

/** A contradiction that a fact is part of. */
export interface FactConflict {
  readonly id: number
  readonly kind: string
  /** Whether the fact is the one that would have been refused, had everything been known. */
  readonly lost?: boolean
  /** When and where the other one happened: names, and 27 characters in UTC. */
  readonly other?: {
    readonly datetime: string
    readonly device: string | null
    readonly gate: string | null
    /** The check-in itself, so that it counts before the changes bring it: missing in answers of older servers. */
    readonly pass?: {
      readonly id: number
      readonly type: 'entry' | 'exit'
      readonly nonce: string | null
      readonly device: number | null
      readonly gate: number | null
    }
  }
}

/** The answer to one fact of a push. */
export interface FactResult {
  readonly nonce: string
  readonly status: FactStatus
  /** Why it was rejected or is to be reported again later: a word, and a sentence for users. */
  readonly reason?: string
  readonly detail?: string
  /** The contradictions that it is part of. */
  readonly conflicts?: readonly FactConflict[]
  /** The sender's data is an old copy or somebody else's: it needs a new site number and a new snapshot. */
  readonly rejoin?: boolean
}

/** The answer to a push: one result for each fact, in the same order. */
export interface PushAnswer {
  readonly protocol: number
  readonly results: readonly FactResult[]
}

/** The body of `POST sync/join/`. */
export interface Join {
  readonly protocols: readonly number[]
  readonly role: Role
  /** The site number that the node has from joining before, or null. */
  readonly site: number | null
  /** The newest place in the order of its own facts, so that an old copy is recognised. */
  readonly site_seq: number
}

/** The answer to a join. */
export interface Joined {
  readonly protocol: number
  readonly organizer: { readonly id: number; readonly slug: string }
  readonly device: { readonly id: number; readonly device_id: number; readonly name: string }
  readonly security_profile: string
  readonly site: number
  /** The site after the last one that the node may give away; `site + 1` for a station. */
  readonly site_end: number
  readonly epoch: string
  readonly now: string
}

/** The answer to `GET sync/ping/`. */
export interface Ping {
  readonly protocol: number
  readonly oldest_protocol: number
  readonly epoch: string
  /** When the request arrived and when it was answered: 27 characters in UTC. */
  readonly received: string
  readonly sent: string
  /** Whether this server itself reaches the top: `top` at the top. */
  readonly upstream: 'top' | 'online' | 'alone'
  /** Which start of the program answers, where one program alone holds the data: its disk may be another since the last. */
  readonly boot?: string
  /**
   * Whether this program has, since it started, held everything that the top has. Where it has not, its disk may be an
   * old one that was put back, and what it lacks may be known at the top; not said where there is no upstream server.
   */
  readonly complete?: boolean
}

/** The body of `POST sync/known/`. */
export interface KnownAsked {
  readonly site: number
  /** Facts that were acknowledged. */
  readonly nonces: readonly string[]
}

/** The answer to that. */
export interface Known {
  readonly protocol: number
  /** Those that this server knows nothing of. */
  readonly unknown: readonly string[]
  /** The newest place in the order of the facts of the site that was reported to this server; 0 for none. */
  readonly newest: number
}

/** Rows of one resource: stored cells in the order of the columns. */
export interface RowsOf {
  readonly columns: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

/** Personal data of an event that was deleted, and until when what happened there is meant. */
export interface ShreddedEvent {
  readonly id: string
  readonly event: number
  readonly shredders: readonly Shredder[]
  readonly until: string
}

/** The answer to `GET sync/changes/?after=CURSOR&wait=SECONDS&limit=ROWS`. */
export interface Changes {
  readonly protocol: number
  readonly epoch: string
  readonly cursor: string
  /** Whether more is waiting behind the cursor. */
  readonly more: boolean
  /** Rows by resource, in an order in which each is after what it points at. */
  readonly rows: Readonly<Record<string, RowsOf>>
  /** Ids of deleted rows by resource. */
  readonly gone: Readonly<Record<string, readonly number[]>>
  /** Events whose data the node must not hold any more. */
  readonly lost: readonly number[]
  /** Every deletion of personal data that was done, with the last page: missing where there is none. */
  readonly shredded?: readonly ShreddedEvent[]
}

/** The first line of `GET sync/snapshot/?after=RESOURCE:ID`. */
export interface SnapshotHead {
  readonly protocol: number
  readonly epoch: string
  /** From where the changes are to be followed once the snapshot is loaded. */
  readonly cursor: string
  /** How many rows there are, and how many of them come before what was asked for. */
  readonly total: number
  readonly before: number
  readonly columns: Readonly<Record<string, readonly string[]>>
}

/** Every further line: some rows of one resource, with a SHA-256 in hex over the JSON of `rows`. */
export interface SnapshotFrame {
  readonly resource: string
  readonly rows: readonly (readonly (string | number | null)[])[]
  readonly sha256: string
}

/** The last line: nothing is missing. */
export interface SnapshotEnd {
  readonly end: true
  readonly total: number
}
