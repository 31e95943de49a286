import { availability } from '../../domain/quotas/quota-availability.ts'
import { quotasOf, quotaUsage } from '../../services/quotas/quota-usage.ts'
import { wordsOf } from '../format/event-catalogue.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import {
  flagColumn,
  momentColumn,
  type Sheet,
  type TableRow,
  textColumn,
  wholeColumn,
} from '../format/table.ts'

async function quotaSheet(run: Run): Promise<Sheet> {
  const rows: TableRow[] = []
  for (const event of run.events) {
    const place = { organizer: run.organizer.id, event: event.id }
    const { dates } = await wordsOf(run.db, run.organizer.id, event)
    const quotas = await quotasOf(run.db, place)
    const usage = await quotaUsage(run.db, place, quotas, run.now)
    for (const quota of quotas) {
      const taken = usage.get(quota.id) ?? { paid: 0, pending: 0 }
      const date = dates.get(quota.subevent)
      rows.push([
        quota.name,
        date?.name ?? null,
        date?.from ?? null,
        quota.size,
        taken.paid,
        taken.pending,
        taken.vouchers ?? 0,
        taken.carts ?? 0,
        taken.waiting ?? 0,
        (taken.exitedPaid ?? 0) + (taken.exitedPending ?? 0),
        availability(quota, taken).number,
        quota.closed,
      ])
    }
  }
  return {
    title: 'Quotas',
    columns: [
      textColumn('Quota'),
      textColumn('Date'),
      momentColumn('Begins'),
      ...['Size', 'Paid orders', 'Pending orders', 'Blocking vouchers', 'Carts', 'Waiting list'].map(
        wholeColumn,
      ),
      ...['Exited orders', 'Available'].map(wholeColumn),
      flagColumn('Closed'),
    ],
    total: rows.length,
    async *pages() {
      yield rows
    },
  }
}

/** How much of each quota is taken, and left. */
export const quotaList: Exporter = {
  identifier: 'quotalist',
  name: 'Quotas',
  levels: ['event'],
  needs: null,
  parameters: [],
  output: { kind: 'tables', sheets: [{ name: 'quotas', open: quotaSheet }] },
}
