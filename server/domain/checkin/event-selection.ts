import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { localDate, toInstant } from '../text/time.ts'

/** An event, or one date of a series, that a device could be at. */
export interface EventOccasion {
  readonly event: number
  readonly subevent: number | null
  readonly timezone: string
  readonly date_from: string
  readonly date_to: string | null
  readonly date_admission: string | null
}

/** When people come and until when it goes on. */
interface Span {
  readonly start: string
  readonly end: string
}

/** What nobody has said the end of goes on until the end of its first day. */
function spanOf({ date_from, date_to, date_admission, timezone }: EventOccasion): Span {
  const start = date_admission ?? date_from
  return { start, end: date_to ?? toInstant(`${localDate(date_from, timezone)}T23:59:59`, timezone) }
}

const isOn = ({ start, end }: Span, now: string): boolean => start <= now && now < end

const halfway = (from: string, to: string): string =>
  instantAt(Math.floor((microsecondsOf(from) + microsecondsOf(to)) / 2))

interface Placed<T> {
  readonly occasion: T
  readonly span: Span
}

/**
 * Which occasion a device should be at: `keep` while the current one is on and no other has started since, null where
 * there is none. Between the one that started last and the next one it is the former while it is on, then the one that
 * is today, and else the nearer one: they change in the middle of the time between them. Times are 27 characters, UTC.
 */
export function selectOccasion<T extends EventOccasion>(
  occasions: readonly T[],
  current: T | undefined,
  now: string,
): T | 'keep' | null {
  const all = occasions
    .map((occasion): Placed<T> => ({ occasion, span: spanOf(occasion) }))
    .sort((a, b) => (a.span.start < b.span.start ? -1 : a.span.start > b.span.start ? 1 : 0))
  const own = all.find(({ occasion }) => occasion === current)
  if (own && isOn(own.span, now)) {
    const hasFollowed = all.some(
      ({ occasion, span }) => occasion !== current && span.start > own.span.start && isOn(span, now),
    )
    if (!hasFollowed) return 'keep'
  }
  const last = all.filter(({ span }) => span.start <= now).at(-1)
  const next = all.find(({ span }) => span.start > now)
  if (!last || !next) return (last ?? next)?.occasion ?? null
  if (isOn(last.span, now)) return last.occasion
  const isToday = ({ occasion: { timezone }, span }: Placed<T>): boolean =>
    localDate(span.start, timezone) === localDate(now, timezone)
  if (isToday(last) !== isToday(next)) return isToday(last) ? last.occasion : next.occasion
  return now < halfway(last.span.end, next.span.start) ? last.occasion : next.occasion
}
