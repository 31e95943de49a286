import assert from 'node:assert/strict'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { drawerPulse, printedRequest } from '../../../server/domain/printers/escpos.ts'
import { bitmapPng } from '../../../server/exporters/printing/bitmap-png.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { codeElement, textElement } from '../../fixtures/layouts.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import { textsIn } from '../../support/ticketing/codes.ts'
import { addRow } from '../../support/ticketing/orders.ts'
import { decodedEscpos } from '../../support/ticketing/printed-bitmaps.ts'
import { decodedReceipt } from '../../support/ticketing/printed-receipts.ts'
import { addItem } from '../../support/ticketing/tickets.ts'
import { type Desk, openDesk } from '../desk.ts'
import { documentIn, type PrinterSimulator, startPrinter } from './printer-simulator.ts'

/** A code that is not that of the ticket. */
const badgeElement: RowData = { ...codeElement, content: 'pseudonymization_id' }

const ev = '/api/v1/organizers/acme/events/gala'

describe('what a till prints for what it sells', () => {
  let desk: Desk
  let printer: PrinterSimulator
  let item: number
  beforeEach(async () => {
    desk = await openDesk()
    printer = await startPrinter()
    await desk.setUp({
      task: 'box-office',
      printing: { at_entry: [], at_sale: ['badge', 'ticket'] },
      printers: [{ address: `127.0.0.1:${printer.port}`, documents: ['receipt', 'ticket', 'badge'] }],
    })
    item = await desk.transactions.write(async (tx) => {
      const id = await addItem(tx, desk.place, 'Ticket', { default_price: '12.50' })
      await addRow(tx, quota, desk.place, { name: 'House', size: 9, items: [id] })
      const layout = [textElement, codeElement]
      await addRow(tx, ticketLayout, desk.place, { name: 'Ticket', layout, default: true })
      await addRow(tx, badgeLayout, desk.place, { name: 'Badge', layout: [badgeElement], default: true })
      return id
    })
    await ask(201, 'POST', `${ev}/drawers/`, { float: '50.00' })
    await untilPapers(1)
  })
  afterEach(async () => {
    await desk.close()
    await printer.close()
  })

  async function ask(status: number, method: string, path: string, body?: unknown): Promise<RowData> {
    const answer = await desk.call(method, path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  async function untilPapers(count: number): Promise<void> {
    while (printer.papers.length < count) {
      desk.env.pass(10)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  async function sell(tickets: number, provider = 'boxoffice') {
    const total = (12.5 * tickets).toFixed(2)
    const order = await ask(201, 'POST', `${ev}/orders/`, {
      ...{ status: 'p', expected_total: total, paid_by: [{ provider, amount: total }] },
      positions: Array.from({ length: tickets }, (_, at) => ({ item, attendee_name: `Guest ${at}` })),
    })
    return {
      codes: resultsOf({ results: order.positions } as RowData).flatMap((position) => [
        String(position.secret),
        String(position.pseudonymization_id),
      ]),
    }
  }
  it('is the receipt, once the drawer was told to open, then what comes with each ticket, guest by guest', async () => {
    const before = printer.received.length
    const { codes: wanted } = await sell(2)
    await untilPapers(before + 5)
    const [receipt, ...tickets] = printer.received.slice(before)
    assert.ok(receipt)
    const pulse = drawerPulse(0)
    assert.equal(receipt.indexOf(pulse), 0)
    assert.equal(receipt.lastIndexOf(pulse), 0)
    const { lines, cuts } = decodedReceipt(documentIn(receipt))
    const text = lines.map((line) => ('text' in line ? line.text : '')).join('\n')
    assert.match(text, /Ticket +12\.50\nTicket +12\.50\n[\s\S]*25\.00/)
    assert.equal(cuts, 1)
    const codes: string[] = []
    for (const bytes of tickets) {
      assert.equal(bytes.indexOf(pulse), -1)
      codes.push(...(await textsIn(bitmapPng(decodedEscpos(documentIn(bytes))), ['QRCode'])))
    }
    assert.deepEqual(codes, wanted)
    assert.equal(printer.pulses, 2)
  })

  it('opens the drawer at once where there is no paper, and prints in the same order once there is', async () => {
    printer.behaviour = 'has-no-paper'
    const { pulses } = printer
    await sell(1)
    while (printer.pulses === pulses) {
      desk.env.pass(10)
      await new Promise((resolve) => setImmediate(resolve))
    }
    assert.equal(printer.papers.filter((paper) => paper.includes('12.50')).length, 0)
    const before = printer.received.length
    printer.behaviour = 'prints'
    while (printer.papers.filter((paper) => paper.includes('v0')).length === 0) {
      desk.env.pass(500)
      await new Promise((resolve) => setImmediate(resolve))
    }
    const whole = printer.received.slice(before).find((bytes) => bytes.lastIndexOf(printedRequest) >= 0)
    assert.ok(whole)
    assert.match(documentIn(whole).toString('latin1'), /12\.50/)
    assert.equal(printer.pulses, pulses + 1)
  })
})
