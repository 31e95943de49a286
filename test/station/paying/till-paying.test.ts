import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import { addRow } from '../../support/ticketing/orders.ts'
import { addItem } from '../../support/ticketing/tickets.ts'
import { type Desk, openDesk } from '../desk.ts'
import { startTerminal, type TerminalSimulator } from './terminal-simulator.ts'

describe('a till that asks a terminal', () => {
  let desk: Desk
  let terminal: TerminalSimulator
  let item: number
  let drawer: unknown
  const ev = '/api/v1/organizers/acme/events/gala'
  const payments = '/api/v1/station/payments/'
  beforeEach(async () => {
    desk = await openDesk()
    terminal = await startTerminal()
    await desk.setUp({ task: 'box-office', terminal: { host: '127.0.0.1', port: terminal.port } })
    item = await desk.transactions.write(async (tx) => {
      const id = await addItem(tx, desk.place, 'Ticket', { default_price: '12.50' })
      await addRow(tx, quota, desk.place, { name: 'House', size: 3, items: [id] })
      return id
    })
    drawer = (await ask(201, 'POST', `${ev}/drawers/`, { float: '50.00' })).id
  })
  afterEach(async () => {
    await desk.close()
    await terminal.close()
  })

  async function ask(status: number, method: string, path: string, body?: unknown): Promise<RowData> {
    const answer = await desk.call(method, path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  const begin = (id = 'payment-1', amount = '12.50', status = 200) =>
    ask(status, 'POST', payments, {
      id,
      sale: 'sale-key-1',
      amount,
      basket: { positions: [{ item }], tickets: 1 },
    })
  const find = (id = 'payment-1') => ask(200, 'GET', `${payments}${id}/`)
  /** Looks until a payment is as it is expected. */
  async function until(state: string, id = 'payment-1'): Promise<RowData> {
    for (;;) {
      const row = await find(id)
      if (row.state === state) return row
      assert.equal(row.state, 'pending', JSON.stringify(row))
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  const sell = (status: number, info: RowData = { till_payment: 'payment-1' }) =>
    ask(status, 'POST', `${ev}/orders/`, {
      ...{ status: 'p', expected_total: '12.50', positions: [{ item }] },
      paid_by: [{ provider: 'cardterminal', amount: '12.50', info }],
    })
  const unsettled = async () => resultsOf(await ask(200, 'GET', payments)).map(({ id }) => id)
  const close = (status: number) =>
    ask(status, 'POST', `${ev}/drawers/${drawer}/close/`, { counted: '50.00' })

  it('sells for what was charged, once', async () => {
    await begin()
    await until('paid')
    assert.deepEqual(await unsettled(), ['payment-1'])
    const order = await sell(201)
    assert.equal((await find()).order, order.code)
    assert.deepEqual(await unsettled(), [])
    assert.match(JSON.stringify(await sell(409)), new RegExp(String(order.code)))
    assert.equal(terminal.held, 1250)
    const [receipt] = resultsOf(await ask(200, 'GET', `${ev}/receipts/?type=sale`))
    assert.deepEqual(receipt?.payments, [
      { provider: 'cardterminal', amount: '12.50', given: null, change: null },
    ])
    await close(201)
  })

  it('asks the terminal once, however often it is asked for the same payment', async () => {
    await begin()
    await begin()
    await until('paid')
    await begin()
    assert.equal(terminal.asked, 1)
    await begin('payment-1', '13.00', 409)
  })

  it('sells nothing for what is not paid, is of another amount, or went back', async () => {
    terminal.behaviour = 'waits'
    await begin()
    await terminal.untilAsked(1)
    await sell(409)
    terminal.goOn()
    await until('paid')
    const two = { status: 'p', positions: [{ item }, { item }] }
    const paid_by = [{ provider: 'cardterminal', amount: '25.00', info: { till_payment: 'payment-1' } }]
    await ask(400, 'POST', `${ev}/orders/`, { ...two, paid_by })
    assert.equal((await ask(200, 'POST', `${payments}payment-1/refund/`)).refund, 'done')
    assert.equal(terminal.held, 0)
    await sell(409)
    assert.deepEqual(await unsettled(), [])
    await ask(409, 'POST', `${payments}payment-1/refund/`)
  })

  it('lists what was charged without a sale and not given back, until somebody says what became of it', async () => {
    terminal.keepsMoney = true
    await begin()
    await until('paid')
    assert.equal((await ask(200, 'POST', `${payments}payment-1/refund/`)).refund, 'refused')
    for (const query of ['', '?state=declined', '?page=7', '?created_since=2099-01-01'])
      assert.equal(resultsOf(await ask(200, 'GET', payments + query)).length, 1, query)
    await close(409)
    await ask(400, 'POST', `${payments}payment-1/decide/`, { taken: false, reason: '' })
    await ask(200, 'POST', `${payments}payment-1/decide/`, { taken: false, reason: 'Cash given back' })
    assert.deepEqual(await unsettled(), [])
    await close(201)
  })

  it('keeps the drawer open while nobody knows what became of a payment, and begins no other', async () => {
    terminal.behaviour = 'charges-and-closes'
    await begin()
    await until('unknown')
    await close(409)
    assert.match(JSON.stringify(await begin('payment-2', '12.50', 409)), /another payment/)
    const row = await ask(200, 'POST', `${payments}payment-1/ask/`)
    assert.deepEqual([row.state, row.reference], ['paid', '12345678-1-101'])
    await sell(201)
    assert.equal(terminal.asked, 1)
    await close(201)
  })

  it('is told by somebody what became of a payment, where the terminal cannot be asked', async () => {
    terminal.behaviour = 'closes'
    await begin()
    await until('unknown')
    assert.equal((await ask(200, 'POST', `${payments}payment-1/ask/`)).state, 'unknown')
    const said = { taken: false, reason: 'No receipt was printed' }
    assert.equal((await ask(200, 'POST', `${payments}payment-1/decide/`, said)).state, 'declined')
    assert.deepEqual(await unsettled(), [])
  })

  it('is settled by somebody who may, or for whom a supervisor stands in, where staff sign in', async () => {
    terminal.behaviour = 'closes'
    await begin()
    await until('unknown')
    const org = '/api/v1/organizers/acme'
    const hire = async (name: string, role: string, pin: string): Promise<unknown> => {
      const office = { Authorization: 'Token all' }
      const { body } = await desk.call('POST', `${org}/staff/`, { name, role }, office)
      assert.equal((await desk.call('POST', `${org}/staff/${body.id}/set_pin/`, { pin }, office)).status, 200)
      return body.id
    }
    const [ada, bob] = [await hire('Ada', 'cashier', '4711'), await hire('Bob', 'supervisor', '123456')]
    const path = `${payments}payment-1/decide/`
    const said = { taken: true, reason: 'A receipt was printed' }
    assert.equal((await ask(403, 'POST', path, said)).reason, 'sign_in')
    assert.equal((await begin('payment-2', '12.50', 403)).reason, 'sign_in')
    await ask(200, 'POST', `${org}/pos/sign_in/`, { staff: ada, pin: '4711' })
    assert.equal((await ask(403, 'POST', path, said)).reason, 'step_up')
    assert.equal((await find()).state, 'unknown')
    const leave = { staff: bob, pin: '123456', act: 'refund', reason: 'Looked at the terminal' }
    const { token } = await ask(201, 'POST', `${org}/pos/step_up/`, leave)
    const settled = await desk.call('POST', path, said, { 'X-Step-Up': String(token) })
    assert.deepEqual([settled.status, settled.body.state], [200, 'paid'])
    const [row] = await desk.transactions.database.all<{ decided: string }>(
      sql`SELECT decided FROM till_payment WHERE id = 'payment-1'`,
    )
    assert.equal(row?.decided, 'Ada: A receipt was printed')
    assert.equal((await ask(403, 'POST', `${payments}payment-1/refund/`)).reason, 'step_up')
  })

  it('gives up, and shows what was charged all the same', async () => {
    terminal.behaviour = 'obeys-cancel'
    await begin()
    await terminal.untilAsked(1)
    await ask(200, 'POST', `${payments}payment-1/cancel/`)
    assert.equal((await until('declined')).reason, 'canceled')
    terminal.behaviour = 'charges-after-cancel'
    await begin('payment-2')
    await terminal.untilAsked(2)
    await ask(200, 'POST', `${payments}payment-2/cancel/`)
    await until('paid', 'payment-2')
    assert.deepEqual(await unsettled(), ['payment-2'])
  })

  for (const [what, amount] of [
    ['less than nothing', '-1.00'],
    ['nothing', '0.00'],
    ['more than there is', '99999999.00'],
    ['a third of a cent', '1.333'],
    ['a word', 'all'],
    ['no text', 12.5],
  ] as const)
    it(`asks nobody for ${what}`, async () => {
      const body = { id: 'payment-1', sale: 'sale-key-1', amount, basket: {} }
      assert.deepEqual(Object.keys(await ask(400, 'POST', payments, body)), ['amount'])
      assert.equal(terminal.asked, 0)
    })

  it('says what to do where there is no terminal', async () => {
    await desk.setUp({ terminal: { host: '' } })
    assert.match(JSON.stringify(await begin('payment-1', '12.50', 409)), /settings/)
  })

  it('shows where its terminal is, and never its password', async () => {
    const { settings } = await ask(200, 'GET', '/api/v1/station/')
    assert.deepEqual((settings as RowData).terminal, { host: '127.0.0.1', port: terminal.port })
  })
})
