import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { realEnv } from '../../../server/env.ts'
import { createLive } from '../../../server/http/live.ts'
import { silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { openStationPrinting } from '../../../server/station/printing/station-printing.ts'
import { openWindowPrints } from '../../../server/station/printing/transports/window-printing.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import { addRow } from '../../support/ticketing/orders.ts'
import { addItem } from '../../support/ticketing/tickets.ts'
import { type Desk, openDesk } from '../desk.ts'
import { type PrinterSimulator, startPrinter } from './printer-simulator.ts'

const ev = '/api/v1/organizers/acme/events/gala'
const prints = '/api/v1/station/prints/'

describe('the receipt printers of a station', () => {
  let desk: Desk
  let printer: PrinterSimulator
  let standIn: PrinterSimulator
  let item: number
  /** The codes of what was sold before there were printers. */
  let sold: readonly string[]
  beforeEach(async () => {
    desk = await openDesk()
    printer = await startPrinter()
    standIn = await startPrinter()
    await setUp([])
    item = await desk.transactions.write(async (tx) => {
      const id = await addItem(tx, desk.place, 'Ticket', { default_price: '12.50' })
      await addRow(tx, quota, desk.place, { name: 'House', size: 9, items: [id] })
      return id
    })
    await ask(201, 'POST', `${ev}/drawers/`, { float: '50.00' })
    sold = [await sell(), await sell()]
    await setUp([{ port: printer.port }, { port: standIn.port }])
  })
  afterEach(async () => {
    await desk.close()
    await printer.close()
    await standIn.close()
  })

  const setUp = (printers: readonly RowData[]) =>
    desk.setUp({ task: 'box-office', printers: printers.map((one) => ({ host: '127.0.0.1', ...one })) })
  async function ask(status: number, method: string, path: string, body?: unknown): Promise<RowData> {
    const answer = await desk.call(method, path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  async function sell(): Promise<string> {
    const order = await ask(201, 'POST', `${ev}/orders/`, {
      ...{ status: 'p', expected_total: '12.50', positions: [{ item }] },
      paid_by: [{ provider: 'boxoffice', amount: '12.50' }],
    })
    return String(order.code)
  }
  const print = (order: string | undefined, id = 'print-01') =>
    ask(200, 'POST', prints, { id, document: 'receipt', order, locale: 'en' })
  const find = (id = 'print-01') => ask(200, 'GET', `${prints}${id}/`)
  const open = async () =>
    resultsOf(await ask(200, 'GET', prints)).map(({ id, state, reason }) => [id, state, reason])
  const decide = (status: number, printed: boolean, id = 'print-01') =>
    ask(status, 'POST', `${prints}${id}/decide/`, { printed })
  /** Looks until a print is as it is expected; where its printer says nothing, time passes meanwhile. */
  async function until(state: string, reason: string | null = null, id = 'print-01', pass = 0) {
    for (;;) {
      const row = await find(id)
      if (row.state === state && row.reason === reason) return row
      assert.ok(['waiting', 'sending'].includes(String(row.state)), JSON.stringify(row))
      desk.env.pass(pass)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  it('print the receipt of a sale once, however often it is asked for, and open the drawer for cash', async () => {
    const [code = ''] = sold
    await print(code)
    await print(code)
    const { copy, title, printer: by } = await until('printed')
    assert.deepEqual([copy, by, printer.pulses, standIn.connections], [0, `127.0.0.1:${printer.port}`, 1, 0])
    await print(code)
    assert.deepEqual(await open(), [])
    await ask(200, 'POST', prints, { id: 'print-02', document: 'test' })
    await until('printed', null, 'print-02')
    assert.match(String(printer.papers[0]), /Ticket[\s\S]*12\.50/)
    assert.ok(printer.papers[0]?.includes(String(title)))
    assert.doesNotMatch(String(printer.papers[1]), /12\.50/)
  })

  it('print a receipt with its signature, for which it waits once the drawer is open', async () => {
    const wanted = { till_signing: 'simulator' }
    const set = await desk.call('PATCH', `${ev}/settings/`, wanted, { Authorization: 'Token all' })
    assert.equal(set.status, 200)
    const code = await sell()
    const [receipt] = resultsOf(await ask(200, 'GET', `${ev}/receipts/?order=${code}`))
    await until('printed', null, `receipt-${receipt?.id}`)
    assert.match(String(printer.papers[0]), /SIMULATOR-/)
    assert.equal(printer.pulses, 1)
  })

  it('print by themselves what is sold and what is taken out of the drawer, and open that', async () => {
    const code = await sell()
    const receipts = resultsOf(await ask(200, 'GET', `${ev}/receipts/?order=${code}`))
    await until('printed', null, `receipt-${receipts[0]?.id}`)
    const [drawer] = resultsOf(await ask(200, 'GET', `${ev}/drawers/`))
    await ask(201, 'POST', `${ev}/drawers/${drawer?.id}/move_cash/`, {
      ...{ kind: 'cash_out', amount: '10.00', reason: 'change' },
    })
    const [movement] = resultsOf(await ask(200, 'GET', `${ev}/receipts/?type=movement`))
    await until('printed', null, `receipt-${movement?.id}`)
    assert.equal(printer.pulses, 2)
    await ask(201, 'POST', `${ev}/drawers/${drawer?.id}/open_without_sale/`, { reason: 'Stuck coin' })
    const [opened] = resultsOf(await ask(200, 'GET', `${ev}/receipts/?type=movement&ordering=-number`))
    await until('printed', null, `receipt-${opened?.id}`)
    assert.equal(printer.pulses, 3)
    assert.match(String(printer.papers.at(-1)), /Drawer opened, no sale[\s\S]*Stuck coin/)
    // Noted later, as by a station that reports, it is old.
    await desk.transactions.write((tx) => tx.run(sql`DELETE FROM print_job`))
    desk.env.pass(10 * 60_000)
    await desk.transactions.write(async (tx) => {
      tx.changed(desk.place, 'receipt', Number(movement?.id), 'put')
    })
    await print(sold[1])
    await until('printed')
    const jobs = await desk.transactions.database.all(sql`SELECT id FROM print_job`)
    assert.deepEqual(jobs, [{ id: 'print-01' }])
  })

  it('mark what is printed again as a copy, and leave the drawer shut', async () => {
    const [code = ''] = sold
    await print(code)
    await until('printed')
    await print(code, 'print-02')
    assert.equal((await until('printed', null, 'print-02')).copy, 1)
    await ask(200, 'POST', prints, { id: 'print-03', document: 'test' })
    await until('printed', null, 'print-03')
    assert.match(String(printer.papers[1]), /COPY/)
    assert.equal(printer.pulses, 1)
  })

  it('stand in for each other before the first byte of a document', async () => {
    for (const behaviour of ['has-no-paper', 'is-open', 'is-offline'] as const) {
      printer.behaviour = behaviour
      const id = `print-${behaviour}`
      await ask(200, 'POST', prints, { id, document: 'test' })
      for (let row: RowData = {}; row.state !== 'printed'; row = await find(id));
      assert.equal((await find(id)).printer, `127.0.0.1:${standIn.port}`)
    }
    assert.equal(printer.papers.length, 0)
  })

  it('wait for paper, say so, open the drawer at once, and print once there is some', async () => {
    await setUp([{ port: printer.port }])
    printer.behaviour = 'has-no-paper'
    await print(sold[0])
    await until('waiting', 'paper')
    assert.deepEqual([await open(), printer.pulses], [[['print-01', 'waiting', 'paper']], 1])
    printer.behaviour = 'prints'
    await until('printed', null, 'print-01', 500)
    assert.equal(printer.pulses, 1)
  })

  it('are not there: what is to be printed waits, in its order, and is printed once they are', async () => {
    await setUp([{ port: printer.port }])
    await printer.close()
    for (const [index, code] of sold.entries()) await print(code, `print-0${index + 1}`)
    await until('waiting', 'unreachable')
    printer = await startPrinter(printer.port)
    await until('printed', null, 'print-02', 500)
    assert.equal((await find()).state, 'printed')
    assert.equal(printer.connections, 2)
  })

  it('say nothing, which is an error', async () => {
    await setUp([{ port: printer.port }])
    printer.behaviour = 'is-silent'
    await print(sold[0])
    await until('waiting', 'silent', 'print-01', 500)
    assert.equal(printer.papers.length, 0)
  })

  it('print without a word where they have none, and nobody knows more than that it was sent', async () => {
    await setUp([{ port: printer.port, answers: false, drawer: false, columns: 32 }])
    printer.behaviour = 'is-silent'
    await print(sold[0])
    await until('sent')
    assert.deepEqual([printer.papers.length, printer.pulses], [1, 0])
    assert.deepEqual(await open(), [])
  })

  it('may know no other question than how they are', async () => {
    printer.behaviour = 'knows-no-end'
    await print(sold[0])
    await until('printed', null, 'print-01', 500)
    assert.equal(standIn.connections, 0)
  })

  it('run out of paper or break off in the middle: a person says whether it came out', async () => {
    const reasons = { 'runs-out': 'paper', 'breaks-off': 'broken-off' } as const
    for (const behaviour of ['runs-out', 'breaks-off'] as const) {
      printer.behaviour = behaviour
      const id = `print-${behaviour}`
      await print(sold[0], id)
      await until('unknown', reasons[behaviour], id, 500)
      assert.deepEqual(await open(), [[id, 'unknown', reasons[behaviour]]])
      assert.equal(standIn.connections, 0)
      await decide(200, behaviour === 'runs-out', id)
      assert.deepEqual(await open(), [])
      await decide(409, true, id)
    }
  })

  it('print no more what somebody has given up', async () => {
    await setUp([{ port: printer.port }])
    printer.behaviour = 'is-open'
    await print(sold[0])
    await until('waiting', 'open')
    assert.equal((await decide(200, false)).state, 'failed')
    printer.behaviour = 'prints'
    for (const id of ['print-02', 'print-03']) {
      await ask(200, 'POST', prints, { id, document: 'test' })
      await until('printed', null, id, 500)
    }
    assert.equal(printer.papers.filter((paper) => paper.includes('12.50')).length, 0)
  })

  it('print the closing of a drawer by themselves and when they are asked, and nothing that is not there', async () => {
    const [drawer] = resultsOf(await ask(200, 'GET', `${ev}/drawers/`))
    const closing = await ask(201, 'POST', `${ev}/drawers/${drawer?.id}/close/`, { counted: '50.00' })
    await until('printed', null, `closing-${closing.id}`)
    await ask(200, 'POST', prints, { id: 'print-01', document: 'closing', subject: closing.id, locale: 'en' })
    await until('printed')
    await ask(404, 'POST', prints, { id: 'print-02', document: 'closing', subject: 1 })
    await ask(404, 'POST', prints, { id: 'print-02', document: 'receipt', subject: 1 })
    await ask(400, 'POST', prints, { id: 'print-02', document: 'receipt' })
    await ask(409, 'POST', prints, { id: 'print-02', document: 'receipt', order: 'NOBODY' })
    await ask(404, 'GET', `${prints}print-02/`)
    await ask(200, 'POST', prints, { id: 'print-02', document: 'test' })
    await until('printed', null, 'print-02')
    for (const paper of printer.papers.slice(0, 2)) assert.match(paper, /Z report/)
  })

  it('are none: it says where one is entered', async () => {
    await setUp([])
    const answer = await ask(409, 'POST', prints, { id: 'print-01', document: 'test' })
    assert.match(String(answer.detail), /Enter its address in the settings/)
  })

  it('were printing when the program ended: that may be on paper, and the rest is printed', async () => {
    await setUp([{ port: printer.port }])
    printer.behaviour = 'has-no-paper'
    for (const id of ['print-01', 'print-02']) await print(sold[0], id)
    await until('waiting', 'paper')
    await desk.transactions.write((tx) =>
      tx.run(sql`UPDATE print_job SET state = 'sending', reason = NULL WHERE id = 'print-01'`),
    )
    printer.behaviour = 'prints'
    const later = openStationPrinting(desk.transactions, {
      ...{ env: realEnv, log: silentLog, changed: () => undefined, receiptSettled: async () => undefined },
      ...{
        run: async () => ({ code: null, output: '' }),
        window: openWindowPrints(realEnv, createLive(realEnv)),
      },
    })
    await later.recover()
    await until('printed', null, 'print-02')
    await later.stop()
    assert.deepEqual(await open(), [['print-01', 'unknown', 'restarted']])
  })
})
