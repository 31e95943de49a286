import { Temporal } from 'temporal-polyfill'

const instantPattern =
  /^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?(?:[Zz]|([+-])(\d\d)(?::?(\d\d))?)$/

/** `Date.UTC` reads the years 0 to 99 as 1900 to 1999, so we count 400 years later: calendars repeat after 400. */
const secondsIn400Years = 146_097 * 86_400

/** An instant as whole seconds since 1970, and the microseconds within the second as six digits. */
interface Parsed {
  readonly seconds: number
  readonly fraction: string
}

/**
 * The one spelling of an instant that sorts as text: `YYYY-MM-DDTHH:MM:SS.ffffffZ`, always 27 characters in UTC.
 * Reads ISO 8601 dates with time and offset (`Z`, `+09`, `+0900`, `+09:00`; seconds optional; more than six decimals
 * are cut off). `undefined` for anything else, including times without an offset and days that do not exist.
 */
export function canonicalInstant(text: string): string | undefined {
  const parsed = parseInstant(text)
  if (parsed === undefined) return undefined
  // Nearly every instant comes in UTC with seconds already, and then no calendar is needed.
  if (/:\d\d:.*Z$/i.test(text)) return `${text.slice(0, 10)}T${text.slice(11, 19)}.${parsed.fraction}Z`
  const utc = new Date(parsed.seconds * 1000).toISOString()
  return utc.length === 24 && !utc.startsWith('0000') ? `${utc.slice(0, 19)}.${parsed.fraction}Z` : undefined
}

/** Microseconds since 1970 of an instant, to compare and to subtract; `NaN` when the text is not an instant. */
export function microsecondsOf(text: string): number {
  const parsed = parseInstant(text)
  return parsed === undefined ? Number.NaN : parsed.seconds * 1e6 + Number(parsed.fraction)
}

/** The instant a number of microseconds after 1970, in the canonical spelling. */
export function instantAt(microseconds: number): string {
  const seconds = Math.floor(microseconds / 1e6)
  const fraction = String(microseconds - seconds * 1e6).padStart(6, '0')
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}.${fraction}Z`
}

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

/**
 * The same time of day on the next calendar day, which is not always 24 hours later. A time that does not exist on
 * that day becomes the later one; of a time that comes twice it is the second, so that nobody is sent out early.
 */
export function nextDaySameTime(instant: string, timezone: string): string {
  return fromClock(inZone(instant, timezone).toPlainDateTime().add({ days: 1 }), timezone, 'second')
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

function parseInstant(text: string): Parsed | undefined {
  const match = instantPattern.exec(text)
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second = '0', decimals = '', sign, offsetHours, offsetMinutes] =
    match
  if (!isDay(Number(year), Number(month), Number(day))) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(offsetHours ?? 0) > 23 || Number(offsetMinutes ?? 0) > 59) return undefined
  const offset = (Number(offsetHours ?? 0) * 60 + Number(offsetMinutes ?? 0)) * (sign === '-' ? -60 : 60)
  const shifted = Date.UTC(Number(year) + 400, Number(month) - 1, Number(day), Number(hour), Number(minute))
  const seconds = shifted / 1000 - secondsIn400Years + Number(second) - offset
  return { seconds, fraction: decimals.slice(0, 6).padEnd(6, '0') }
}

/** Whether a year, month and day name a real calendar day. */
export function isDay(year: number, month: number, day: number): boolean {
  const leapDay = month === 2 && ((year % 4 === 0 && year % 100 !== 0) || year % 400 === 0) ? 1 : 0
  return year >= 1 && day >= 1 && day <= (monthLengths[month - 1] ?? 0) + leapDay
}

const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
