import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import sql from 'sql-template-tag'
import { badgeItem } from '../../../schema/resources/layouts/badge-item.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { layoutBackground } from '../../../schema/resources/layouts/layout-background.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { printLog } from '../../../schema/resources/orders/print-log.ts'
import { blankPage } from '../../../server/domain/text/blank-page.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { findRows, removeRow } from '../../../server/resource/store.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import { textsIn } from '../../support/ticketing/codes.ts'
import { addRow } from '../../support/ticketing/orders.ts'
import { addItem } from '../../support/ticketing/tickets.ts'
import { type Desk, openDesk, stationKey } from '../desk.ts'
import { type PrinterSimulator, startPrinter } from './printer-simulator.ts'

const prints = '/api/v1/station/prints/'

describe('what a station prints for guests', () => {
  let desk: Desk
  let printer: PrinterSimulator
  let ticket: number
  beforeEach(async () => {
    desk = await openDesk()
    printer = await startPrinter()
    await desk.transactions.write((tx) =>
      addRow(tx, badgeLayout, desk.place, { name: 'Badge', layout: [], default: true }),
    )
    ticket = await desk.sell('secret-of-ann', { attendee_name: 'Ann Example' })
    await setUp({ at_entry: [], at_sale: [] })
  })
  afterEach(async () => {
    await desk.close()
    await printer.close()
  })

  const setUp = (printing: RowData, documents = ['badge', 'ticket', 'wristband']) =>
    desk.setUp({ printing, printers: [{ address: `127.0.0.1:${printer.port}`, documents }] })
  async function ask(status: number, method: string, path: string, body?: unknown): Promise<RowData> {
    const answer = await desk.call(method, path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  const print = (status: number, id: string, more: RowData = {}) =>
    ask(status, 'POST', prints, { id, document: 'badge', subject: ticket, ...more })
  async function until(state: string, id: string) {
    for (;;) {
      const row = await ask(200, 'GET', `${prints}${id}/`)
      if (row.state === state) return row
      assert.ok(['waiting', 'sending'].includes(String(row.state)), JSON.stringify(row))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const logged = async () =>
    (await findRows(desk.transactions.database, printLog, desk.place)).map(
      ({ type, successful, position }) => ({
        ...{ type, successful, position },
      }),
    )
  const jobs = () =>
    desk.transactions.database.all<{ id: string; document: string; subject: number }>(
      sql`SELECT id, document, subject FROM print_job ORDER BY created, id`,
    )
  async function untilJobs(count: number): Promise<void> {
    while ((await jobs()).length < count) await new Promise((resolve) => setImmediate(resolve))
  }

  it('comes once for each ticket, unless somebody says again; each print is reported', async () => {
    const asked = await print(200, 'print-01')
    assert.deepEqual(
      [asked.title, asked.document, asked.subject, asked.copy],
      ['Ann Example', 'badge', ticket, 0],
    )
    await until('printed', 'print-01')
    assert.deepEqual(await logged(), [{ type: 'badge', successful: true, position: ticket }])
    const refused = await print(409, 'print-02')
    const { datetime, device } = refused.printed as RowData
    assert.deepEqual([refused.reason, device], ['already_printed', 'Entrance'])
    assert.equal(Date.parse(String(datetime)), desk.env.now())
    await print(200, 'print-02', { document: 'wristband' })
    await until('printed', 'print-02')
    assert.equal((await print(200, 'print-03', { again: true })).copy, 1)
    await until('printed', 'print-03')
    assert.deepEqual(
      (await logged()).map(({ type }) => type),
      ['badge', 'other', 'badge'],
    )
    assert.equal(printer.papers.length, 3)
  })

  it('is printed by itself for who is admitted, as the layouts say, and never for who comes again', async () => {
    await setUp({ at_entry: ['badge', 'wristband'], at_sale: [] })
    const none = await desk.transactions.write(async (tx) => {
      const item = await addItem(tx, desk.place, 'No badge')
      await addRow(tx, badgeItem, desk.place, { item, layout: null })
      return item
    })
    const other = await desk.sell('secret-of-bob', { item: none })
    assert.equal((await desk.scan('secret-of-bob')).body.status, 'ok')
    assert.equal((await desk.scan('secret-of-ann')).body.status, 'ok')
    await untilJobs(2)
    desk.env.pass(4000)
    assert.equal((await desk.scan('secret-of-ann')).body.status, 'error')
    assert.equal((await desk.scan('secret-of-ann', { type: 'exit' })).body.status, 'ok')
    assert.match(String((await print(409, 'print-00', { subject: other })).detail), /is to have no badge/)
    await print(200, 'print-01', { document: 'ticket', subject: other })
    await until('printed', 'print-01')
    assert.deepEqual(
      (await jobs()).map(({ document, subject }) => [document, subject]),
      [
        ['badge', ticket],
        ['wristband', ticket],
        ['ticket', other],
      ],
    )
  })

  it('is printed at a kiosk as well, where guests check themselves in', async () => {
    await desk.setUp({
      task: 'kiosk',
      printing: { at_entry: ['badge'], at_sale: [] },
      printers: [{ address: `127.0.0.1:${printer.port}`, documents: ['badge'] }],
    })
    const guest = { nonce: 'kiosk-visit', source: 'keyboard', code: 'secret-of-ann' }
    assert.equal((await ask(200, 'POST', '/api/v1/station/kiosk/scan/', guest)).status, 'ok')
    await untilJobs(1)
    const [job] = await jobs()
    assert.ok(job)
    await until('printed', job.id)
    assert.equal(printer.papers.length, 1)
  })

  it('counts what another station has printed and reported', async () => {
    await desk.transactions.write((tx) =>
      addRow(tx, printLog, desk.place, {
        ...{ position: ticket, type: 'badge', source: 'elsewhere', info: {} },
        ...{ datetime: tx.now, created: tx.now, successful: true, device: null },
      }),
    )
    assert.equal((await print(409, 'print-01')).reason, 'already_printed')
    await setUp({ at_entry: ['badge'], at_sale: [] })
    assert.equal((await desk.scan('secret-of-ann')).body.status, 'ok')
    await print(200, 'print-02', { document: 'ticket' })
    await until('printed', 'print-02')
    assert.deepEqual(
      (await jobs()).map(({ id }) => id),
      ['print-02'],
    )
  })

  it('is not printed for a ticket that is canceled or blocked, also where that happens while it waits', async () => {
    printer.behaviour = 'has-no-paper'
    await print(200, 'print-01')
    await desk.transactions.write((tx) =>
      tx.run(sql`UPDATE order_position SET blocked = '["admin"]' WHERE id = ${ticket}`),
    )
    printer.behaviour = 'prints'
    await print(200, 'print-01')
    for (let row: RowData = {}; row.state !== 'failed'; row = await ask(200, 'GET', `${prints}print-01/`))
      desk.env.pass(500)
    assert.equal((await ask(200, 'GET', `${prints}print-01/`)).reason, 'canceled')
    assert.equal((await print(409, 'print-02')).reason, 'canceled')
    assert.deepEqual([printer.papers.length, (await logged()).length], [0, 0])
    await print(404, 'print-03', { subject: 1 })
  })

  it('is the same print where it is asked for again while it is not on paper yet', async () => {
    printer.behaviour = 'has-no-paper'
    await print(200, 'print-01')
    assert.equal((await print(200, 'print-02')).id, 'print-01')
    printer.behaviour = 'breaks-off'
    for (let row: RowData = {}; row.state !== 'unknown'; row = await ask(200, 'GET', `${prints}print-01/`))
      desk.env.pass(500)
    assert.equal((await print(409, 'print-02')).reason, 'already_printed')
    await ask(200, 'POST', `${prints}print-01/decide/`, { printed: false })
    assert.deepEqual(await logged(), [{ type: 'badge', successful: false, position: ticket }])
    printer.behaviour = 'prints'
    assert.equal((await print(200, 'print-02')).copy, 0)
    await until('printed', 'print-02')
  })

  it('waits for the background of its layout and says so, prints others meanwhile, and can do without', async () => {
    const late = { name: 'Ticket', layout: [], default: true, background: 'file:late' }
    const layout = await desk.transactions.write((tx) => addRow(tx, ticketLayout, desk.place, late))
    await print(200, 'print-01', { document: 'ticket' })
    const bob = await desk.sell('secret-of-bob')
    await print(200, 'print-02', { document: 'ticket', subject: bob })
    const reasonOf = async (id: string) => (await ask(200, 'GET', `${prints}${id}/`)).reason
    for (const id of ['print-01', 'print-02'])
      while ((await reasonOf(id)) === null) await new Promise((resolve) => setImmediate(resolve))
    assert.equal(await reasonOf('print-01'), 'background-missing')
    await print(200, 'print-03', { document: 'badge' })
    await until('printed', 'print-03')
    await ask(200, 'POST', `${prints}print-01/without-background/`)
    await until('printed', 'print-01')
    assert.match(
      String((await ask(409, 'POST', `${prints}print-01/without-background/`)).detail),
      /does not wait for the background/,
    )
    const add = (content: Uint8Array) =>
      desk.transactions.write((tx) =>
        addRow(tx, layoutBackground, desk.place, {
          ...{ layout, content: Buffer.from(content).toString('base64') },
        }),
      )
    const damaged = await add(Buffer.from('no PDF'))
    while ((await reasonOf('print-02')) !== 'background-damaged') desk.env.pass(500)
    await desk.transactions.write((tx) => removeRow(tx, layoutBackground, desk.place, damaged))
    await add(blankPage(300, 200))
    for (let row: RowData = {}; row.state !== 'printed'; row = await ask(200, 'GET', `${prints}print-02/`))
      desk.env.pass(500)
    assert.equal(printer.papers.length, 3)
  })

  it('is drawn by a thread that starts as soon as a printer is entered, and ends with the station', async () => {
    await desk.close()
    desk = await openDesk()
    const own = await openDesk()
    const threads: Worker[] = []
    const note = (thread: Worker) => threads.push(thread)
    process.on('worker', note)
    try {
      await own.setUp({ printers: [{ address: `127.0.0.1:${printer.port}`, documents: ['receipt'] }] })
      assert.equal(threads.length, 0)
      const started = once(process, 'worker')
      await own.setUp({ printers: [{ address: `127.0.0.1:${printer.port}`, documents: ['badge'] }] })
      await started
    } finally {
      process.off('worker', note)
      await own.close()
    }
    assert.deepEqual([threads.length, threads[0]?.threadId], [1, -1])
  })

  it('is shown before it is printed, for a guest or a made-up one, in the dots of a printer', async () => {
    const layout = [
      { type: 'barcodearea', left: 5, bottom: 5, size: 40, content: 'secret' },
      { type: 'barcodearea', left: 60, bottom: 5, size: 40, content: 'attendee_name' },
    ]
    await desk.transactions.write((tx) =>
      tx.run(sql`UPDATE badge_layout SET layout = ${JSON.stringify(layout)}`),
    )
    const preview = (query: string) =>
      fetch(`${desk.url}/api/v1/station/printers/preview/?${query}`, {
        headers: { Authorization: `Station ${stationKey}` },
      })
    const shown = async (query: string) => {
      const answer = await preview(query)
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
      return Buffer.from(await answer.arrayBuffer())
    }
    const wide = await shown(`profile=zpl-300&document=badge&position=${ticket}`)
    assert.deepEqual((await textsIn(wide)).toSorted(), ['Ann Example', 'secret-of-ann'])
    // A label printer of 300 dpi prints 1248 dots: a badge of A6 would have 1748, and is made smaller.
    assert.deepEqual([wide.readUInt32BE(16), wide.readUInt32BE(20)], [1248, 885])
    const [made = ''] = await textsIn(await shown('profile=zpl-203&document=wristband&locale=de'))
    assert.match(made, /Example|^[a-z0-9]{32}$/)
    await desk.transactions.write((tx) => tx.run(sql`UPDATE badge_layout SET "default" = 0`))
    for (const profile of ['escpos-58', 'escpos-80', 'zpl-203', 'pdf'])
      for (const document of ['ticket', 'badge'])
        assert.deepEqual(
          await textsIn(await shown(`profile=${profile}&document=${document}&position=${ticket}`)),
          ['secret-of-ann'],
          `all of a ${document} is on the paper of ${profile}`,
        )
    await desk.transactions.write((tx) => tx.run(sql`UPDATE badge_layout SET "default" = 1`))
    const sentence = async (query: string, status: number) => {
      const answer = await preview(query)
      assert.equal(answer.status, status)
      return JSON.stringify(await answer.json())
    }
    assert.match(await sentence('document=badge', 400), /"profile":\["Must be one of escpos-80, /)
    assert.match(
      await sentence('profile=pdf&document=receipt', 400),
      /Must be one of ticket, badge, wristband/,
    )
    assert.match(await sentence('profile=pdf&document=badge&position=x', 400), /position/)
    await sentence('profile=pdf&document=badge&position=1', 404)
    await desk.transactions.write((tx) => tx.run(sql`UPDATE badge_layout SET background = 'file:late'`))
    assert.match(await sentence('profile=pdf&document=badge', 409), /has not arrived here yet/)
    await desk.transactions.write((tx) =>
      addRow(tx, badgeItem, desk.place, { item: desk.item, layout: null }),
    )
    assert.match(await sentence('profile=pdf&document=badge', 409), /No product of this event/)
    assert.equal((await jobs()).length, 0)
  })

  it('needs a printer for it', async () => {
    await setUp({ at_entry: ['badge'], at_sale: [] }, ['ticket'])
    assert.match(String((await print(409, 'print-01')).detail), /No printer of this station prints this/)
    assert.equal((await desk.scan('secret-of-ann')).body.status, 'ok')
    await print(200, 'print-02', { document: 'ticket' })
    await until('printed', 'print-02')
    assert.equal((await jobs()).length, 1)
  })

  it('can be asked whether it would be printed', async () => {
    const shown = async () => resultsOf(await ask(200, 'GET', '/api/v1/station/printers/'))
    const [one] = await shown()
    assert.deepEqual([one?.way, one?.profile, one?.trouble], ['tcp', 'escpos-80', null])
    printer.behaviour = 'has-no-paper'
    assert.equal((await shown())[0]?.trouble, 'paper')
    await printer.close()
    assert.equal((await shown())[0]?.trouble, 'unreachable')
  })

  it('is drawn once for each print, while the printer says how it is', async () => {
    const { postMessage } = Worker.prototype
    let drawn = 0
    // The thread is asked for one page at a time.
    Worker.prototype.postMessage = function (...given: Parameters<typeof postMessage>) {
      if (typeof given[0] === 'object' && 'pdf' in given[0]) drawn += 1
      postMessage.apply(this, given)
    }
    try {
      await print(200, 'print-01')
      await until('printed', 'print-01')
      assert.equal(drawn, 1)
      printer.behaviour = 'has-no-paper'
      await print(200, 'print-02', { document: 'ticket' })
      const tries = printer.connections + 4
      while (printer.connections < tries) {
        desk.env.pass(500)
        await new Promise((resolve) => setImmediate(resolve))
      }
      // Not again each time that it is asked whether there is paper.
      assert.equal(drawn, 2)
      printer.behaviour = 'prints'
      for (let row: RowData = {}; row.state !== 'printed'; row = await ask(200, 'GET', `${prints}print-02/`))
        desk.env.pass(500)
      assert.equal(drawn, 3)
    } finally {
      Worker.prototype.postMessage = postMessage
    }
  })
})
