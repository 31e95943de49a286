import { withLatinDigits } from '../../schema/texts/translate.ts'

/** A moment as people at the gate read it: the time alone when it is the same day, else day and time. */
export function formatMoment(at: string, now: string, timeZone: string, language: string): string {
  const day = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' })
  const same = day.format(new Date(at)) === day.format(new Date(now))
  return same
    ? clock(at, timeZone, language)
    : `${formatDate(at, timeZone, language)}, ${clock(at, timeZone, language)}`
}

/** The time of day at the event, 24 hours in German, as usual in English. */
export const clock = (at: string, timeZone: string, language: string): string =>
  new Intl.DateTimeFormat(regional(language), { timeZone, hour: '2-digit', minute: '2-digit' }).format(
    new Date(at),
  )

/** A day at the event, with its weekday. */
export const formatDate = (at: string, timeZone: string, language: string): string =>
  new Intl.DateTimeFormat(regional(language), {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
  }).format(new Date(at))

/** A count with the language's separators. */
export const count = (value: number, language: string): string =>
  new Intl.NumberFormat(regional(language)).format(value)

/** A decimal amount of money with its currency, as the language writes it. */
export const formatMoney = (amount: string, currency: string, language: string): string =>
  new Intl.NumberFormat(regional(language), { style: 'currency', currency }).format(Number(amount))

/** English without a country means day before month and 24 hours, which nobody misreads. */
const regional = (language: string): string => (language === 'en' ? 'en-GB' : withLatinDigits(language))

/**
 * Seconds that are left at the pace so far, or null while that is a guess.
 * Given are milliseconds since the start and how much of the total is done.
 */
export function secondsLeft(elapsed: number, done: number, total: number): number | null {
  if (done <= 0 || total <= 0 || elapsed < 500) return null
  return Math.max(0, Math.ceil(((elapsed / done) * (total - done)) / 1000))
}
