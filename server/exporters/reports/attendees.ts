import sql, { join, type Sql } from 'sql-template-tag'
import type { EventFacts } from '../../resource/api.ts'
import type { Cells } from '../../storage/database.ts'
import { wordsOfAll } from '../format/event-catalogue.ts'
import { idsIn, type Listing, listed } from '../format/event-pages.ts'
import type { Exporter, Parameter, Run } from '../format/exporter.ts'
import { flagColumn, momentColumn, type Sheet, textColumn, wholeColumn } from '../format/table.ts'
import { namePartCells, namePartsOf, positionsOf, seatText } from './order-list-positions.ts'
import { stateOf, wishedOrders } from './order-words.ts'

/** What may be wished for of those who are expected. */
export const attendeeParameters: readonly Parameter[] = [
  { name: 'paid_only', kind: 'flag' },
  { name: 'date_from', kind: 'day' },
  { name: 'date_to', kind: 'day' },
  { name: 'event_date_from', kind: 'day', dates: true },
  { name: 'event_date_to', kind: 'day', dates: true },
]

/** Who is expected: holders of tickets that let somebody in, in orders that were not canceled and did not expire. */
const attending = (run: Run, event: EventFacts): Sql => sql`${positionsOf(wishedOrders(run, event))}
  AND p.canceled = 0 AND o.status IN ('p', 'n') AND p.item IN (SELECT i.id FROM item i
    WHERE i.organizer = p.organizer AND i.event = p.event AND i.admission = 1)`

/** What is read of whoever is expected. */
const columns = sql`o.code, o.status, o.email, p.id, p.positionid, p.item, p.variation, p.subevent, p.attendee_name,
  p.attendee_name_parts, p.attendee_email, p.company, p.seat, p.secret, parent.attendee_name AS parent_name,
  parent.company AS parent_company`

/** Those who are expected at an event, by the time of their orders. */
export const attendeeListing =
  (run: Run) =>
  (event: EventFacts): Listing => ({
    columns,
    from: attending(run, event),
    order: sql`o.datetime, o.id, p.positionid`,
  })

async function attendeeSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  const parts = namePartsOf(words)
  return listed<Cells>(
    run,
    words,
    {
      title: 'Attendees',
      columns: [
        ...['Event', 'Order code'].map(textColumn),
        wholeColumn('Position'),
        ...['Status', 'Attendee name'].map(textColumn),
        ...parts.map((part) => textColumn(`Attendee name: ${part}`)),
        ...['Attendee email', 'Company', 'Product', 'Variation', 'Date'].map(textColumn),
        momentColumn('Begins'),
        textColumn('Seat'),
        flagColumn('Has come'),
      ],
    },
    {
      listing: attendeeListing(run),
      rowsOf: async (page, { event, dates, items, variations }) => {
        const came = await whoCame(run, page)
        return page.map((cells) => [
          event.slug,
          cells.code ?? null,
          cells.positionid ?? null,
          stateOf(cells.status),
          cells.attendee_name || cells.parent_name || null,
          ...namePartCells(parts, cells.attendee_name_parts),
          cells.attendee_email || cells.email || null,
          cells.company ?? null,
          items.get(cells.item) ?? null,
          variations.get(cells.variation) ?? null,
          dates.get(cells.subevent)?.name ?? null,
          dates.get(cells.subevent)?.from ?? null,
          seatText(cells.seat),
          came.has(Number(cells.id)),
        ])
      },
    },
  )
}

async function whoCame(run: Run, page: readonly Cells[]): Promise<ReadonlySet<number>> {
  const rows = await run.db.all<{ position: number }>(
    sql`SELECT DISTINCT "position" AS position FROM checkin WHERE organizer = ${run.organizer.id} AND successful = 1
          AND "type" = 'entry' AND "position" IN (${join(idsIn(page, 'id'))})`,
  )
  return new Set(rows.map(({ position }) => position))
}

/** Everybody who is expected. */
export const attendeeList: Exporter = {
  identifier: 'attendeelist',
  name: 'Attendees',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: attendeeParameters,
  output: { kind: 'tables', sheets: [{ name: 'attendees', open: attendeeSheet }] },
}
