import { localDate, toInstant } from '../text/time.ts'

/** When a mail is to be sent: at one moment, or so many days from an event at a time of day. */
export interface EmailRuleTimes {
  readonly date_is_absolute: boolean
  readonly send_date: string | null
  readonly send_offset_days: number | null
  /** `HH:MM` or `HH:MM:SS` in the time zone of the event. */
  readonly send_offset_time: string | null
  readonly offset_to_event_end: boolean
  readonly offset_is_after: boolean
}

/** When an event, or one date of a series, takes place. */
interface Occasion {
  readonly date_from: string
  readonly date_to: string | null
  readonly timezone: string
}

const oneDay = 86_400_000

const daysLater = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * oneDay).toISOString().slice(0, 10)

/**
 * The moment at which a rule sends its mail about an occasion, 27 characters in UTC, or null where the rule does not
 * say one. A relative time counts days from the calendar day of the start, or of the end where there is one, in the
 * event's time zone. A time that the clocks skip in spring becomes as much later as they are put forward; of a time
 * that comes twice in autumn it is the second, in standard time.
 */
export function sendTime(rule: EmailRuleTimes, occasion: Occasion): string | null {
  if (rule.date_is_absolute) return rule.send_date
  const { send_offset_days: days, send_offset_time: time } = rule
  if (days === null || time === null) return null
  const { date_from, date_to, timezone } = occasion
  const base = localDate(rule.offset_to_event_end ? (date_to ?? date_from) : date_from, timezone)
  const day = daysLater(base, rule.offset_is_after ? days : -days)
  return toInstant(`${day}T${time}`, timezone, 'second')
}

/** Complaints about the times of a rule; `sent` holds the names of what was sent with it. */
export function ruleTimeProblems(rule: EmailRuleTimes, sent: ReadonlySet<string>): string[] {
  if (rule.date_is_absolute) {
    const relative = ['offset_to_event_end', 'offset_is_after'].filter((name) => sent.has(name))
    return [
      ...relative.map((name) => `${name} cannot be given for a mail with an absolute date.`),
      ...(rule.send_date === null ? ['A mail with an absolute date needs send_date.'] : []),
    ]
  }
  return [
    ...(rule.send_offset_days === null ? ['A mail relative to the event needs send_offset_days.'] : []),
    ...(rule.send_offset_time === null ? ['A mail relative to the event needs send_offset_time.'] : []),
  ]
}
