import sql, { empty } from 'sql-template-tag'
import type { Cells } from '../storage/database.ts'
import { wordsOfAll } from './catalogue.ts'
import { listed } from './event-pages.ts'
import type { Exporter, Run } from './exporter.ts'
import { moment, type Sheet, text, whole } from './table.ts'

async function conflictSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  const state = String(run.wishes.state ?? '')
  return listed<Cells>(
    run,
    words,
    {
      title: 'Conflicts',
      columns: [
        text('Event'),
        ...['Kind', 'Severity', 'State'].map(text),
        moment('Detected'),
        ...['List', 'Order code'].map(text),
        whole('Position'),
        text('Attendee name'),
        moment('Time'),
        ...['Device', 'Gate'].map(text),
        moment('Other time'),
        ...['Other device', 'Other gate', 'Note'].map(text),
        moment('Resolved'),
        text('Resolved by'),
      ],
    },
    ({ id }) => ({
      columns: sql`k.kind, k.severity, k.state, k.detected, k.datetime, k.other_datetime, k.note, k.resolved, k.resolved_by,
        o.code, p.positionid, p.attendee_name, list.name AS list_name, device.name AS device_name,
        other_device.name AS other_device_name, gate.name AS gate_name, other_gate.name AS other_gate_name`,
      from: sql`conflict k
        LEFT JOIN order_position p ON p.organizer = k.organizer AND p.id = k."position"
        LEFT JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
        LEFT JOIN checkin_list list ON list.organizer = k.organizer AND list.id = k.list
        LEFT JOIN device ON device.organizer = k.organizer AND device.id = k.device
        LEFT JOIN device other_device ON other_device.organizer = k.organizer AND other_device.id = k.other_device
        LEFT JOIN checkin c ON c.organizer = k.organizer AND c.id = k.checkin
        LEFT JOIN checkin d ON d.organizer = k.organizer AND d.id = k.other_checkin
        LEFT JOIN gate ON gate.organizer = c.organizer AND gate.id = c.gate
        LEFT JOIN gate other_gate ON other_gate.organizer = d.organizer AND other_gate.id = d.gate
        WHERE k.organizer = ${run.organizer.id} AND k.event = ${id}${
          state === '' ? empty : sql` AND k.state = ${state}`
        }`,
      order: sql`k.detected, k.id`,
    }),
    (page, { event, clock }) =>
      page.map((cells) => [
        event.slug,
        cells.kind ?? null,
        cells.severity ?? null,
        cells.state ?? null,
        clock(cells.detected),
        cells.list_name ?? null,
        cells.code ?? null,
        cells.positionid ?? null,
        cells.attendee_name ?? null,
        clock(cells.datetime),
        cells.device_name ?? null,
        cells.gate_name ?? null,
        clock(cells.other_datetime),
        cells.other_device_name ?? null,
        cells.other_gate_name ?? null,
        cells.note ?? null,
        clock(cells.resolved),
        cells.resolved_by ?? null,
      ]),
  )
}

/** What contradicts each other, such as a ticket that two stations admitted. */
export const conflictList: Exporter = {
  identifier: 'conflictlist',
  name: 'Conflicts',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [{ name: 'state', kind: 'word', words: ['', 'open', 'resolved'] }],
  output: { kind: 'tables', sheets: [{ name: 'conflicts', open: conflictSheet }] },
}
