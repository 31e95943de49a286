import sql, { empty, type Sql } from 'sql-template-tag'
import { fullName } from '../../domain/text/names.ts'
import type { Cells } from '../../storage/database.ts'
import { wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import { momentColumn, type Sheet, textColumn, wholeColumn } from '../format/table.ts'

const isExpired = (now: string): Sql => sql`v.redeemed < v.max_usages AND v.valid_until < ${now}`

/** What may be wished for, and which entries (`w`, with their vouchers `v`) are then meant at a moment. */
const states: Readonly<Record<string, (now: string) => Sql>> = {
  '': () => empty,
  'awaiting-voucher': () => sql` AND w.voucher IS NULL`,
  'voucher-assigned': () => sql` AND w.voucher IS NOT NULL`,
  'awaiting-redemption': (now) =>
    sql` AND w.voucher IS NOT NULL AND v.redeemed < v.max_usages AND (v.valid_until IS NULL OR v.valid_until >= ${now})`,
  'voucher-redeemed': () => sql` AND v.redeemed >= v.max_usages`,
  'voucher-expired': (now) => sql` AND ${isExpired(now)}`,
}

function stateOf(cells: Cells, now: string): string {
  if (cells.voucher === null) return 'Waiting'
  if (Number(cells.redeemed) >= Number(cells.max_usages)) return 'Voucher redeemed'
  return cells.valid_until !== null && String(cells.valid_until) < now ? 'Voucher expired' : 'Voucher sent'
}

async function waitingSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  return listed<Cells>(
    run,
    words,
    {
      title: 'Waiting list',
      columns: [
        textColumn('Event'),
        momentColumn('Since'),
        ...['Name', 'Email', 'Phone', 'Product', 'Variation', 'Date'].map(textColumn),
        momentColumn('Begins'),
        textColumn('Language'),
        wholeColumn('Priority'),
        ...['State', 'Voucher'].map(textColumn),
        momentColumn('Voucher valid until'),
      ],
    },
    {
      listing: ({ id }) => ({
        columns: sql`w.*, v.code, v.redeemed, v.max_usages, v.valid_until`,
        from: sql`waiting_list_entry w LEFT JOIN voucher v ON v.organizer = w.organizer AND v.id = w.voucher
        WHERE w.organizer = ${run.organizer.id} AND w.event = ${id}${
          states[String(run.wishes.status)]?.(run.now) ?? empty
        }`,
        order: sql`w.created, w.id`,
      }),
      rowsOf: (page, { event, clock, items, variations, dates }) =>
        page.map((cells) => [
          event.slug,
          clock(cells.created),
          fullName(cells.name_parts === null ? null : JSON.parse(String(cells.name_parts)), event.nameScheme),
          cells.email ?? null,
          cells.phone ?? null,
          items.get(cells.item) ?? null,
          variations.get(cells.variation) ?? null,
          dates.get(cells.subevent)?.name ?? null,
          dates.get(cells.subevent)?.from ?? null,
          cells.locale ?? null,
          cells.priority ?? null,
          stateOf(cells, run.now),
          // Whoever has it can use it.
          run.permissions.has('can_view_vouchers') ? (cells.code ?? null) : null,
          clock(cells.valid_until),
        ]),
    },
  )
}

/** Who waits, and what became of those who waited. */
export const waitingList: Exporter = {
  identifier: 'waitinglist',
  name: 'Waiting list',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [{ name: 'status', kind: 'word', words: Object.keys(states) }],
  output: { kind: 'tables', sheets: [{ name: 'waitinglist', open: waitingSheet }] },
}
