import { instantAt, isBefore, microsecondsOf } from '../../../schema/instants.ts'
import { localDate } from '../text/time.ts'

/** When something can be bought; null where nothing is said. */
export interface SaleSpan {
  readonly active: boolean
  readonly available_from: string | null
  readonly available_until: string | null
}

/** What is said about a product on one date of a series. */
interface DateOverride extends Omit<SaleSpan, 'active'> {
  readonly disabled: boolean
}

const isWithin = (from: string | null, until: string | null, now: string): boolean =>
  (from === null || !isBefore(now, from)) && (until === null || !isBefore(until, now))

/** Whether a product, or a variation, is on sale at a moment, on a date that may say something else about it. */
export const isOnSale = (
  { active, available_from, available_until }: SaleSpan,
  override: DateOverride | undefined,
  now: string,
): boolean =>
  active &&
  isWithin(available_from, available_until, now) &&
  (!override || (!override.disabled && isWithin(override.available_from, override.available_until, now)))

/** When an event, or one date of it, happens and is sold. */
export interface WaitingOccasion {
  readonly date_from: string
  readonly date_to: string | null
  readonly presale_start: string | null
  readonly presale_end: string | null
}

/** One date of a series, which may be switched off. */
export interface SeriesDate extends WaitingOccasion {
  readonly active: boolean
}

const latest = (some: readonly (string | null)[]): string | null =>
  some.reduce((a, b) => (a === null || (b !== null && isBefore(a, b)) ? b : a), null)

const earliest = (some: readonly (string | null)[]): string | null =>
  some.reduce((a, b) => (a === null || (b !== null && isBefore(b, a)) ? b : a), null)

/**
 * Whether tickets are sold at a moment: between the later start and the earlier end of what the event and its date say.
 * Where neither names an end, until what is sold is over, or where that is not known, until its first day is.
 */
export function isPresaleRunning(
  event: WaitingOccasion,
  date: SeriesDate | null,
  timezone: string,
  now: string,
): boolean {
  if (date !== null && !date.active) return false
  const start = latest([event.presale_start, date?.presale_start ?? null])
  if (start !== null && isBefore(now, start)) return false
  const own = date ?? event
  const end = earliest([event.presale_end, date?.presale_end ?? null]) ?? own.date_to
  if (end !== null) return !isBefore(end, now)
  return localDate(now, timezone) <= localDate(own.date_from, timezone)
}

const twoWeeks = 14 * 86_400e6

/** Whether everything that an event consists of ended more than two weeks before a moment. */
export function isLongOver(
  occasions: readonly Pick<WaitingOccasion, 'date_from' | 'date_to'>[],
  now: string,
): boolean {
  const limit = instantAt(microsecondsOf(now) - twoWeeks)
  return occasions.every(({ date_from, date_to }) => isBefore(date_to ?? date_from, limit))
}
