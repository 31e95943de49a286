import { microsecondsOf } from '../../../schema/instants.ts'

/** How far ahead of now a scan may be dated, for those who try out an event before its day. */
const longestAhead = 10 * 366 * 86_400 * 1_000_000

/**
 * The moment of a scan that was sent with a time, in stored form, or with none. It is `now` where no time was said or
 * none that a clock can have shown: before 1970, or more than ten years ahead. Such a scan is not refused, since whoever
 * tells of it late would lose it, but would stay the latest of its ticket for ever.
 */
export function scanTime(sent: string | null, now: string): string {
  if (sent === null) return now
  const at = microsecondsOf(sent)
  return at >= 0 && at - microsecondsOf(now) <= longestAhead ? sent : now
}
