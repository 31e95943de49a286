import sql, { empty, type Sql } from 'sql-template-tag'
import type { Cells } from '../../storage/database.ts'
import { wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import { flagColumn, momentColumn, type Sheet, textColumn, wholeColumn } from '../format/table.ts'
import { betweenDays } from './order-words.ts'

/** What may be wished for, and which scans (`c`) are then meant: those that a person should look at, unless it is said. */
const states: Readonly<Record<string, Sql>> = {
  '': sql` AND (c.successful = 0 OR c.forced = 1 OR c.force_sent = 1)`,
  failed: sql` AND c.successful = 0`,
  forced: sql` AND (c.forced = 1 OR c.force_sent = 1)`,
  successful: sql` AND c.successful = 1`,
  all: empty,
}

async function scanSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  return listed<Cells>(
    run,
    words,
    {
      title: 'Scans',
      columns: [
        textColumn('Event'),
        momentColumn('Time'),
        ...['List', 'Type', 'Result', 'Reason', 'Explanation', 'Order code'].map(textColumn),
        wholeColumn('Position'),
        ...['Attendee name', 'Product', 'Variation', 'Code scanned', 'Gate', 'Device'].map(textColumn),
        ...['Forced', 'Was sent as forced', 'Automatic'].map(flagColumn),
        momentColumn('Uploaded'),
      ],
    },
    {
      listing: (event) => ({
        columns: sql`c.datetime, c.created, c."type" AS type, c.successful, c.error_reason, c.error_explanation, c.raw_barcode,
        c.forced, c.force_sent, c.auto_checked_in, list.name AS list_name, o.code, p.positionid, p.attendee_name, p.secret,
        COALESCE(p.item, c.raw_item) AS item, COALESCE(p.variation, c.raw_variation) AS variation,
        gate.name AS gate_name, device.name AS device_name`,
        from: sql`checkin c
        JOIN checkin_list list ON list.organizer = c.organizer AND list.id = c.list
        LEFT JOIN order_position p ON p.organizer = c.organizer AND p.id = c."position"
        LEFT JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
        LEFT JOIN gate ON gate.organizer = c.organizer AND gate.id = c.gate
        LEFT JOIN device ON device.organizer = c.organizer AND device.id = c.device
        WHERE c.organizer = ${run.organizer.id} AND c.event = ${event.id}${
          states[String(run.wishes.status)] ?? empty
        }${run.wishes.list ? sql` AND c.list = ${Number(run.wishes.list)}` : empty}${betweenDays(run, event, sql`c.datetime`)}`,
        order: sql`c.datetime, c.id`,
      }),
      rowsOf: (page, { event, clock, items, variations }) =>
        page.map((cells) => [
          event.slug,
          clock(cells.datetime),
          cells.list_name ?? null,
          cells.type === 'exit' ? 'Exit' : 'Entry',
          cells.successful === 1 ? 'Successful' : 'Failed',
          cells.error_reason ?? null,
          cells.error_explanation ?? null,
          cells.code ?? null,
          cells.positionid ?? null,
          cells.attendee_name ?? null,
          items.get(cells.item) ?? null,
          variations.get(cells.variation) ?? null,
          cells.raw_barcode ?? cells.secret ?? null,
          cells.gate_name ?? null,
          cells.device_name ?? null,
          cells.forced === 1,
          cells.force_sent === 1,
          cells.auto_checked_in === 1,
          clock(cells.created),
        ]),
    },
  )
}

/** What happened at the entrances: scans that were refused or forced, or all of them. */
export const scanList: Exporter = {
  identifier: 'checkinlog',
  name: 'Scans that failed or were forced',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [
    { name: 'status', kind: 'word', words: Object.keys(states) },
    { name: 'list', kind: 'row', table: 'checkin_list' },
    { name: 'date_from', kind: 'day' },
    { name: 'date_to', kind: 'day' },
  ],
  output: { kind: 'tables', sheets: [{ name: 'scans', open: scanSheet }] },
}
