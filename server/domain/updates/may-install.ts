import type { UpdateHindrance } from '../../../schema/updates/update-status.ts'

/** When people come to an event: milliseconds since 1970. */
export interface DoorTimes {
  readonly opens: number
  readonly closes: number
}

/** What is known of a station when an update could be installed. */
export interface UpdateFacts {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly openPayments: number
  /** Facts that are not reported yet. */
  readonly outbox: number
  /** Bytes on the disk, and what fetching, unpacking and a copy of the database take; null where that is not known. */
  readonly free: number | null
  readonly needed: number
  /** When the same version did not fit on the disk, whatever was reckoned; null where it was not tried. */
  readonly didNotFit: number | null
  readonly openDrawers: number
  readonly parkedBaskets: number
  /** When the last ticket was scanned; null where none ever was. */
  readonly lastScan: number | null
  readonly doors: readonly DoorTimes[]
  /** What somebody at the station has said: at once, or not before a moment. */
  readonly wish: 'now' | { readonly notBefore: number } | null
}

/** Whether it may be installed; else why not, and until when where that is known. */
export type UpdateDecision =
  | { readonly kind: 'yes' }
  | { readonly kind: 'wait'; readonly why: UpdateHindrance; readonly until: number | null }

const minute = 60_000
const hour = 60 * minute

/** Without a scan for so long a station is idle. */
export const idleAfter = 30 * minute

/** No update so shortly before doors open. */
export const quietBeforeDoors = 12 * hour

/** What lasts longer than this, such as an exhibition, has nights: then doors count as closed after hours without a scan. */
const longEvent = 48 * hour
const nightAfter = 6 * hour

/** What did not fit is tried again after so long. */
const retryAfter = hour

/** What must never be broken off, whatever somebody says. */
export const firmHindrances: readonly UpdateHindrance[] = ['payment', 'outbox', 'room']

const wait = (why: UpdateHindrance, until: number | null = null): UpdateDecision => ({
  kind: 'wait',
  why,
  until,
})

/** Bytes that are to be freed on the disk before anything of an update is written there. */
export const missingRoom = ({ free, needed }: Pick<UpdateFacts, 'free' | 'needed'>): number =>
  free === null ? 0 : Math.max(0, needed - free)

function firmly(facts: UpdateFacts): UpdateDecision | null {
  if (facts.openPayments > 0) return wait('payment')
  if (facts.outbox > 0) return wait('outbox')
  return missingRoom(facts) > 0 ? wait('room') : null
}

/** A scan that is noted for the future was made with another clock: it is no reason to wait for that day. */
const sinceScan = ({ now, lastScan }: UpdateFacts): number =>
  lastScan === null ? Number.POSITIVE_INFINITY : Math.abs(now - lastScan)

function nextDoors(facts: UpdateFacts): DoorTimes | undefined {
  const { now, doors } = facts
  return doors
    .filter(({ opens, closes }) => {
      if (closes <= now || opens - now > quietBeforeDoors) return false
      const isNight = opens <= now && closes - opens > longEvent && sinceScan(facts) >= nightAfter
      return !isNight
    })
    .sort((one, other) => one.opens - other.opens)[0]
}

/** Whether an update may be installed at this moment. */
export function mayInstall(facts: UpdateFacts): UpdateDecision {
  const { now, wish } = facts
  const firm = firmly(facts)
  if (firm) return firm
  if (wish === 'now') return { kind: 'yes' }
  const { didNotFit } = facts
  if (didNotFit !== null && Math.abs(now - didNotFit) < retryAfter)
    return wait('retry', didNotFit + retryAfter)
  if (facts.openDrawers > 0) return wait('drawer')
  if (facts.parkedBaskets > 0) return wait('parked')
  const since = sinceScan(facts)
  if (since < idleAfter) return wait('scans', now + idleAfter - since)
  const doors = nextDoors(facts)
  if (doors) return wait('doors', doors.opens > now ? doors.opens : null)
  if (wish && wish.notBefore > now) return wait('today', wish.notBefore)
  return { kind: 'yes' }
}
