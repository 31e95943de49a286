import sql, { empty, type Sql } from 'sql-template-tag'
import type { Cells } from '../../storage/database.ts'
import { wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import {
  flagColumn,
  momentColumn,
  moneyColumn,
  type Sheet,
  textColumn,
  wholeColumn,
} from '../format/table.ts'

/** What may be wished for, and which vouchers (`v`) are then meant at a moment. */
const states: Readonly<Record<string, (now: string) => Sql>> = {
  '': () => empty,
  active: (now) => sql` AND v.redeemed < v.max_usages AND (v.valid_until IS NULL OR v.valid_until >= ${now})`,
  redeemed: () => sql` AND v.redeemed > 0`,
  used_up: () => sql` AND v.redeemed >= v.max_usages`,
  expired: (now) => sql` AND v.valid_until < ${now}`,
}

async function voucherSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  return listed<Cells>(
    run,
    words,
    {
      title: 'Vouchers',
      columns: [
        ...['Event', 'Voucher'].map(textColumn),
        ...['Uses', 'Most uses', 'Fewest uses'].map(wholeColumn),
        momentColumn('Valid until'),
        textColumn('Price effect'),
        moneyColumn('Value'),
        moneyColumn('Budget'),
        moneyColumn('Budget used'),
        ...['Product', 'Variation', 'Quota', 'Date', 'Seat', 'Tag', 'Comment'].map(textColumn),
        ...['Reserves', 'Ignores quotas', 'Shows hidden products'].map(flagColumn),
      ],
    },
    {
      listing: ({ id }) => ({
        columns: sql`v.*, quota.name AS quota_name`,
        from: sql`voucher v LEFT JOIN quota ON quota.organizer = v.organizer AND quota.id = v.quota
        WHERE v.organizer = ${run.organizer.id} AND v.event = ${id}${
          states[String(run.wishes.state)]?.(run.now) ?? empty
        }`,
        order: sql`v.id`,
      }),
      rowsOf: (page, { event, clock, items, variations, dates }) =>
        page.map((cells) => [
          event.slug,
          cells.code ?? null,
          cells.redeemed ?? null,
          cells.max_usages ?? null,
          cells.min_usages ?? null,
          clock(cells.valid_until),
          cells.price_mode ?? null,
          cells.value ?? null,
          cells.budget ?? null,
          cells.budget_used ?? null,
          items.get(cells.item) ?? null,
          variations.get(cells.variation) ?? null,
          cells.quota_name ?? null,
          dates.get(cells.subevent)?.name ?? null,
          cells.seat ?? null,
          cells.tag ?? null,
          cells.comment ?? null,
          cells.block_quota === 1,
          cells.allow_ignore_quota === 1,
          cells.show_hidden_items === 1,
        ]),
    },
  )
}

/** Vouchers and how often they were used. */
export const voucherList: Exporter = {
  identifier: 'voucherlist',
  name: 'Vouchers',
  levels: ['event', 'organizer'],
  needs: 'can_view_vouchers',
  parameters: [{ name: 'state', kind: 'word', words: Object.keys(states) }],
  output: { kind: 'tables', sheets: [{ name: 'vouchers', open: voucherSheet }] },
}
