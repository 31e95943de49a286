import { microsecondsOf } from '../../../schema/instants.ts'
import type { errorReasons } from '../../../schema/resources/checkin/checkin.ts'

/** Whether somebody comes in or goes out. */
export type ScanType = 'entry' | 'exit'

/** Why a scan was refused. */
export type Reason = Exclude<(typeof errorReasons)[number], 'incomplete' | 'annulled'>

/** The part of a check-in list that a decision looks at. */
export interface ListFacts {
  readonly id: number
  readonly event: number
  readonly all_products: boolean
  readonly limit_products: readonly number[]
  readonly subevent: number | null
  readonly include_pending: boolean
  readonly allow_multiple_entries: boolean
  readonly allow_entry_after_exit: boolean
  readonly rules: unknown
  readonly addon_match: boolean
  readonly exits?: AutomaticExits
}

/** The part of an order position, and of its order, that a decision looks at. Times are UTC instants. */
export interface TicketFacts {
  readonly id: number
  readonly event: number
  readonly positionid: number
  readonly secret: string
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly addon_to: number | null
  readonly canceled: boolean
  readonly blocked: readonly string[]
  readonly valid_from: string | null
  readonly valid_until: string | null
  readonly order_status: 'n' | 'p' | 'e' | 'c'
  readonly require_approval: boolean
  readonly valid_if_pending: boolean
}

/** One earlier check-in of the position on the list that succeeded and was not annulled. */
export interface PriorCheckin {
  readonly id: number
  readonly type: ScanType
  readonly datetime: string
  readonly nonce: string | null
  readonly device: number | null
}

/** When everybody on a list is taken to have left: the latest hours that have been, and the next one, daily from then on. */
export interface AutomaticExits {
  readonly done: readonly string[]
  readonly next: string | null
  /** The local time that is meant where the clocks do not show it on that day. */
  readonly local: string | null
  readonly timezone: string
}

/** The times of the event, or of the position's date in a series, and the zone they are read in. */
export interface EventTimes {
  readonly timezone: string
  readonly date_from: string
  readonly date_to: string | null
  readonly date_admission: string | null
}

/** What was asked for at the door. `at` is the time of the scan, which for an upload is long before now. */
export interface Scan {
  readonly type: ScanType
  readonly at: string
  readonly force: boolean
  readonly ignore_unpaid: boolean
  readonly nonce: string | null
  readonly device: number | null
  readonly gate: number | null
  readonly questions_supported: boolean
  /** `false`: the client does not know `canceled`, and is answered `unpaid` instead. */
  readonly canceled_supported: boolean
  /** The code is on the list of revoked ones and was traced to this ticket. */
  readonly revoked: boolean
}

/**
 * The latest check-in: by time of the scan, not of its arrival, and within the same instant by id, which follows the
 * order of the scans.
 */
export function latestCheckin(priorCheckins: readonly PriorCheckin[]): PriorCheckin | undefined {
  let latest: PriorCheckin | undefined
  for (const checkin of priorCheckins) {
    if (latest === undefined || isLater(checkin, latest)) latest = checkin
  }
  return latest
}

/** When somebody came in, in microseconds since 1970, in the order of the check-ins. */
export function entryTimes(priorCheckins: readonly PriorCheckin[]): number[] {
  return priorCheckins.filter(({ type }) => type === 'entry').map(({ datetime }) => microsecondsOf(datetime))
}

function isLater(checkin: PriorCheckin, than: PriorCheckin): boolean {
  const apart = microsecondsOf(checkin.datetime) - microsecondsOf(than.datetime)
  return apart === 0 ? checkin.id > than.id : apart > 0
}
