import sql, { join } from 'sql-template-tag'
import { amountOf } from '../../resource/codec.ts'
import type { Cells } from '../../storage/database.ts'
import { type CatalogueWords, wordsOfAll } from '../format/event-catalogue.ts'
import { idsIn, listed } from '../format/event-pages.ts'
import type { Run } from '../format/exporter.ts'
import {
  type Column,
  dayColumn,
  flagColumn,
  momentColumn,
  moneyColumn,
  type Sheet,
  type TableRow,
  textColumn,
  wholeColumn,
} from '../format/table.ts'
import { addressCells, addressColumns, stateOf, wishedOrders } from './order-words.ts'

const columns = sql`o.id, o.code, o.status, o.testmode, o.email, o.phone, o.customer, o.locale, o.sales_channel, o.datetime,
  o.expires, o.total, o.comment, o.custom_followup_at, o.checkin_attention, o.checkin_text, o.invoice_address,
  o.cancellation_date`

/** What the positions and fees of some orders cost, by order and tax rate; canceled ones cost nothing. */
interface Taxed {
  readonly order_id: number
  readonly rate: number
  readonly count: number
  readonly gross: number
  readonly tax: number
}

interface Paid {
  readonly order_id: number
  readonly provider: string
  readonly amount: number
  readonly last: string | null
}

/** The table of the orders: one row for each, with sums by tax rate, and by payment provider where that is wished. */
export async function orderSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  const rates = await taxRates(run)
  const providers = run.wishes.include_payment_amounts === true ? await providersOf(run) : []
  const titles: readonly Column[] = [
    ...['Event', 'Order code', 'Status'].map(textColumn),
    flagColumn('Test mode'),
    ...['Email', 'Phone', 'Customer'].map(textColumn),
    momentColumn('Order date'),
    momentColumn('Payable until'),
    momentColumn('Canceled'),
    moneyColumn('Total'),
    moneyColumn('Fees'),
    ...rates.flatMap((rate) => [
      moneyColumn(`Gross at ${amountOf(rate)} %`),
      moneyColumn(`Net at ${amountOf(rate)} %`),
      moneyColumn(`Tax at ${amountOf(rate)} %`),
    ]),
    wholeColumn('Positions'),
    momentColumn('Last payment'),
    textColumn('Payment providers'),
    ...providers.map((provider) => moneyColumn(`Paid by ${provider}`)),
    ...['Language', 'Sales channel'].map(textColumn),
    flagColumn('Requires attention'),
    ...['Check-in text', 'Comment'].map(textColumn),
    dayColumn('Follow up'),
    ...addressColumns,
  ]
  return listed<Cells>(
    run,
    words,
    { title: 'Orders', columns: titles },
    {
      listing: (event) => ({
        columns,
        from: sql`orders o WHERE ${wishedOrders(run, event)}`,
        order: sql`o.datetime, o.id`,
      }),
      rowsOf: (page, at) => rowsOf(run, at, page, { rates, providers }),
    },
  )
}

/** The groups of columns that depend on what there is. */
interface Groups {
  readonly rates: readonly number[]
  readonly providers: readonly string[]
}

async function rowsOf(
  run: Run,
  words: CatalogueWords,
  page: readonly Cells[],
  groups: Groups,
): Promise<TableRow[]> {
  const sums = await sumsOf(run, page)
  return page.map((cells) => orderRow(words, cells, sums(Number(cells.id)), groups))
}

interface Sums {
  readonly positions: readonly Taxed[]
  readonly fees: readonly Taxed[]
  readonly payments: readonly Paid[]
}

