import sql, { raw, type Sql } from 'sql-template-tag'
import type { Shredder } from '../../../schema/actions/operations/shredders.ts'
import { invoice } from '../../../schema/resources/orders/invoice.ts'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { rowOf } from '../../resource/store.ts'
import { fileOf } from '../../services/input/uploads.ts'
import type { Cells } from '../../storage/database.ts'
import type { Exporter, Run } from '../format/exporter.ts'
import { utf8 } from '../format/utf8.ts'
import { type ZipEntry, zipFile } from '../format/zip-file.ts'
import { invoiceFile } from '../invoices/invoice-files.ts'

const rowsPerPage = 500

/** The rows of a table that belong to the event of a run. */
const ofEvent = (run: Run, alias: string): Sql =>
  sql`${raw(alias)}.organizer = ${run.organizer.id} AND ${raw(alias)}.event = ${run.events[0]?.id ?? 0}`

/** An object as JSON, a line for each entry of a statement, whose first column is its name. */
async function* objectOf(run: Run, statement: Sql, shown: (cells: Cells) => unknown): AsyncGenerator<string> {
  let mark = '{'
  for await (const page of run.db.pages<Cells>(statement, rowsPerPage))
    for (const cells of page) {
      yield `${mark}\n    ${JSON.stringify(cells.name)}: ${JSON.stringify(shown(cells))}`
      mark = ','
    }
  yield mark === '{' ? '{}' : '\n}'
}

const orders = (run: Run, column: string): Sql =>
  sql`SELECT o.code AS name, o.${raw(column)} AS value FROM orders o
      WHERE ${ofEvent(run, 'o')} AND o.${raw(column)} IS NOT NULL ORDER BY o.id`

const positions = (run: Run, columns: string, condition: Sql): Sql =>
  sql`SELECT o.code || '-' || p.positionid AS name, o.code, p.positionid, ${raw(columns)}
      FROM order_position p JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
      WHERE ${ofEvent(run, 'p')} AND ${condition} ORDER BY p.id`

const json = (path: string, content: AsyncIterable<string>): ZipEntry => ({ path, content: utf8(content) })

const parsed = ({ value }: Cells): unknown => (value === null ? null : JSON.parse(String(value)))

const address = ['company', 'street', 'zipcode', 'city', 'country', 'state']

/** What is saved of each kind of personal data; of some there is nothing that is not there elsewhere. */
const files: Readonly<Record<Shredder, (run: Run) => AsyncIterable<ZipEntry> | Iterable<ZipEntry>>> = {
  order_emails: (run) => [
    json(
      'emails-by-order.json',
      objectOf(run, orders(run, 'email'), ({ value }) => value),
    ),
    json(
      'emails-by-attendee.json',
      objectOf(
        run,
        positions(run, 'p.attendee_email', sql`p.attendee_email IS NOT NULL`),
        (cells) => cells.attendee_email,
      ),
    ),
  ],
  phone_numbers: (run) => [
    json(
      'phone-by-order.json',
      objectOf(run, orders(run, 'phone'), ({ value }) => value),
    ),
  ],
  attendee_info: (run) => [
    json(
      'attendee-info.json',
      objectOf(
        run,
        positions(run, ['p.attendee_name', ...address.map((one) => `p.${one}`)].join(', '), sql`1 = 1`),
        (cells) => ({
          name: cells.attendee_name,
          ...Object.fromEntries(address.map((one) => [one, cells[one]])),
        }),
      ),
    ),
  ],
  invoice_addresses: (run) => [
    json('invoice-addresses.json', objectOf(run, orders(run, 'invoice_address'), parsed)),
  ],
  question_answers: answersOf,
  invoices: invoicesOf,
  cachedtickets: () => [],
  payment_info: () => [],
  waiting_list: (run) => [json('waiting-list.json', waitingOf(run))],
}

async function* answersOf(run: Run): AsyncGenerator<ZipEntry> {
  const statement = positions(run, 'p.answers AS value', sql`1 = 1`)
  yield json('question-answers.json', objectOf(run, statement, parsed))
  const withFiles = positions(run, 'p.answers AS value', sql`p.answers LIKE ${'%"file:%'}`)
  for await (const page of run.db.pages<Cells>(withFiles, 100))
    for (const cells of page)
      for (const { question, answer } of parsed(cells) as StoredAnswer[]) {
        const file = await fileOf(run.db, run.organizer.id, answer)
        if (file)
          yield { path: `${cells.code}-${cells.positionid}-${question}-${file.name}`, content: [file.bytes] }
      }
}

async function* invoicesOf(run: Run): AsyncGenerator<ZipEntry> {
  const statement = sql`SELECT i.* FROM invoice i WHERE ${ofEvent(run, 'i')} AND i.shredded = 0 ORDER BY i.id`
  for await (const page of run.db.pages<Cells>(statement, 50))
    for (const cells of page) {
      const { filename, content } = await invoiceFile(run.db, run.organizer.id, rowOf(invoice, cells))
      yield { path: `invoices/${filename}`, content: [content] }
    }
}

async function* waitingOf(run: Run): AsyncGenerator<string> {
  const statement = sql`SELECT w.* FROM waiting_list_entry w WHERE ${ofEvent(run, 'w')} ORDER BY w.id`
  let mark = '['
  for await (const page of run.db.pages<Cells>(statement, rowsPerPage))
    for (const { organizer: _, event: __, name_parts, ...row } of page) {
      yield `${mark}\n    ${JSON.stringify({ ...row, name_parts: name_parts === null ? null : JSON.parse(String(name_parts)) })}`
      mark = ','
    }
  yield mark === '[' ? '[]' : '\n]'
}

async function* entriesOf(run: Run): AsyncGenerator<ZipEntry> {
  const shredders = run.wishes.shredders as readonly Shredder[]
  const confirm_code = String(run.wishes.confirm_code)
  yield { path: 'CONFIRM_CODE.txt', content: [Buffer.from(confirm_code)] }
  const [organizer, event] = [run.organizer.slug, run.events[0]?.slug]
  const index = { instance: run.origin, organizer, event, time: run.now, shredders, confirm_code }
  yield { path: 'index.json', content: [Buffer.from(JSON.stringify(index, null, 4))] }
  for (const shredder of shredders) yield* files[shredder](run)
}

/** What is saved before personal data of an event is deleted. */
export const shredderFile: Exporter = {
  identifier: 'shredders',
  name: 'Personal data',
  levels: ['event'],
  needs: 'can_change_orders',
  isUnlisted: true,
  parameters: [],
  output: {
    ...{ kind: 'file', extension: 'zip', type: 'application/zip' },
    load: async () => (run) => zipFile(entriesOf(run)),
  },
}
