import { shownInstant } from '../../../schema/instants.ts'
import type { InvoiceLine } from '../../../schema/resources/orders/invoice.ts'
import type { DateCells } from '../orders/ticket-print.ts'
import type { BilledPosition, LineMaker, ServicePeriod } from './invoice-facts.ts'

/** The fields of a line that say when it is provided. */
export const periodFields = ({ start, end }: ServicePeriod) => {
  const [period_start, period_end] = [shownInstant(start), shownInstant(end)]
  return { event_date_from: period_start, event_date_to: period_end, period_start, period_end }
}

const lasting = ({ date_from, date_to }: DateCells): ServicePeriod => ({
  start: date_from,
  end: date_to ?? date_from,
})

const moment = (instant: string): ServicePeriod => ({ start: instant, end: instant })

/** When a position is provided, by the event's settings. */
export function servicePeriod(
  { at: { event }, facts, terms, now }: LineMaker,
  position: BilledPosition,
  date: DateCells,
): ServicePeriod {
  const { invoice_period: kind } = event.settings
  if (kind === 'order_date') return moment(terms.ordered)
  if (kind === 'invoice_date') return moment(now)
  if (kind === 'event_date') return lasting(date)
  const { id, valid_from: from, valid_until: until } = position
  if (from && until) return { start: from, end: until }
  if (from) return moment(from)
  if (until) return { start: terms.ordered < until ? terms.ordered : until, end: until }
  const membership = facts.memberships.get(id)
  if (membership) return membership
  return kind === 'auto_no_event' && !event.hasSubevents ? moment(now) : lasting(date)
}

/** The time in which all of some lines are provided, or null where there is none. */
export function wholePeriod(lines: readonly InvoiceLine[]): ServicePeriod | null {
  const starts = lines.flatMap(({ period_start }) => period_start ?? []).toSorted()
  const ends = lines.flatMap(({ period_end }) => period_end ?? []).toSorted()
  const [start, end] = [starts[0], ends.at(-1)]
  return start && end ? { start, end } : null
}

/** When a fee is provided that stands alone. */
export function feePeriod({ at: { event }, facts, now }: LineMaker): ServicePeriod {
  const { invoice_period: kind } = event.settings
  const byEvent = kind === 'auto' || kind === 'auto_no_event' || kind === 'event_date'
  return byEvent && !event.hasSubevents ? lasting(facts.event) : moment(now)
}
