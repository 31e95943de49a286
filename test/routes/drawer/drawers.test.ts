import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { receipt, type StoredReceipt } from '../../../schema/resources/drawer/receipt.ts'
import { verifyChain } from '../../../server/domain/drawer/receipt-chain.ts'
import { isForwarded } from '../../../server/http/forward.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { findRows } from '../../../server/resource/store.ts'
import { linkOf } from '../../../server/services/drawer/receipt-rows.ts'
import { verifyTills } from '../../../server/services/drawer/verify-tills.ts'
import { storeTillMoney } from '../../../server/services/payments/till-payments.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { exported } from '../../support/ticketing/exports.ts'
import { addDevice, addItem } from '../../support/ticketing/tickets.ts'

for (const engine of engines)
  describe(`the drawer of a till, on ${engine.name}`, () => {
    let server: TestServer
    let item: number
    const ask = asking(() => server)
    const till = 'Device till'
    const second = 'Device second'
    beforeEach(async () => {
      server = await startTestServer(await engine.open())
      const { organizer, event } = server
      item = await server.running.transactions.write(async (tx) => {
        await addDevice(tx, organizer, 1, 'till', { security_profile: 'boxoffice' })
        await addDevice(tx, organizer, 2, 'second', { security_profile: 'boxoffice' })
        return addItem(tx, { organizer, event }, 'Day ticket', { default_price: '12.50' })
      })
      await ask('POST', `${server.ev}/quotas/`, 201, {
        name: 'All',
        size: null,
        items: [item],
        variations: [],
      })
    })
    afterEach(() => server.close())

    const open = (as = till, more: RowData = {}) =>
      ask('POST', `${server.ev}/drawers/`, 201, { float: '100.00', ...more }, as)
    const sell = (as = till, more: RowData = {}) =>
      ask(
        'POST',
        `${server.ev}/orders/`,
        201,
        {
          ...{ status: 'p', payment_provider: 'boxoffice', sales_channel: 'web', locale: 'en' },
          ...{ positions: [{ item }, { item }], ...more },
        },
        as,
      )
    const receipts = async (query = '') =>
      resultsOf(await ask('GET', `${server.ev}/receipts/?ordering=number${query}`, 200, undefined, till))
    const links = async () => {
      const { organizer, event } = server
      const { database } = server.running.transactions
      return (await findRows(database, receipt, { organizer, event })).map(linkOf)
    }

    it('is opened with a float, sold at, looked into, and closed by what was counted', async () => {
      const { id } = await open()
      const sold = await sell(till, { payment_info: { given: '30.00', change: '5.00' } })
      const path = `${server.ev}/drawers/${id}`
      await ask('POST', `${path}/move_cash/`, 201, { amount: '-60.00', reason: 'To the safe' }, till)
      const report = await ask('GET', `${path}/report/`, 200, undefined, till)
      assert.equal(report.expected_cash, '65.00')
      assert.deepEqual(report.by_provider, { boxoffice: '25.00' })
      assert.deepEqual(report.movements, {
        ...{ float: '100.00', cash_in: '0.00', cash_out: '-60.00', difference: '0.00' },
      })
      const count = { denominations: { '20.00': 3, '2.00': 1 } }
      const closed = await ask('POST', `${path}/close/`, 201, { ...count, reason: 'Counted twice' }, till)
      assert.deepEqual(
        [closed.number, closed.expected, closed.counted, closed.difference, closed.device_id],
        [1, '65.00', '62.00', '-3.00', 1],
      )
      const rows = await receipts()
      assert.deepEqual(
        rows.map(({ number, type, total }) => [number, type, total]),
        [
          [1, 'movement', '100.00'],
          [2, 'sale', '25.00'],
          [3, 'movement', '-60.00'],
          [4, 'movement', '-3.00'],
        ],
      )
      assert.deepEqual(rows[1]?.payments, [
        { provider: 'boxoffice', amount: '25.00', given: '30.00', change: '5.00' },
      ])
      assert.equal(rows[1]?.order, sold.code)
      assert.equal([rows[1]?.lines].flat().length, 2)
      assert.deepEqual(verifyChain(await links()), [])
      const late = await ask('POST', `${path}/move_cash/`, 409, { amount: '1.00', reason: 'Late' }, till)
      assert.match(String(late.detail), /closed/)
    })

    it('gives one receipt for each payment and refund, and none where nothing was paid or no drawer is open', async () => {
      await sell()
      await open()
      const { code } = await sell(till, { status: 'n', payment_provider: null })
      assert.equal((await receipts('&type=sale')).length, 0)
      const payment = { state: 'confirmed', amount: '25.00', provider: 'cardterminal' }
      await ask('POST', `${server.ev}/orders/${code}/payments/`, 201, payment, till)
      const back = { state: 'done', amount: '12.50', provider: 'boxoffice', payment: 1, source: 'admin' }
      await ask('POST', `${server.ev}/orders/${code}/refunds/`, 201, back, till)
      const [sale, refund, ...others] = (await receipts()).slice(1)
      assert.deepEqual([sale?.type, sale?.total, others], ['sale', '25.00', []])
      assert.deepEqual([refund?.type, refund?.total, refund?.reverses], ['refund', '-12.50', sale?.id])
      await ask('POST', `${server.ev}/orders/${code}/refunds/`, 400, { ...back, amount: '99.00' }, till)
      assert.equal((await receipts()).length, 3)
    })

    it('gives a receipt for what is entered by hand as well', async () => {
      await open()
      const { code } = await sell(till, { status: 'n', payment_provider: null })
      await ask('POST', `${server.ev}/orders/${code}/mark_paid/`, 200, {}, till)
      const [receipt, ...others] = await receipts('&type=sale')
      assert.deepEqual(others, [])
      assert.deepEqual(receipt?.payments, [
        { provider: 'manual', amount: '25.00', given: null, change: null },
      ])
    })

    it('is worked at without asking the server above', () => {
      const drawers = `${server.ev}/drawers/`
      for (const path of ['', '7/join/', '7/move_cash/', '7/receipts/8/reverse/', '7/close/'])
        assert.equal(isForwarded({ method: 'POST', path: drawers + path }, 'station'), false, path)
      assert.equal(isForwarded({ method: 'POST', path: `${server.org}/staff/7/set_pin/` }, 'station'), true)
      const signIn = { method: 'POST', path: `${server.org}/pos/sign_in/` }
      assert.equal(isForwarded(signIn, 'station'), false)
    })

    it('counts what is sold at it by several tills, each with its own numbers', async () => {
      const { id } = await open()
      await sell(second)
      await ask('POST', `${server.ev}/drawers/${id}/join/`, 200, undefined, second)
      await sell(second)
      await sell()
      const rows = await receipts()
      assert.deepEqual(rows.map(({ device_id, number }) => [device_id, number]).sort(), [
        [1, 1],
        [1, 2],
        [2, 1],
      ])
      const report = await ask('GET', `${server.ev}/drawers/${id}/report/`, 200, undefined, till)
      assert.equal(report.expected_cash, '150.00')
    })

    it('is not closed while a till at it has a basket or a card payment that is not settled, and says which', async () => {
      const { id } = await open()
      await ask('POST', `${server.ev}/drawers/${id}/join/`, 200, undefined, second)
      const close = (status: number) =>
        ask('POST', `${server.ev}/drawers/${id}/close/`, status, { counted: '100.00' }, till)
      await ask('POST', `${server.ev}/cartpositions/`, 201, { item, price: '12.50', cart_id: 'shop@api' })
      const held = await ask(
        'POST',
        `${server.ev}/cartpositions/`,
        201,
        { item, price: '12.50', cart_id: 'x@api' },
        second,
      )
      const basket = await close(409)
      assert.deepEqual([basket.reason, basket.till], ['open_basket', 'second'])
      assert.match(String(basket.detail), /"second" has a basket/)
      await ask('DELETE', `${server.ev}/cartpositions/${held.id}/`, 204, undefined, second)
      const { organizer, event, running } = server
      await running.transactions.write(async (tx) => {
        const device = await tx.get<{ id: number }>(sql`SELECT id FROM device WHERE device_id = 2`)
        await storeTillMoney(tx, {
          ...{
            organizer,
            event,
            id: 'p1',
            device: device?.id ?? 0,
            sale: 's',
            way: 'terminal',
            amount: 1250,
          },
          ...{ currency: 'EUR', state: 'unknown', reason: null, reference: null, details: {}, basket: {} },
          ...{ order_code: null, refund: null, decided: null },
        })
      })
      const card = await close(409)
      assert.deepEqual([card.reason, card.till], ['open_card', 'second'])
      await running.transactions.database.run(sql`UPDATE till_payment SET state = 'declined'`)
      await close(201)
    })

    it('takes a mistyped movement back by its opposite, once', async () => {
      const { id } = await open()
      const path = `${server.ev}/drawers/${id}`
      const wrong = await ask('POST', `${path}/move_cash/`, 201, { amount: '500.00', reason: 'Typo' }, till)
      const reverse = `${path}/receipts/${wrong.id}/reverse/`
      const back = await ask('POST', reverse, 201, { reason: 'It was 50' }, till)
      assert.deepEqual([back.type, back.total, back.reverses], ['correction', '-500.00', wrong.id])
      await ask('POST', reverse, 409, { reason: 'Again' }, till)
      const report = await ask('GET', `${path}/report/`, 200, undefined, till)
      assert.equal(report.expected_cash, '100.00')
    })

    it('is given the numbers of what was taken back again, and closings have their own', async () => {
      const { id } = await open()
      await ask('POST', `${server.ev}/orders/`, 400, { status: 'p', positions: [{ item: 1 }] }, till)
      await ask('POST', `${server.ev}/drawers/${id}/close/`, 400, {}, till)
      await ask(
        'POST',
        `${server.ev}/drawers/${id}/close/`,
        400,
        { counted: '1.00', denominations: { '2.00': 1 } },
        till,
      )
      await sell()
      await ask('POST', `${server.ev}/drawers/${id}/close/`, 201, { counted: '125.00' }, till)
      const { id: next } = await open()
      const closed = await ask(
        'POST',
        `${server.ev}/drawers/${next}/close/`,
        201,
        { counted: '100.00' },
        till,
      )
      assert.equal(closed.number, 2)
      assert.deepEqual(await ask('GET', `${server.ev}/closings/${closed.id}/`, 200, undefined, till), closed)
      assert.equal((await ask('GET', `${server.ev}/drawers/${next}/`, 200, undefined, till)).state, 'closed')
      const [first] = await receipts()
      assert.deepEqual(await ask('GET', `${server.ev}/receipts/${first?.id}/`, 200, undefined, till), first)
      assert.deepEqual(
        (await receipts()).map(({ number }) => number),
        [1, 2, 3],
      )
    })

    it('is exported line by line, and as a journal whose chain can be verified', async () => {
      const { id } = await open()
      await sell()
      await ask('POST', `${server.ev}/drawers/${id}/close/`, 201, { counted: '120.00' }, till)
      const exporters = `${server.ev}/exporters`
      const table = await exported(server, `${exporters}/receiptlist/`, { _format: 'receipts:default' })
      const [titles, ...lines] = table.text.trim().split('\r\n')
      assert.match(String(titles), /Event.*Till.*Number.*Amount.*Hash/)
      assert.equal(lines.length, 4)
      assert.ok(lines[1]?.includes('12.50'), lines[1])
      const journal = await exported(server, `${exporters}/receiptjournal/`, {})
      const rows = journal.text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as StoredReceipt & RowData)
      assert.deepEqual(
        rows.map(({ kind, number }) => [kind, number]),
        [
          ['receipt', 1],
          ['receipt', 2],
          ['receipt', 3],
          ['closing', 1],
        ],
      )
      const { database } = server.running.transactions
      assert.deepEqual(verifyChain(rows.slice(0, 3).map(linkOf)), [])
      assert.deepEqual(await verifyTills(database), {
        ...{ receipts: 3, signatures: 0, closings: 1, problems: [] },
      })
      await database.run(sql`UPDATE receipt SET total = 1 WHERE number = 2`)
      await database.run(sql`DELETE FROM closing`)
      await database.run(sql`DELETE FROM receipt WHERE number = 1`)
      assert.deepEqual(
        (await verifyTills(database)).problems.map(({ kind, number, problem }) => [kind, number, problem]),
        [
          ['receipt', 1, 'missing'],
          ['receipt', 2, 'changed'],
        ],
      )
    })

    it('is counted blind: the till is not sent what should be in it before it was counted', async () => {
      await ask('PATCH', `${server.ev}/settings/`, 200, { drawer_blind_count: true })
      const { id } = await open()
      await sell()
      const report = (as?: string) => ask('GET', `${server.ev}/drawers/${id}/report/`, 200, undefined, as)
      const { covered, ...shown } = await report(till)
      assert.deepEqual(shown, { blind: true, receipts: 2 })
      assert.equal([covered].flat().length, 1)
      assert.deepEqual((({ blind, expected_cash }) => [blind, expected_cash])(await report()), [
        false,
        '125.00',
      ])
      const hired = await ask('POST', `${server.org}/staff/`, 201, { name: 'Ada', role: 'cashier' })
      await ask('POST', `${server.org}/staff/${hired.id}/set_pin/`, 200, { pin: '471147' })
      await ask('POST', `${server.org}/pos/sign_in/`, 200, { staff: hired.id, pin: '471147' }, till)
      assert.equal((await report(till)).blind, true)
      await ask('PATCH', `${server.org}/staff/${hired.id}/`, 200, { role: 'supervisor' })
      assert.equal((await report(till)).expected_cash, '125.00')
      await ask('POST', `${server.org}/pos/sign_out/`, 204, {}, till)
      await ask('DELETE', `${server.org}/staff/${hired.id}/`, 204)
      const closed = await ask('POST', `${server.ev}/drawers/${id}/close/`, 201, { counted: '120.00' }, till)
      assert.deepEqual([closed.expected, closed.difference], ['125.00', '-5.00'])
      assert.equal((await report(till)).expected_cash, '120.00')
    })

    it('belongs to a till, has one currency and keeps training apart', async () => {
      await ask('POST', `${server.ev}/drawers/`, 400, { float: '1.00' })
      await ask('POST', `${server.ev}/drawers/`, 400, { float: '-1.00' }, till)
      const { id } = await open(till, { training: true })
      await ask('POST', `${server.ev}/drawers/`, 400, { float: '1.00' }, till)
      await ask('POST', `${server.ev}/drawers/${id}/move_cash/`, 403, { amount: '1.00', reason: 'x' }, second)
      await sell()
      const report = await ask('GET', `${server.ev}/drawers/${id}/report/`, 200, undefined, till)
      assert.deepEqual([report.sales, report.expected_cash], ['0.00', '125.00'])
      assert.deepEqual(report.training, { receipts: 2, total: '125.00' })
      const { database } = server.running.transactions
      await database.run(sql`UPDATE event SET currency = 'CHF'`)
      const other = await ask(
        'POST',
        `${server.ev}/orders/`,
        400,
        { status: 'p', payment_provider: 'boxoffice', positions: [{ item }] },
        till,
      )
      assert.match(String(other.detail), /holds EUR/)
    })
  })
