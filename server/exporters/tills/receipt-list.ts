import sql, { join, type Sql } from 'sql-template-tag'
import { tableOf } from '../../../schema/resource.ts'
import { closing } from '../../../schema/resources/drawer/closing.ts'
import { receipt } from '../../../schema/resources/drawer/receipt.ts'
import { receiptSignature } from '../../../schema/resources/drawer/receipt-signature.ts'
import { hundredths } from '../../resource/codec.ts'
import { named, rowOf } from '../../resource/store.ts'
import type { Cells } from '../../storage/database.ts'
import { wordsOfAll } from '../format/event-catalogue.ts'
import { listed } from '../format/event-pages.ts'
import { type Exporter, NothingToExport, type Run } from '../format/exporter.ts'
import type { localClock } from '../format/local-clock.ts'
import {
  flagColumn,
  momentColumn,
  moneyColumn,
  percentColumn,
  type Sheet,
  textColumn,
  wholeColumn,
} from '../format/table.ts'
import { utf8 } from '../format/utf8.ts'

const ofEvent = (table: Sql, { organizer }: Run, event: number): Sql =>
  sql`${table} r JOIN device ON device.organizer = r.organizer AND device.id = r."till"
      WHERE r.organizer = ${organizer.id} AND r.event = ${event}`

/** One row for each line of each receipt. */
async function receiptSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  return listed<Cells>(
    run,
    words,
    {
      title: 'Receipts',
      columns: [
        ...['Event', 'Till'].map(textColumn),
        ...['Node', 'Number'].map(wholeColumn),
        ...['Type', 'Order code', 'Cashier'].map(textColumn),
        ...['Begun', 'Ended'].map(momentColumn),
        flagColumn('Training'),
        ...['Line', 'Text'].map(textColumn),
        moneyColumn('Amount'),
        percentColumn('Tax rate'),
        moneyColumn('Tax'),
        ...['Currency', 'Paid by', 'Reason', 'Hash'].map(textColumn),
      ],
    },
    {
      listing: ({ id }) => ({
        columns: sql`r.*, device.name AS device_name`,
        from: ofEvent(sql`receipt`, run, id),
        order: sql`r."till", r.site, r.number, r.id`,
      }),
      rowsOf: (page, { event, clock }) => page.flatMap((cells) => linesOf(cells, event.slug, clock)),
    },
  )
}

function linesOf(cells: Cells, event: string, clock: ReturnType<typeof localClock>) {
  const row = rowOf(receipt, cells)
  const head = [event, cells.device_name ?? null, row.site, row.number, row.type, row.order, row.cashier]
  const paid = row.payments.map(({ provider, amount }) => `${provider} ${amount}`).join(', ')
  return row.lines.map((line) => [
    ...head,
    clock(cells.started),
    clock(cells.ended),
    row.training,
    line.kind,
    line.text,
    hundredths(line.amount),
    hundredths(line.tax_rate),
    hundredths(line.tax_value),
    ...[row.currency, paid, row.reason, row.hash],
  ])
}

async function closingSheet(run: Run): Promise<Sheet> {
  const words = await wordsOfAll(run.db, run.organizer.id, run.events)
  return listed<Cells>(
    run,
    words,
    {
      title: 'Closings',
      columns: [
        ...['Event', 'Till'].map(textColumn),
        ...['Node', 'Number'].map(wholeColumn),
        textColumn('Cashier'),
        ...['Opened', 'Closed'].map(momentColumn),
        ...['Expected', 'Counted', 'Difference'].map(moneyColumn),
        ...['Currency', 'Reason', 'Hash'].map(textColumn),
      ],
    },
    {
      listing: ({ id }) => ({
        columns: sql`r.*, device.name AS device_name`,
        from: ofEvent(sql`closing`, run, id),
        order: sql`r."till", r.site, r.number, r.id`,
      }),
      rowsOf: (page, { event, clock }) =>
        page.map((cells) => [
          ...[event.slug, cells.device_name ?? null, Number(cells.site), Number(cells.number)],
          ...[cells.cashier ?? null, clock(cells.opened), clock(cells.closed)],
          ...[Number(cells.expected), Number(cells.counted), Number(cells.difference)],
          ...[cells.currency ?? null, cells.reason ?? null, cells.hash ?? null],
        ]),
    },
  )
}

/** What tills have taken and given, line by line, and how their drawers were closed. */
export const receiptList: Exporter = {
  identifier: 'receiptlist',
  name: 'Receipts and closings of tills',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [],
  output: {
    kind: 'tables',
    sheets: [
      { name: 'receipts', open: receiptSheet },
      { name: 'closings', open: closingSheet },
    ],
  },
}

const perPage = 250

async function* journalLines(run: Run): AsyncGenerator<string> {
  const events = run.events.map(({ id }) => id)
  if (events.length === 0) throw new NothingToExport('There is no event whose receipts may be exported.')
  for (const [kind, resource] of [
    ['receipt', receipt],
    ['signature', receiptSignature],
    ['closing', closing],
  ] as const) {
    const statement = sql`SELECT r.*, device.device_id FROM ${named(tableOf(resource))} r
        JOIN device ON device.organizer = r.organizer AND device.id = r."till"
        WHERE r.organizer = ${run.organizer.id} AND r.event IN (${join(events)}) ORDER BY r."till", r.site, r.number, r.id`
    for await (const page of run.db.pages<Cells>(statement, perPage))
      for (const cells of page) {
        const row = { kind, device_id: cells.device_id, ...rowOf(resource, cells) }
        yield `${JSON.stringify(row)}\n`
      }
  }
}

/** Every receipt, signature and closing with its chain, as lines of JSON. */
export const receiptJournal: Exporter = {
  identifier: 'receiptjournal',
  name: 'Journal of tills (JSON lines)',
  levels: ['event', 'organizer'],
  needs: null,
  parameters: [],
  output: {
    kind: 'file',
    extension: 'jsonl',
    type: 'application/x-ndjson',
    load: async () => (run) => utf8(journalLines(run)),
  },
}
