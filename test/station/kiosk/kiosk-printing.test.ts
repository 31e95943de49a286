import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { printLog } from '../../../schema/resources/orders/print-log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { addRow } from '../../support/ticketing/orders.ts'
import { type Desk, openDesk } from '../desk.ts'
import { type PrinterSimulator, startPrinter } from '../printing/printer-simulator.ts'

const kiosk = '/api/v1/station/kiosk/'
const event = '/api/v1/organizers/acme/events/gala'
const office = { Authorization: 'Token all' }

describe('the printer of a kiosk', () => {
  let desk: Desk
  let printer: PrinterSimulator
  let ticket: number
  beforeEach(async () => {
    desk = await openDesk()
    printer = await startPrinter()
    await desk.transactions.write((tx) =>
      addRow(tx, badgeLayout, desk.place, { name: 'Badge', layout: [], default: true }),
    )
    ticket = await desk.sell('secret-of-ann', {
      ...{ attendee_name: 'Ann Example', pseudonymization_id: 'K7HQXYZABC' },
    })
    await desk.sell('secret-of-bob', { attendee_name: 'Bob Example' })
    const printers = [{ address: `127.0.0.1:${printer.port}`, documents: ['badge'] }]
    await desk.setUp({ task: 'kiosk', printing: { at_entry: ['badge'], at_sale: [] }, printers })
  })
  afterEach(async () => {
    await desk.close()
    await printer.close()
  })

  const turn = () => new Promise((resolve) => setImmediate(resolve))
  const state = async () => (await desk.call('GET', kiosk)).body
  const scan = (nonce: string, code = 'secret-of-ann') =>
    desk.call('POST', `${kiosk}scan/`, { nonce, source: 'keyboard', code })
  const prints = async (nonce: string) => (await desk.call('GET', `${kiosk}visits/${nonce}/`)).body
  const statesOf = (shown: RowData) => (shown.results as { state: string }[]).map((one) => one.state)
  const jobs = () =>
    desk.transactions.database.all<{ state: string; reason: string | null }>(
      sql`SELECT state, reason FROM print_job ORDER BY created, id`,
    )
  /** Lets time pass until a kiosk is as it is wanted. */
  async function until<T>(look: () => Promise<T>, isWanted: (seen: T) => boolean, step = 0): Promise<T> {
    for (let look_ = await look(); ; look_ = await look()) {
      if (isWanted(look_)) return look_
      desk.env.pass(step)
      await turn()
    }
  }
  const untilPrints = (nonce: string, wanted: string, step = 0) =>
    until(
      () => prints(nonce),
      (shown) => statesOf(shown).join() === wanted,
      step,
    )
  const untilFaults = (wanted: readonly object[]) =>
    until(state, ({ faults }) => JSON.stringify(faults) === JSON.stringify(wanted), 500)

  it('says what is printed for a guest until it can be taken', async () => {
    const { body } = await scan('nonce-of-ann')
    const shown = body.prints as RowData
    assert.deepEqual(shown.results, [{ document: 'badge', state: 'printing' }])
    assert.equal(shown.code, 'K7HQ')
    await untilPrints('nonce-of-ann', 'printed')
    assert.equal(printer.papers.length, 1)
    assert.equal((await desk.call('GET', `${kiosk}visits/nonce-unknown/`)).status, 404)
  })

  it('answers a code that is read twice for both readings, and prints once', async () => {
    await scan('nonce-first')
    assert.equal((await scan('nonce-second')).body.nonce, 'nonce-second')
    await untilPrints('nonce-second', 'printed')
    await untilPrints('nonce-first', 'printed')
    assert.equal(printer.papers.length, 1)
  })

  it('says that a badge was printed before, by whomever', async () => {
    await desk.transactions.write((tx) =>
      addRow(tx, printLog, desk.place, {
        ...{ position: ticket, type: 'badge', source: 'elsewhere', info: {} },
        ...{ datetime: tx.now, created: tx.now, successful: true, device: null },
      }),
    )
    const { body } = await scan('nonce-of-ann')
    assert.deepEqual((body.prints as RowData).results, [{ document: 'badge', state: 'earlier' }])
    assert.deepEqual(await jobs(), [])
  })

  it('gives up what no printer takes, and does not print it for nobody later', async () => {
    printer.behaviour = 'has-no-paper'
    assert.equal((await scan('nonce-of-ann')).body.status, 'ok')
    await until(jobs, ([job]) => job?.reason === 'paper')
    desk.env.pass(4000)
    assert.deepEqual(statesOf(await prints('nonce-of-ann')), ['printing'])
    await untilPrints('nonce-of-ann', 'failed', 500)
    assert.deepEqual(await jobs(), [{ state: 'failed', reason: 'withdrawn' }])
    printer.behaviour = 'prints'
    await untilFaults([])
    await scan('nonce-of-bob', 'secret-of-bob')
    await untilPrints('nonce-of-bob', 'printed', 500)
    assert.equal(printer.papers.length, 1)
  })

  const troubles = [
    ['has-no-paper', 'paper'],
    ['is-open', 'printer'],
    ['is-offline', 'printer'],
    ['is-silent', 'printer'],
  ] as const
  for (const [behaviour, fault] of troubles)
    it(`is out of order while its printer ${behaviour}, and by itself no longer`, async () => {
      printer.behaviour = behaviour
      await untilFaults([{ fault, stays: false }])
      assert.equal((await scan('nonce-of-ann')).status, 409)
      printer.behaviour = 'prints'
      await untilFaults([])
      assert.equal((await scan('nonce-of-ann')).body.status, 'ok')
    })

  it('is out of order while its printer is not there', async () => {
    const { port } = printer
    await printer.close()
    await untilFaults([{ fault: 'printer', stays: false }])
    printer = await startPrinter(port)
    await untilFaults([])
  })

  it('needs somebody to look once a badge broke off, whatever the printer says', async () => {
    printer.behaviour = 'breaks-off'
    await scan('nonce-of-ann')
    await untilPrints('nonce-of-ann', 'failed', 500)
    printer.behaviour = 'prints'
    for (let second = 0; second < 20; second += 1) {
      desk.env.pass(1000)
      await turn()
    }
    assert.deepEqual((await state()).faults, [{ fault: 'printer', stays: true }])
    await desk.call('POST', `${kiosk}unlock/`, { pin: '', exit_pin: 'right' })
    assert.deepEqual((await state()).faults, [])
    assert.equal((await scan('nonce-of-bob', 'secret-of-bob')).body.status, 'ok')
  })

  it('lets guests in without it where the event says so, and sends them to the desk at once', async () => {
    await desk.call('PATCH', `${event}/settings/`, { kiosk_needs_printer: false }, office)
    printer.behaviour = 'has-no-paper'
    const looks = printer.connections
    while (printer.connections < looks + 3) {
      desk.env.pass(500)
      await turn()
    }
    assert.deepEqual((await state()).faults, [])
    assert.equal((await scan('nonce-of-ann')).body.status, 'ok')
    await untilPrints('nonce-of-ann', 'failed')
  })
})
