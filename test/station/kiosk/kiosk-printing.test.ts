import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { printLog } from '../../../schema/resources/orders/print-log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { updateRow } from '../../../server/resource/store.ts'
import { resultsOf } from '../../support/servers/asking.ts'
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
    await untilFaults([{ fault: 'paper', stays: false }])
    printer.behaviour = 'prints'
    await untilFaults([])
    await scan('nonce-of-bob', 'secret-of-bob')
    await untilPrints('nonce-of-bob', 'printed')
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
    await until(jobs, ([job]) => job?.state === 'unknown')
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

  describe('where guests may correct their name', () => {
    const print = (nonce: string, name_parts?: object) =>
      desk.call('POST', `${kiosk}visits/${nonce}/print/`, name_parts ? { name_parts } : {})
    const stored = () =>
      desk.transactions.database.get<{ name: string; parts: string }>(
        sql`SELECT attendee_name AS name, attendee_name_parts AS parts FROM order_position WHERE id = ${ticket}`,
      )
    beforeEach(async () => {
      await desk.call('PATCH', `${event}/settings/`, { kiosk_name_correction: true }, office)
      await desk.transactions.write((tx) =>
        updateRow(tx, orderPosition, desk.place, {
          ...{ id: ticket, attendee_name: 'Ann Exmaple', name_key: 'ann exmaple' },
          attendee_name_parts: { _scheme: 'given_family', given_name: 'Ann', family_name: 'Exmaple' },
        }),
      )
    })

    it('prints nothing before they have said that it is right', async () => {
      const { body } = await scan('nonce-of-ann')
      assert.deepEqual(
        [body.status, body.name_parts, body.prints],
        [
          'ok',
          [
            { part: 'given_name', text: 'Ann' },
            { part: 'family_name', text: 'Exmaple' },
          ],
          null,
        ],
      )
      assert.deepEqual(await jobs(), [])
      assert.equal((await print('nonce-of-ann')).status, 200)
      await untilPrints('nonce-of-ann', 'printed')
      assert.equal((await stored())?.name, 'Ann Exmaple')
    })

    it('stores the name as any change of a ticket, with who did it, and prints once', async () => {
      await scan('nonce-of-ann')
      const name = { family_name: 'Example' }
      assert.deepEqual(statesOf((await print('nonce-of-ann', name)).body), ['printing'])
      await print('nonce-of-ann', { family_name: 'Twice' })
      await untilPrints('nonce-of-ann', 'printed')
      const { name: whole, parts } = (await stored()) ?? { name: '', parts: '{}' }
      assert.deepEqual(
        [whole, JSON.parse(parts)],
        ['Ann Example', { _scheme: 'given_family', given_name: 'Ann', family_name: 'Example' }],
      )
      assert.equal(printer.papers.length, 1)
      const [found] = resultsOf(
        (await desk.call('GET', `${event}/orders/?search=ann+example`, undefined, office)).body,
      )
      assert.ok(found)
      const changes = await desk.transactions.database.all<{ action: string }>(
        sql`SELECT action FROM audit WHERE action = 'ticketsvc.event.order.modified'`,
      )
      assert.equal(changes.length, 1)
    })

    it('takes no name that is none, and none where the event lets nobody', async () => {
      await scan('nonce-of-ann')
      assert.equal((await print('nonce-of-ann', { given_name: ' ', family_name: '' })).status, 400)
      await desk.call('PATCH', `${event}/settings/`, { kiosk_name_correction: false }, office)
      assert.equal((await print('nonce-of-ann', { family_name: 'Example' })).status, 200)
      assert.equal((await stored())?.name, 'Ann Exmaple')
    })
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
