import { Temporal } from 'temporal-polyfill'
import { localDate, toInstant } from '../text/time.ts'
import { endOfDay } from './order-moves.ts'

/** How long the membership lasts that comes with a product. */
export interface GrantedDuration {
  readonly grant_membership_duration_like_event: boolean
  readonly grant_membership_duration_days: number
  readonly grant_membership_duration_months: number
}

/** When the event is, or the date of a series, that a product is a ticket for. */
export interface GrantingTimes {
  readonly date_from: string
  readonly date_to: string | null
  readonly timezone: string
}

/**
 * From when until when a membership lasts that is sold now: as long as the event, of which one without an end lasts
 * until the end of its day; or for whole days, the day of the sale being the first of them. One of no days at all lasts
 * for that day.
 */
export function membershipPeriod(
  item: GrantedDuration,
  { date_from, date_to, timezone }: GrantingTimes,
  now: string,
): { readonly date_start: string; readonly date_end: string } {
  if (item.grant_membership_duration_like_event)
    return { date_start: date_from, date_end: date_to ?? endOfDay(localDate(date_from, timezone), timezone) }
  const today = Temporal.PlainDate.from(localDate(now, timezone))
  const { grant_membership_duration_months: months, grant_membership_duration_days: days } = item
  const after = today.add({ months }).add({ days })
  const last = after.equals(today) ? today : after.subtract({ days: 1 })
  return {
    date_start: toInstant(`${today}T00:00:00`, timezone),
    date_end: endOfDay(last.toString(), timezone),
  }
}
