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

/**
 * A moment that somebody names, in the canonical spelling. A date and time without an offset counts as UTC, a date alone
 * as its midnight. `undefined` for what is no moment.
 */
export const readAnyInstant = (text: string): string | undefined =>
  canonicalInstant(text) ?? canonicalInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : `${text}Z`)

/** The years that a moment to be stored may be in: what programs write for "never" and "always" lies beyond them. */
export const storedYears = { first: 1900, last: 2999 }

/** The same for a moment that is to be stored, which is `undefined` too where no database should hold it. */
export function readInstant(text: string): string | undefined {
  const instant = readAnyInstant(text)
  const year = Number(instant?.slice(0, 4))
  return year >= storedYears.first && year <= storedYears.last ? instant : undefined
}

/** A stored moment as it is shown: microseconds only where there are any. */
export const shownInstant = (stored: string): string =>
  stored.endsWith('.000000Z') ? `${stored.slice(0, 19)}Z` : stored

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

/** Whether one moment comes before another, stored or shown. */
export const isBefore = (a: string, b: string): boolean => microsecondsOf(a) < microsecondsOf(b)
