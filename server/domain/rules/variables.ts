import { canonicalInstant, instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { localDate, localWeekday, toInstant } from '../text/time.ts'
import { readTime } from '../text/typed-times.ts'
import { type EventTimes, entryTimes, latestCheckin, type PriorCheckin } from './facts.ts'

/** What the rules of a list can ask about. The check-ins are those of the position on this list, `now` is the scan's time. */
export interface RuleFacts {
  readonly product: number
  readonly variation: number | null
  readonly gate: number | null
  readonly now: string
  readonly priorCheckins: readonly PriorCheckin[]
  readonly times: EventTimes
}

/** The variables of the rules language. Counters see every entry of the past and the future: uploads come late. */
export const variables: ReadonlyMap<string, (facts: RuleFacts) => string | number | null> = new Map<
  string,
  (facts: RuleFacts) => string | number | null
>([
  ['product', ({ product }) => product],
  ['variation', ({ variation }) => variation],
  ['gate', ({ gate }) => gate ?? 0],
  ['now', ({ now }) => now],
  ['now_isoweekday', ({ now, times }) => localWeekday(now, times.timezone)],
  ['entries_number', ({ priorCheckins }) => entryTimes(priorCheckins).length],
  ['entries_today', (facts) => countEntries(facts, 'since', startOfDay(facts))],
  ['entries_days', ({ priorCheckins, times }) => countDays(entryTimes(priorCheckins), times)],
  ['minutes_since_first_entry', (facts) => minutesSince(facts, Math.min)],
  ['minutes_since_last_entry', (facts) => minutesSince(facts, Math.max)],
  [
    'entry_status',
    ({ priorCheckins }) => (latestCheckin(priorCheckins)?.type === 'entry' ? 'present' : 'absent'),
  ],
])

/** A side of a moment: entries at the moment itself count as since, not as before. */
type Side = 'since' | 'before'

/** Number of entries on one side of a moment. Throws when the moment is not an instant. */
export function countEntries({ priorCheckins }: RuleFacts, side: Side, moment: unknown): number {
  return onSide(priorCheckins, side, moment).length
}

/** Number of different calendar days, in the event's zone, with an entry on one side of a moment. */
export function countEntryDays({ priorCheckins, times }: RuleFacts, side: Side, moment: unknown): number {
  return countDays(onSide(priorCheckins, side, moment), times)
}

/**
 * A moment of the rules language, as an instant: `custom` a fixed one, `customtime` a time of day on the local day of
 * the scan, or one of the event's own times; its admission and its end fall back to its start. Throws for others.
 */
export function buildTime(kind: unknown, value: unknown, { now, times }: RuleFacts): string {
  switch (kind) {
    case 'custom':
      return canonicalInstant(String(value)) ?? toInstant(String(value), times.timezone)
    case 'customtime':
      return toInstant(`${localDate(now, times.timezone)}T${readTime(String(value))}`, times.timezone)
    case 'date_from':
      return times.date_from
    case 'date_to':
      return times.date_to ?? times.date_from
    case 'date_admission':
      return times.date_admission ?? times.date_from
    default:
      throw new RangeError(`No such time: ${kind}`)
  }
}

/** Microseconds of a value that must be an instant. Throws when it is not. */
export function momentOf(value: unknown): number {
  const moment = microsecondsOf(String(value))
  if (Number.isNaN(moment)) throw new RangeError('Not an instant')
  return moment
}

function onSide(priorCheckins: readonly PriorCheckin[], side: Side, moment: unknown): number[] {
  const limit = momentOf(moment)
  return entryTimes(priorCheckins).filter((time) => (side === 'since' ? time >= limit : time < limit))
}

function countDays(entries: readonly number[], { timezone }: EventTimes): number {
  return new Set(entries.map((time) => localDate(instantAt(time), timezone))).size
}

function startOfDay({ now, times }: RuleFacts): string {
  return toInstant(`${localDate(now, times.timezone)}T00:00`, times.timezone)
}

/** Full minutes, rounded down; -1 before the first entry. */
function minutesSince(
  { priorCheckins, now }: RuleFacts,
  which: (...times: readonly number[]) => number,
): number {
  const entries = entryTimes(priorCheckins)
  return entries.length === 0 ? -1 : Math.floor((momentOf(now) - which(...entries)) / 60e6)
}
