import { Temporal } from 'temporal-polyfill'
import { localDate, toInstant } from '../text/time.ts'

/** The last second of a day (YYYY-MM-DD) in a time zone, as an instant. */
export const endOfDay = (date: string, timezone: string): string => toInstant(`${date}T23:59:59`, timezone)

/** Until when an order may be paid: the end of the local day that many days after now. */
export const paymentDeadline = (now: string, days: number, timezone: string): string =>
  endOfDay(Temporal.PlainDate.from(localDate(now, timezone)).add({ days }).toString(), timezone)
