import sql, { join, type Sql } from 'sql-template-tag'
import { refundStates } from '../../../schema/resources/orders/order-refund.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Cells } from '../../storage/database.ts'
import { type CatalogueWords, wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import { momentColumn, moneyColumn, type Sheet, type TableRow, textColumn } from '../format/table.ts'
import { betweenDays } from './order-words.ts'

/** States of payments; those that say that money came are the usual ones. */
const paymentStates = ['created', 'pending', 'confirmed', 'canceled', 'failed', 'refunded'] as const

const cardOf = (details: unknown): string | null => {
  const { gift_card: card } = (typeof details === 'string' ? JSON.parse(details) : {}) as {
    gift_card?: { secret?: string }
  }
  return card?.secret ?? null
}

const inStates = (column: Sql, states: unknown): Sql => {
  const words = states as readonly string[]
  return words.length > 0 ? sql`${column} IN (${join([...words])})` : sql`1 = 0`
}

/** Payments (`P`) and refunds (`R`, as what they take away) of an event that meet conditions on each. */
const movements = (run: Run, event: EventFacts, payments: Sql, refunds: Sql): Sql => {
  const of = (table: Sql) => sql`${table}.organizer = ${run.organizer.id} AND ${table}.event = ${event.id}`
  return sql`(
    SELECT 'P' AS kind, p.id, p.order_id, p.local_id, p.state, p.amount, p.created, p.payment_date AS completed,
      p.provider, p.details, NULL AS comment FROM order_payment p WHERE ${of(sql`p`)} AND ${payments}
    UNION ALL
    SELECT 'R' AS kind, r.id, r.order_id, r.local_id, r.state, -r.amount AS amount, r.created, r.execution_date AS completed,
      r.provider, r.details, r.comment FROM order_refund r WHERE ${of(sql`r`)} AND ${refunds}
  ) m JOIN orders o ON o.organizer = ${run.organizer.id} AND o.id = m.order_id`
}

/** A table of payments and refunds: which of them, and what it says of each beside its name. */
interface MovementTable {
  readonly title: string
  readonly columns: Sheet['columns']
  readonly payments: (event: EventFacts) => Sql
  readonly refunds: (event: EventFacts) => Sql
  readonly cellsOf: (cells: Cells, words: CatalogueWords) => TableRow
}

const movementSheet = async (
  run: Run,
  { title, columns, payments, refunds, cellsOf }: MovementTable,
): Promise<Sheet> =>
  listed<Cells>(
    run,
    await wordsOfAll(run.db, run.organizer.id, run.events),
    { title, columns: [...['Event', 'Order code', 'Payment'].map(textColumn), ...columns] },
    {
      listing: (event) => ({
        columns: sql`m.*, o.code`,
        from: movements(run, event, payments(event), refunds(event)),
        order: sql`m.created, m.kind, m.id`,
      }),
      rowsOf: (page, words) =>
        page.map((cells) => [
          words.event.slug,
          cells.code ?? null,
          `${cells.code}-${cells.kind}-${cells.local_id}`,
          ...cellsOf(cells, words),
        ]),
    },
  )

const paymentSheet = (run: Run): Promise<Sheet> =>
  movementSheet(run, {
    title: 'Payments',
    columns: [
      momentColumn('Created'),
      momentColumn('Completed'),
      textColumn('State'),
      moneyColumn('Amount'),
      ...['Currency', 'Provider', 'Gift card', 'Comment'].map(textColumn),
    ],
    payments: () => inStates(sql`p.state`, run.wishes.payment_states),
    refunds: () => inStates(sql`r.state`, run.wishes.refund_states),
    cellsOf: (cells, { event, clock }) => [
      clock(cells.created),
      clock(cells.completed),
      cells.state ?? null,
      cells.amount ?? null,
      event.currency,
      cells.provider ?? null,
      cardOf(cells.details),
      cells.comment ?? null,
    ],
  })

/** Payments and refunds. */
export const paymentList: Exporter = {
  identifier: 'paymentlist',
  name: 'Payments and refunds',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [
    {
      name: 'payment_states',
      kind: 'words',
      words: paymentStates,
      usual: ['confirmed', 'refunded'],
    },
    { name: 'refund_states', kind: 'words', words: refundStates, usual: ['done', 'created', 'transit'] },
  ],
  output: { kind: 'tables', sheets: [{ name: 'payments', open: paymentSheet }] },
}

const redemptionSheet = (run: Run): Promise<Sheet> =>
  movementSheet(run, {
    title: 'Gift card redemptions',
    columns: [
      momentColumn('Redeemed'),
      textColumn('Gift card'),
      moneyColumn('Amount'),
      textColumn('Currency'),
    ],
    payments: (event) =>
      sql`p.provider = 'giftcard' AND p.state IN ('confirmed', 'refunded')${betweenDays(run, event, sql`p.created`)}`,
    refunds: (event) =>
      sql`r.provider = 'giftcard' AND r.state = 'done'${betweenDays(run, event, sql`r.created`)}`,
    cellsOf: (cells, { event, clock }) => [
      clock(cells.completed ?? cells.created),
      cardOf(cells.details),
      cells.amount ?? null,
      event.currency,
    ],
  })

/** What was paid with gift cards, and given back to them. */
export const giftCardRedemptionList: Exporter = {
  identifier: 'giftcardredemptionlist',
  name: 'Gift card redemptions',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [
    { name: 'date_from', kind: 'day' },
    { name: 'date_to', kind: 'day' },
  ],
  output: { kind: 'tables', sheets: [{ name: 'redemptions', open: redemptionSheet }] },
}
