import { isDay } from '../../../schema/instants.ts'

const timePattern = /^(\d{1,2})(?:[:.](\d\d)(?:[:.](\d\d)(?:[.,]\d+)?)?)?\s*(am|pm|a\.m\.|p\.m\.|uhr)?$/i
const yearFirst = /^(\d{4})([-/.]?)(\d{1,2})\2(\d{1,2})$/
const yearLast = /^(\d{1,2})([-/.])\s?(\d{1,2})\2\s?(\d{4}|\d\d)$/
const dateAndTime = /^(\S+?)(?:T|,?\s+)(\S.*)$/

/**
 * A time of day, `HH:MM:SS`, from what people type: `9:05`, `09.05`, `0905`, `21:05:30`, `9:05 pm`, `9 Uhr`. Fractions
 * of a second are left out. `undefined` when it is not a time of day.
 */
export function readTime(text: string): string | undefined {
  const typed = text.trim().replace(/^(\d\d)(\d\d)$/, '$1:$2')
  const match = timePattern.exec(typed)
  if (match === null || /^\d+$/.test(typed)) return undefined
  const [, hours, minutes = '00', seconds = '00', word = ''] = match
  const half = /^[ap]/i.exec(word)?.[0].toLowerCase()
  if (half !== undefined && (Number(hours) < 1 || Number(hours) > 12)) return undefined
  const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'p' ? 12 : 0)
  if (hour > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  return `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`
}

/**
 * A calendar day, `YYYY-MM-DD`, from what people type: `2027-02-28`, `20270228`, `28.2.2027`, `2/28/2027`, also with a
 * time behind it. With dots the day comes first, else the month, unless only the other way round makes a date. Years
 * of two digits are read as 1970 to 2069. `undefined` when it is not a day that exists.
 */
export function readDate(text: string): string | undefined {
  const typed = text.trim()
  return readDay(typed) ?? readDay(dateAndTime.exec(typed)?.[1] ?? '')
}

/** A day with a time of day, `YYYY-MM-DDTHH:MM:SS`, from what people type; a day alone begins at midnight. */
export function readDateTime(text: string): string | undefined {
  const [, day, time] = dateAndTime.exec(text.trim()) ?? [undefined, text.trim(), '00:00']
  const date = readDay(day ?? '')
  const clock = readTime(time ?? '')
  return date === undefined || clock === undefined ? undefined : `${date}T${clock}`
}

function readDay(text: string): string | undefined {
  const first = yearFirst.exec(text)
  if (first !== null) return spell(Number(first[1]), Number(first[3]), Number(first[4]))
  const [, one, separator, two, year = ''] = yearLast.exec(text) ?? []
  const full = year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year)
  const dayFirst = spell(full, Number(two), Number(one))
  const monthFirst = spell(full, Number(one), Number(two))
  return separator === '.' ? (dayFirst ?? monthFirst) : (monthFirst ?? dayFirst)
}

function spell(year: number, month: number, day: number): string | undefined {
  if (!isDay(year, month, day)) return undefined
  return [String(year).padStart(4, '0'), ...[month, day].map((part) => String(part).padStart(2, '0'))].join(
    '-',
  )
}
