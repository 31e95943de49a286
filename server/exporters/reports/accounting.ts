import sql, { type Sql } from 'sql-template-tag'
import type { EventFacts } from '../../resource/api.ts'
import type { Cells } from '../../storage/database.ts'
import { type CatalogueWords, wordsOfAll } from '../format/event-catalogue.ts'
import { pageSize } from '../format/event-pages.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import { dayOf } from '../format/local-clock.ts'
import {
  dayColumn,
  moneyColumn,
  percentColumn,
  type Sheet,
  type TableRow,
  textColumn,
  wholeColumn,
} from '../format/table.ts'
import { betweenDays, stateOf, wishedOrders } from './order-words.ts'

/** Reads a table whose rows are sums, so that there are few of them. */
async function summed(
  run: Run,
  head: Pick<Sheet, 'title' | 'columns'>,
  statement: (event: EventFacts) => Sql,
  rowOf: (cells: Cells, words: CatalogueWords) => TableRow,
): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  return {
    ...head,
    total: null,
    async *pages() {
      for (const one of words)
        for await (const page of run.db.pages<Cells>(statement(one.event), pageSize))
          yield page.map((cells) => rowOf(cells, one))
    },
  }
}

/** What was sold, by state of the order, product and tax rate; what was canceled costs nothing. */
const salesSheet = (run: Run): Promise<Sheet> =>
  summed(
    run,
    {
      title: 'Sales',
      columns: [
        ...['Event', 'Currency', 'Status', 'Kind', 'Product', 'Variation'].map(textColumn),
        percentColumn('Tax rate'),
        wholeColumn('Count'),
        ...['Gross', 'Net', 'Tax'].map(moneyColumn),
      ],
    },
    (event) => sql`SELECT * FROM (
        SELECT 'Product' AS kind, o.status, p.item, p.variation, '' AS fee, p.tax_rate, count(*) AS count,
          sum(p.price) AS gross, sum(p.tax_value) AS tax
        FROM orders o CROSS JOIN order_position p WHERE p.organizer = o.organizer AND p.order_id = o.id AND p.canceled = 0
          AND ${wishedOrders(run, event)} GROUP BY o.status, p.item, p.variation, p.tax_rate
        UNION ALL
        SELECT 'Fee' AS kind, o.status, NULL AS item, NULL AS variation, f.fee_type AS fee, f.tax_rate, count(*) AS count,
          sum(f.value) AS gross, sum(f.tax_value) AS tax
        FROM orders o CROSS JOIN order_fee f WHERE f.organizer = o.organizer AND f.order_id = o.id AND f.canceled = 0
          AND ${wishedOrders(run, event)} GROUP BY o.status, f.fee_type, f.tax_rate
      ) s ORDER BY s.status, s.kind, s.fee, COALESCE(s.item, 0), COALESCE(s.variation, 0), s.tax_rate`,
    (cells, { event, items, variations }) => [
      event.slug,
      event.currency,
      stateOf(cells.status),
      cells.kind ?? null,
      cells.kind === 'Fee' ? (cells.fee ?? null) : (items.get(cells.item) ?? null),
      variations.get(cells.variation) ?? null,
      cells.tax_rate ?? null,
      Number(cells.count),
      Number(cells.gross),
      Number(cells.gross) - Number(cells.tax),
      Number(cells.tax),
    ],
  )

/** What was paid and given back, by provider and state; refunds are what they take away. */
const paymentSheet = (run: Run): Promise<Sheet> =>
  summed(
    run,
    {
      title: 'Payments',
      columns: [
        ...['Event', 'Currency', 'Kind', 'Provider', 'State'].map(textColumn),
        wholeColumn('Count'),
        moneyColumn('Amount'),
      ],
    },
    (event) => {
      const at = sql`m.organizer = ${run.organizer.id} AND m.event = ${event.id}`
      return sql`SELECT * FROM (
          SELECT 'Payment' AS kind, m.provider, m.state, count(*) AS count, sum(m.amount) AS amount FROM order_payment m
          WHERE ${at}${betweenDays(run, event, sql`COALESCE(m.payment_date, m.created)`)}
          GROUP BY m.provider, m.state
          UNION ALL
          SELECT 'Refund' AS kind, m.provider, m.state, count(*) AS count, -sum(m.amount) AS amount FROM order_refund m
          WHERE ${at}${betweenDays(run, event, sql`COALESCE(m.execution_date, m.created)`)}
          GROUP BY m.provider, m.state
        ) s ORDER BY s.kind, s.provider, s.state`
    },
    (cells, { event }) => [
      event.slug,
      event.currency,
      cells.kind ?? null,
      cells.provider ?? null,
      cells.state ?? null,
      Number(cells.count),
      Number(cells.amount),
    ],
  )

/** What orders of each day come to, by the clocks of the event. */
async function daySheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  return {
    title: 'Days',
    columns: [
      textColumn('Event'),
      textColumn('Currency'),
      dayColumn('Day'),
      textColumn('Status'),
      wholeColumn('Orders'),
      moneyColumn('Total'),
    ],
    total: null,
    async *pages() {
      for (const { event, clock } of words) {
        const days = new Map<string, { day: string; status: string; count: number; total: number }>()
        const statement = sql`SELECT o.status, o.datetime, o.total FROM orders o WHERE ${wishedOrders(run, event)}
          ORDER BY o.datetime, o.id`
        for await (const page of run.db.pages<Cells>(statement, pageSize))
          for (const cells of page) {
            const day = dayOf(clock(cells.datetime)) ?? ''
            const key = `${day} ${cells.status}`
            const sum = days.get(key) ?? { day, status: String(cells.status), count: 0, total: 0 }
            sum.count += 1
            sum.total += Number(cells.total)
            days.set(key, sum)
          }
        yield [...days.values()]
          .sort((a, b) => (`${a.day} ${a.status}` < `${b.day} ${b.status}` ? -1 : 1))
          .map((one) => [event.slug, event.currency, one.day, stateOf(one.status), one.count, one.total])
      }
    },
  }
}

/** Sums for the books. */
export const accountingReport: Exporter = {
  identifier: 'accountingreport',
  name: 'Accounting report',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [
    { name: 'date_from', kind: 'day' },
    { name: 'date_to', kind: 'day' },
  ],
  output: {
    kind: 'tables',
    sheets: [
      { name: 'sales', open: salesSheet },
      { name: 'payments', open: paymentSheet },
      { name: 'days', open: daySheet },
    ],
  },
}
