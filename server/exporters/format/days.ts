import { Temporal } from 'temporal-polyfill'
import { canonicalInstant } from '../../../schema/instants.ts'
import { toInstant } from '../../domain/text/time.ts'

/** The moment when a day begins in a time zone, or one of those after it. */
export function nextDay(day: string, later: number, timezone: string): string {
  const begins = Temporal.PlainDate.from(day).add({ days: later }).toString()
  const instant = toInstant(`${begins}T00:00`, timezone)
  return canonicalInstant(instant) ?? instant
}
