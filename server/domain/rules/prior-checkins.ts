import { microsecondsOf } from '../../../schema/instants.ts'
import type { PriorCheckin } from './facts.ts'

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
