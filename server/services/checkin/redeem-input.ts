import type { Reason, Scan, ScanType } from '../../domain/checkin/checkin.ts'
import type { SignedTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Actor } from '../../resource/actor.ts'
import type { RowData } from '../../resource/codec.ts'
import type { PassCells, PositionCells } from '../orders/positions.ts'
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

/** A code that was judged by what it says of itself. */
export interface SignedScan {
  readonly code: string
  readonly ticket: SignedTicket
}

/** What became of a scan, before it is put into words for one endpoint or another. */
export interface RedeemOutcome {
  readonly status: 'ok' | 'incomplete' | 'error'
  readonly reason: Reason | null
  readonly explanation: string | null
  readonly list: ListAt
  readonly position: PositionCells | null
  /** The code and what it says, where it was judged by its signature alone. */
  readonly signed?: SignedScan | undefined
  /** Questions to be answered first, in the JSON form of the API. */
  readonly questions: readonly RowData[]
  /** The check-in or failed check-in that stands for this scan, where there is one. */
  readonly checkin: number | null
  /** All that the position has been admitted with on the list so far, where it was looked at. */
  readonly passes?: readonly PassCells[] | undefined
  /** The nonce under which the server above is told of it; null where nothing is told. */
  readonly fact: string | null
}

/** What the decision is told of a scan; `at` is its corrected time. */
export const scanOf = (input: RedeemInput, { device }: Actor, at: string, revoked: boolean): Scan => ({
  type: input.type,
  at,
  force: input.force,
  ignore_unpaid: input.ignore_unpaid,
  nonce: input.nonce,
  device: device?.id ?? null,
  gate: device?.gate ?? null,
  questions_supported: input.questions_supported,
  canceled_supported: input.canceled_supported,
  revoked,
})
