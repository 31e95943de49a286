import { localDateTime, toInstant } from '../text/time.ts'

const frequencies = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const
const weekdays = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU']

/** A day of the week; in a month or year also which one of these, from its end where it is negative. */
interface Weekday {
  readonly weekday: number
  readonly nth: number | null
}

/** Days that come again and again, as an RRULE says; days are counted from 1970. */
export interface Recurrence {
  readonly frequency: (typeof frequencies)[number]
  readonly interval: number
  /** Null where it begins with the day on which it is asked for. */
  readonly start: number | null
  readonly count: number | null
  readonly until: number | null
  readonly months: readonly number[]
  readonly days: readonly Weekday[]
}

/** So many days are looked at for the next one; what comes more seldom never comes. */
const horizon = 40 * 366

const milliseconds = 86_400_000
const dayOf = (year: number, month: number, day: number): number =>
  Date.UTC(year, month - 1, day) / milliseconds
const isoOf = (day: number): string => new Date(day * milliseconds).toISOString().slice(0, 10)
/** Monday is 0. */
const weekdayOf = (day: number): number => (((day + 3) % 7) + 7) % 7

/** The day of a moment such as `20261123T040000` or `20261123`; undefined where it is none, or of another time zone. */
function readDay(text: string): number | undefined {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)(?:T\d{6})?$/.exec(text) ?? []
  if (year === undefined || Number(year) < 1900) return undefined
  const read = dayOf(Number(year), Number(month), Number(day))
  return isoOf(read) === `${year}-${month}-${day}` ? read : undefined
}

function readWeekday(text: string): Weekday | undefined {
  const [, nth, name = ''] = /^([+-]?\d{1,2})?([A-Z]{2})$/.exec(text) ?? []
  const weekday = weekdays.indexOf(name)
  const isFine = weekday >= 0 && (nth === undefined || (Number(nth) !== 0 && Math.abs(Number(nth)) <= 53))
  return isFine ? { weekday, nth: nth === undefined ? null : Number(nth) } : undefined
}

/** A whole number from `least` to `most`. */
function readNumber(text: string, least: number, most: number): number | undefined {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : -1
  return number >= least && number <= most ? number : undefined
}

/** Every one of some words read; undefined where one of them means nothing. */
function readAll<T>(text: string, read: (word: string) => T | undefined): T[] | undefined {
  const values = text.split(',').map(read)
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? known : undefined
}

/** The parts of a rule that may be left out, and how each is read. */
const parts = {
  INTERVAL: (text: string) => readNumber(text, 1, 10_000),
  COUNT: (text: string) => readNumber(text, 0, 100_000),
  UNTIL: readDay,
  BYMONTH: (text: string) => readAll(text, (word) => readNumber(word, 1, 12)),
  BYDAY: (text: string) => readAll(text, readWeekday),
  WKST: (text: string) => (text === 'MO' ? text : undefined),
} as const

/** Reads an RRULE, with a DTSTART in front of it or without; undefined for one that cannot be kept to. */
export function readRecurrence(text: string): Recurrence | undefined {
  const [, begin, rule = ''] =
    /^(?:DTSTART:(\S+)\s+(?=RRULE:))?(?:RRULE:)?(\S+)$/.exec(text.trim().toUpperCase()) ?? []
  const start = begin === undefined ? null : readDay(begin)
  const said = new Map(rule.split(';').map((part) => part.split('=', 2) as [string, string | undefined]))
  const frequency = frequencies.find((one) => one === said.get('FREQ'))
  const isKnown = [...said].every(
    ([name, value]) => name === 'FREQ' || (Object.hasOwn(parts, name) && value !== undefined),
  )
  if (!frequency || start === undefined || !isKnown || said.size !== rule.split(';').length) return undefined
  /** Null where a part is wrong. */
  const read = <N extends keyof typeof parts, F>(name: N, fallback: F) => {
    const value = said.get(name)
    return value === undefined ? fallback : ((parts[name](value) as ReturnType<(typeof parts)[N]>) ?? null)
  }
  const interval = read('INTERVAL', 1)
  const months = read('BYMONTH', [])
  const days = read('BYDAY', [])
  const count = read('COUNT', undefined)
  const until = read('UNTIL', undefined)
  const isWrong = [interval, months, days, count, until, read('WKST', undefined)].includes(null)
  if (isWrong || interval === null || months === null || days === null) return undefined
  // A day of the month is not among what a rule can say.
  if ((frequency === 'MONTHLY' || frequency === 'YEARLY') && days.length === 0) return undefined
  return { frequency, interval, start, count: count ?? null, until: until ?? null, months, days }
}

/** Whether a weekday is the nth one of a month or year, of which `place` is the day of so many. */
const isNth = (nth: number, place: number, length: number): boolean =>
  nth > 0 ? Math.ceil(place / 7) === nth : Math.ceil((length - place + 1) / 7) === -nth

/** Whether a rule that begins on a day names another one, its count and end aside. */
function names({ frequency, interval, months, days }: Recurrence, start: number, day: number): boolean {
  const [year, month] = [
    new Date(day * milliseconds).getUTCFullYear(),
    new Date(day * milliseconds).getUTCMonth() + 1,
  ]
  const first = new Date(start * milliseconds)
  const monday = (one: number): number => one - weekdayOf(one)
  const periods = {
    DAILY: () => day - start,
    WEEKLY: () => (monday(day) - monday(start)) / 7,
    MONTHLY: () => (year - first.getUTCFullYear()) * 12 + month - 1 - first.getUTCMonth(),
    YEARLY: () => year - first.getUTCFullYear(),
  }
  if (periods[frequency]() % interval !== 0) return false
  if (months.length > 0 && !months.includes(month)) return false
  if (days.length === 0) return frequency === 'DAILY' || weekdayOf(day) === weekdayOf(start)
  const isInMonth = frequency === 'MONTHLY' || months.length > 0
  const begin = isInMonth ? dayOf(year, month, 1) : dayOf(year, 1, 1)
  const end = isInMonth ? dayOf(year, month + 1, 1) : dayOf(year + 1, 1, 1)
  const isCounted = frequency === 'MONTHLY' || frequency === 'YEARLY'
  return days.some(
    ({ weekday, nth }) =>
      weekday === weekdayOf(day) && (nth === null || !isCounted || isNth(nth, day - begin + 1, end - begin)),
  )
}

/** The first day from one on that a rule names; null where there is none. */
function firstFrom(rule: Recurrence, from: number, today: number): number | null {
  const start = rule.start ?? today
  let left = rule.count ?? Number.POSITIVE_INFINITY
  const last = Math.min(Math.max(from, start) + horizon, rule.until ?? Number.POSITIVE_INFINITY)
  // Only where they are counted do earlier ones matter.
  for (let day = rule.count === null ? Math.max(from, start) : start; day <= last && left > 0; day += 1) {
    if (!names(rule, start, day)) continue
    if (day >= from) return day
    left -= 1
  }
  return null
}

/** When something is done next that is done at a time of the days of a rule; null where it is not done any more. */
export function nextRun(
  rule: Recurrence,
  { time, timezone, now }: { readonly time: string; readonly timezone: string; readonly now: string },
): string | null {
  const [date = '', clock = ''] = localDateTime(now, timezone).split('T')
  const today = Date.parse(date) / milliseconds
  for (let from = clock < time ? today : today + 1; ; from += 1) {
    const day = firstFrom(rule, from, today)
    if (day === null) return null
    const instant = toInstant(`${isoOf(day)}T${time}`, timezone)
    // Where clocks are put back, a time of this day may have been already.
    if (instant > now) return instant
    from = day
  }
}
