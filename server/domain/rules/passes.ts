import { microsecondsOf } from '../../../schema/instants.ts'
import type { Pass } from './facts.ts'

/**
 * The latest pass: by time of the scan, not of its arrival, and within the same instant by id, which follows the
 * order of the scans.
 */
export function latestPass(passes: readonly Pass[]): Pass | undefined {
  let latest: Pass | undefined
  for (const pass of passes) {
    if (latest === undefined || isLater(pass, latest)) latest = pass
  }
  return latest
}

/** When somebody came in, in microseconds since 1970, in the order of the passes. */
export function entryTimes(passes: readonly Pass[]): number[] {
  return passes.filter(({ type }) => type === 'entry').map(({ datetime }) => microsecondsOf(datetime))
}

function isLater(pass: Pass, than: Pass): boolean {
  const apart = microsecondsOf(pass.datetime) - microsecondsOf(than.datetime)
  return apart === 0 ? pass.id > than.id : apart > 0
}
