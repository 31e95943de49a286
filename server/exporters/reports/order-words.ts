import sql, { empty, type Sql } from 'sql-template-tag'
import type { InvoiceAddress } from '../../../schema/resources/orders/order.ts'
import type { EventFacts } from '../../resource/api.ts'
import { nextDay } from '../format/days.ts'
import type { Run } from '../format/exporter.ts'
import { type Column, type TableCell, textColumn } from '../format/table.ts'

/** States of orders as people say them. */
const stateWords: Readonly<Record<string, string>> = {
  n: 'Pending',
  p: 'Paid',
  e: 'Expired',
  c: 'Canceled',
}

/** The state of an order. */
export const stateOf = (status: unknown, isCanceled = false): string =>
  isCanceled ? 'Canceled' : (stateWords[String(status)] ?? String(status))

/** Columns of an invoice address. */
export const addressColumns: readonly Column[] = [
  'Invoice company',
  'Invoice name',
  'Invoice address',
  'Invoice ZIP code',
  'Invoice city',
  'Invoice country',
  'Invoice state',
  'Invoice VAT ID',
  'Invoice custom field',
  'Invoice internal reference',
].map(textColumn)

/** The cells of an invoice address, stored as JSON. */
export function addressCells(stored: unknown): TableCell[] {
  const address = (typeof stored === 'string' ? JSON.parse(stored) : {}) as Partial<InvoiceAddress>
  return [
    address.company,
    address.name,
    address.street,
    address.zipcode,
    address.city,
    address.country,
    address.state,
    address.vat_id,
    address.custom_field,
    address.internal_reference,
  ].map((part) => part ?? '')
}

/** The condition that a moment lies within the days that are asked for, by the clocks of an event. */
export function betweenDays(run: Run, event: EventFacts, column: Sql): Sql {
  const { date_from: first, date_to: last } = run.wishes
  const since =
    typeof first === 'string' ? sql` AND ${column} >= ${nextDay(first, 0, event.timezone)}` : empty
  const until = typeof last === 'string' ? sql` AND ${column} < ${nextDay(last, 1, event.timezone)}` : empty
  return sql`${since}${until}`
}

/** When an order is for: the first or last date of a series that it has tickets for, else when the event begins. */
const whenOf = (event: EventFacts, which: 'min' | 'max'): Sql => {
  const own = sql`(SELECT e.date_from FROM event e WHERE e.organizer = o.organizer AND e.id = o.event)`
  if (!event.hasSubevents) return own
  const date = which === 'min' ? sql`min(s.date_from)` : sql`max(s.date_from)`
  return sql`COALESCE((SELECT ${date} FROM order_position q JOIN subevent s ON s.organizer = q.organizer AND s.id = q.subevent
    WHERE q.organizer = o.organizer AND q.order_id = o.id AND q.canceled = 0), ${own})`
}

/** The condition that an order (`o`) of an event is among those that are wished for. */
export function wishedOrders(run: Run, event: EventFacts): Sql {
  const { event_date_from: from, event_date_to: to } = run.wishes
  const sinceDate =
    typeof from === 'string'
      ? sql` AND ${whenOf(event, 'max')} >= ${nextDay(from, 0, event.timezone)}`
      : empty
  const untilDate =
    typeof to === 'string' ? sql` AND ${whenOf(event, 'min')} < ${nextDay(to, 1, event.timezone)}` : empty
  return sql`o.organizer = ${run.organizer.id} AND o.event = ${event.id}${
    run.wishes.paid_only === true ? sql` AND o.status = 'p'` : empty
  }${betweenDays(run, event, sql`o.datetime`)}${sinceDate}${untilDate}`
}