/** What the positions, fees and payments of some orders come to. */
async function sumsOf(run: Run, page: readonly Cells[]): Promise<(order: number) => Sums> {
  const of = sql`organizer = ${run.organizer.id} AND order_id IN (${join(idsIn(page, 'id'))})`
  const positions = grouped(
    await run.db.all<Taxed>(
      sql`SELECT order_id, tax_rate AS rate, count(*) AS count, sum(price) AS gross, sum(tax_value) AS tax
          FROM order_position WHERE ${of} AND canceled = 0 GROUP BY order_id, tax_rate`,
    ),
  )
  const fees = grouped(
    await run.db.all<Taxed>(
      sql`SELECT order_id, tax_rate AS rate, count(*) AS count, sum(value) AS gross, sum(tax_value) AS tax
          FROM order_fee WHERE ${of} AND canceled = 0 GROUP BY order_id, tax_rate`,
    ),
  )
  const payments = grouped(
    await run.db.all<Paid>(
      sql`SELECT order_id, provider, sum(amount) AS amount, max(payment_date) AS last
          FROM order_payment WHERE ${of} AND state IN ('confirmed', 'refunded') GROUP BY order_id, provider
          ORDER BY order_id, provider`,
    ),
  )
  return (order) => ({
    positions: positions.get(order) ?? [],
    fees: fees.get(order) ?? [],
    payments: payments.get(order) ?? [],
  })
}

function orderRow(
  { event, clock }: CatalogueWords,
  cells: Cells,
  sums: Sums,
  { rates, providers }: Groups,
): TableRow {
  const { positions, fees, payments } = sums
  const last = payments.reduce<string | null>(
    (latest, one) => ((one.last ?? '') > (latest ?? '') ? one.last : latest),
    null,
  )
  return [
    event.slug,
    cells.code ?? null,
    stateOf(cells.status),
    cells.testmode === 1,
    cells.email ?? null,
    cells.phone ?? null,
    cells.customer ?? null,
    clock(cells.datetime),
    clock(cells.expires),
    clock(cells.cancellation_date),
    cells.total ?? null,
    sumOf(fees, 'gross'),
    ...rates.flatMap((rate) => {
      const taxed = [...positions, ...fees].filter((one) => one.rate === rate)
      const gross = sumOf(taxed, 'gross')
      const tax = sumOf(taxed, 'tax')
      return [gross, gross - tax, tax]
    }),
    sumOf(positions, 'count'),
    clock(last),
    payments.map(({ provider }) => provider).join(', '),
    ...providers.map((provider) =>
      sumOf(
        payments.filter((one) => one.provider === provider),
        'amount',
      ),
    ),
    cells.locale ?? null,
    cells.sales_channel ?? null,
    cells.checkin_attention === 1,
    cells.checkin_text ?? null,
    cells.comment ?? null,
    cells.custom_followup_at ?? null,
    ...addressCells(cells.invoice_address),
  ]
}

const sumOf = <K extends string>(rows: readonly Readonly<Record<K, unknown>>[], key: K): number =>
  rows.reduce((sum, row) => sum + Number(row[key]), 0)

function grouped<T extends { readonly order_id: number }>(rows: readonly T[]): ReadonlyMap<number, T[]> {
  const groups = new Map<number, T[]>()
  for (const row of rows) {
    const group = groups.get(row.order_id) ?? []
    group.push(row)
    groups.set(row.order_id, group)
  }
  return groups
}

/** The tax rates that there are, in hundredths, the lowest first. */
async function taxRates(run: Run): Promise<number[]> {
  const events = sql`organizer = ${run.organizer.id} AND event IN (${join(run.events.map(({ id }) => id))})`
  const rows = await run.db.all<{ rate: number }>(
    sql`SELECT DISTINCT tax_rate AS rate FROM order_position WHERE ${events}
        UNION SELECT DISTINCT tax_rate AS rate FROM order_fee WHERE ${events}`,
  )
  return rows.map(({ rate }) => rate).sort((a, b) => a - b)
}

async function providersOf(run: Run): Promise<string[]> {
  const rows = await run.db.all<{ provider: string }>(
    sql`SELECT DISTINCT provider FROM order_payment
        WHERE organizer = ${run.organizer.id} AND event IN (${join(run.events.map(({ id }) => id))})
          AND state IN ('confirmed', 'refunded')`,
  )
  return rows.map(({ provider }) => provider).sort()
}
