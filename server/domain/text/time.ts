import { Temporal } from 'temporal-polyfill'

/** The calendar day of an instant in a time zone, `YYYY-MM-DD`. Throws `RangeError` for an unknown zone. */
export function localDate(instant: string, timezone: string): string {
  return inZone(instant, timezone).toPlainDate().toString()
}

/** Date and time of an instant as read from a clock in a time zone, `YYYY-MM-DDTHH:MM:SS`, without an offset. */
export function localDateTime(instant: string, timezone: string): string {
  return inZone(instant, timezone).toPlainDateTime().toString({ smallestUnit: 'second' })
}

/** Day of the week of an instant in a time zone: 1 is Monday, 7 is Sunday. */
export function localWeekday(instant: string, timezone: string): number {
  return inZone(instant, timezone).dayOfWeek
}

/** The offset from UTC that a time zone has at an instant, `+09:00`. */
export function offsetAt(instant: string, timezone: string): string {
  return inZone(instant, timezone).offset
}

/**
 * The instant at which clocks in a time zone show the given date and time (`YYYY-MM-DDTHH:MM[:SS]`, no offset). A
 * time skipped in spring becomes the one as much later as the clocks were put forward; of a time that comes twice in
 * autumn it is the first unless the second is asked for. Throws `RangeError` for anything else.
 */
export function toInstant(
  localDateTime: string,
  timezone: string,
  ofTwo: 'first' | 'second' = 'first',
): string {
  return fromClock(Temporal.PlainDateTime.from(localDateTime), timezone, ofTwo)
}

function inZone(instant: string, timezone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.from(instant).toZonedDateTimeISO(timezone)
}

function fromClock(clock: Temporal.PlainDateTime, timezone: string, ofTwo: 'first' | 'second'): string {
  const compatible = clock.toZonedDateTime(timezone, { disambiguation: 'compatible' })
  // Only a time that comes twice has a later reading on the same clock; one that was skipped does not.
  const later = clock.toZonedDateTime(timezone, { disambiguation: 'later' })
  const chosen = ofTwo === 'second' && later.toPlainDateTime().equals(clock) ? later : compatible
  return chosen.toInstant().toString({ fractionalSecondDigits: 6 })
}
