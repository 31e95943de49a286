import type { CheckinQuestion, ScanOutcome } from '../../../schema/bodies/scan-result.ts'
import type { Reason, ScanType } from '../../domain/rules/facts.ts'
import type { SignedTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Place } from '../../resource/transactions.ts'
import type { PositionCells } from '../orders/position-rows.ts'
import type { CheckinCells } from '../orders/positions.ts'
import type { ListAt } from './checkin-lists.ts'

/** A scan as it reaches the server. */
export interface RedeemInput {
  readonly code: string
  /** The id of a position that is meant instead of a code. */
  readonly position: number | null
  readonly type: ScanType
  /** When it was scanned, in stored form; null for now. */
  readonly at: string | null
  readonly force: boolean
  readonly ignore_unpaid: boolean
  readonly questions_supported: boolean
  readonly canceled_supported: boolean
  readonly nonce: string | null
  readonly answers: Readonly<Record<string, unknown>>
  readonly source_type: string
  readonly use_order_locale: boolean
  /** Who reads the explanation wants it in this language; by default it is the event's or the order's. */
  readonly language?: string
}

/** A scan to be redeemed: who sent it, and the lists that it is for. */
export interface RedeemRequest {
  readonly actor: Actor
  readonly organizer: number
  readonly lists: readonly [ListAt, ...ListAt[]]
  readonly input: RedeemInput
}

/** A scan on the one of its lists that is meant. */
export interface ListedScan {
  readonly actor: Actor
  readonly place: Place
  readonly list: ListAt
  readonly input: RedeemInput
  /** The moment that it counts at, in stored form. */
  readonly at: string
}

/** A code that was decided by what it says of itself. */
export interface SignedScan {
  readonly code: string
  readonly ticket: SignedTicket
}

/** What became of a scan, before it is put into words for one endpoint or another. */
export interface RedeemOutcome {
  readonly status: ScanOutcome['status']
  /** Why it was refused, where it was. */
  readonly reason: Reason | null
  readonly explanation: string | null
  readonly list: ListAt
  readonly position: PositionCells | null
  /** The code and what it says, where it was decided by its signature alone. */
  readonly signed?: SignedScan | undefined
  /** Questions to be answered first, in the JSON form of the API. */
  readonly questions: readonly CheckinQuestion[]
  /** The check-in or failed check-in that stands for this scan, where there is one. */
  readonly checkin: number | null
  /** All that the position has been admitted with on the list so far, where it was looked at. */
  readonly checkins?: readonly CheckinCells[] | undefined
  /** The nonce under which it is reported upstream; null where nothing is reported. */
  readonly fact: string | null
}

/** An outcome with what is known of it, and nothing else. */
export const outcomeOf = (
  known: Pick<RedeemOutcome, 'status' | 'list'> & Partial<RedeemOutcome>,
): RedeemOutcome => ({
  reason: null,
  explanation: null,
  position: null,
  questions: [],
  checkin: null,
  fact: null,
  ...known,
})
