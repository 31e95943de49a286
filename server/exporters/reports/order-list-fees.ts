import sql from 'sql-template-tag'
import type { Cells } from '../../storage/database.ts'
import { wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import type { Run } from '../format/exporter.ts'
import { momentColumn, moneyColumn, percentColumn, type Sheet, textColumn } from '../format/table.ts'
import { addressCells, addressColumns, stateOf, wishedOrders } from './order-words.ts'

/** The table of the fees, canceled ones included and marked. */
export async function feeSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  const titles = [
    ...['Event', 'Order code', 'Status', 'Email', 'Phone'].map(textColumn),
    momentColumn('Order date'),
    ...['Fee type', 'Description'].map(textColumn),
    moneyColumn('Price'),
    percentColumn('Tax rate'),
    textColumn('Tax rule'),
    moneyColumn('Tax'),
    ...addressColumns,
  ]
  return listed<Cells>(
    run,
    words,
    { title: 'Fees', columns: titles },
    {
      listing: (event) => ({
        columns: sql`o.code, o.status, o.email, o.phone, o.datetime, o.invoice_address, f.canceled, f.fee_type, f.description,
        f.value, f.tax_rate, f.tax_rule, f.tax_value`,
        from: sql`orders o CROSS JOIN order_fee f
        WHERE f.organizer = o.organizer AND f.order_id = o.id AND ${wishedOrders(run, event)}`,
        order: sql`o.datetime, o.id, f.id`,
      }),
      rowsOf: (page, { event, clock, taxRules }) =>
        page.map((cells) => [
          event.slug,
          cells.code ?? null,
          stateOf(cells.status, cells.canceled === 1),
          cells.email ?? null,
          cells.phone ?? null,
          clock(cells.datetime),
          cells.fee_type ?? null,
          cells.description ?? null,
          cells.value ?? null,
          cells.tax_rate ?? null,
          taxRules.get(cells.tax_rule) ?? null,
          cells.tax_value ?? null,
          ...addressCells(cells.invoice_address),
        ]),
    },
  )
}
