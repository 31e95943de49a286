import sql, { empty } from 'sql-template-tag'
import { namedConflicts } from '../../services/checkin/conflict-view.ts'
import type { Cells } from '../../storage/database.ts'
import { wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import { momentColumn, type Sheet, textColumn, wholeColumn } from '../format/table.ts'

async function conflictSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  const state = String(run.wishes.state ?? '')
  return listed<Cells>(
    run,
    words,
    {
      title: 'Conflicts',
      columns: [
        textColumn('Event'),
        ...['Kind', 'Severity', 'State'].map(textColumn),
        momentColumn('Detected'),
        ...['List', 'Order code'].map(textColumn),
        wholeColumn('Position'),
        textColumn('Attendee name'),
        momentColumn('Time'),
        ...['Device', 'Gate'].map(textColumn),
        momentColumn('Other time'),
        ...['Other device', 'Other gate', 'Note'].map(textColumn),
        momentColumn('Resolved'),
        textColumn('Resolved by'),
      ],
    },
    {
      listing: ({ id }) => ({
        columns: sql`k.kind, k.severity, k.state, k.detected, k.datetime, k.other_datetime, k.note, k.resolved, k.resolved_by,
        o.code, p.positionid, p.attendee_name, list.name AS list_name, device.name AS device_name,
        other_device.name AS other_device_name, gate.name AS gate_name, other_gate.name AS other_gate_name`,
        from: sql`${namedConflicts}
        WHERE k.organizer = ${run.organizer.id} AND k.event = ${id}${
          state === '' ? empty : sql` AND k.state = ${state}`
        }`,
        order: sql`k.detected, k.id`,
      }),
      rowsOf: (page, { event, clock }) =>
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
    },
  )
}

/** What contradicts each other, such as a ticket that two stations admitted. */
export const conflictReport: Exporter = {
  identifier: 'conflictlist',
  name: 'Conflicts',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [{ name: 'state', kind: 'word', words: ['', 'open', 'resolved'] }],
  output: { kind: 'tables', sheets: [{ name: 'conflicts', open: conflictSheet }] },
}
