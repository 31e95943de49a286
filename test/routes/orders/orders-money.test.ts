import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { amountOf, type RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addToken } from '../../support/servers/servers.ts'
import {
  addRow,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'

/** How many of some answers had each status. */
const counted = (answers: readonly { readonly status: number }[]): Record<number, number> => {
  const counts: Record<number, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

for (const engine of engines)
  describe(`the money of an order, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const pending = (values: RowData = {}) =>
      server.order({ positions: [{ item: server.shop.ticket }], ...values })
    const post = <T = RowData>(status: number, order: ShownOrder, path: string, body: unknown = {}) =>
      server.ask<T>(status, 'POST', `/orders/${order.code}/${path}/`, body)
    const look = (order: ShownOrder) => server.ask<ShownOrder>(200, 'GET', `/orders/${order.code}/`)
    const statusOf = async (order: ShownOrder) => (await look(order)).status
    const cash = (amount: string, state = 'confirmed') => ({ state, amount, provider: 'boxoffice' })
    const refuses = async (order: ShownOrder, path: string, body: unknown = {}) => {
      const { detail } = await post<{ detail: string }>(400, order, path, body)
      assert.equal(typeof detail, 'string')
    }

    it('arrives in parts, and the order is paid by the last one', async () => {
      const order = await pending()
      const first = await post(201, order, 'payments', { ...cash('20.00'), info: { till: 3 } })
      const { created, payment_date, ...rest } = first
      assert.ok(created)
      assert.ok(payment_date)
      assert.deepEqual(rest, {
        ...{ local_id: 1, state: 'confirmed', amount: '20.00', provider: 'boxoffice' },
        ...{ payment_url: null, details: { till: 3 } },
      })
      assert.equal(await statusOf(order), 'n')
      assert.equal((await post(201, order, 'payments', cash('3.00'))).local_id, 2)
      const paid = await look(order)
      assert.deepEqual([paid.status, paid.payment_provider], ['p', 'boxoffice'])
      assert.deepEqual(await server.trail(order.code), [
        ...['placed', 'payment.started', 'payment.confirmed'],
        ...['payment.started', 'payment.confirmed', 'paid'],
      ])
    })

    it('is listed and found by its number in the order', async () => {
      const order = await pending()
      await post(201, order, 'payments', cash('1.00', 'created'))
      await post(201, order, 'payments', cash('2.00', 'pending'))
      const page = await server.ask<ShownPage<RowData>>(
        200,
        'GET',
        `/orders/${order.code}/payments/?page_size=1`,
      )
      assert.deepEqual([page.count, page.results.map((row) => row.amount)], [2, ['1.00']])
      const one = await server.ask<RowData>(200, 'GET', `/orders/${order.code}/payments/2/`)
      assert.deepEqual([one, one.state], [(await look(order)).payments[1], 'pending'])
      for (const path of [`${order.code}/payments/3`, 'NONE7/payments', `${order.code}/refunds/1`])
        await server.ask(404, 'GET', `/orders/${path}/`)
      for (const path of ['payments/3/confirm', 'payments/3/refund', 'refunds/1/done'])
        await post(404, order, path)
      await server.ask(405, 'DELETE', `/orders/${order.code}/payments/1/`)
    })

    it('is refused where what is said of it is not right', async () => {
      const order = await pending()
      const wrong = async (path: string, body: RowData, field: string) => {
        const errors = await post<Record<string, unknown>>(400, order, path, body)
        assert.deepEqual(Object.keys(errors), [field])
      }
      await wrong('payments', { state: 'confirmed', provider: 'manual' }, 'amount')
      await wrong('payments', { amount: '1.00', provider: 'manual' }, 'state')
      await wrong('payments', { amount: '1.00', state: 'created' }, 'provider')
      await wrong('payments', { ...cash('1.00'), provider: 'shells' }, 'provider')
      await wrong('payments', { ...cash('1.00'), state: 'lost' }, 'state')
      await wrong('payments', cash('-1.00'), 'amount')
      await wrong('refunds', { state: 'done', amount: '0.00', provider: 'manual' }, 'amount')
      await wrong('refunds', { state: 'gone', amount: '1.00', provider: 'manual' }, 'state')
      const unknown = { state: 'done', amount: '1.00', provider: 'manual', payment: 9 }
      assert.equal((await post<unknown[]>(400, order, 'refunds', unknown)).length, 1)
      assert.deepEqual((await look(order)).payments, [])
    })

    it('is confirmed once, or given up', async () => {
      const order = await pending({ payment_provider: 'banktransfer' })
      const confirmed = await post(200, order, 'payments/1/confirm')
      assert.deepEqual([confirmed.state, await statusOf(order)], ['confirmed', 'p'])
      await refuses(order, 'payments/1/confirm')
      await refuses(order, 'payments/1/cancel')
      const other = await pending({ payment_provider: 'cardterminal' })
      assert.equal((await post(200, other, 'payments/1/cancel')).state, 'canceled')
      await refuses(other, 'payments/1/confirm')
      await refuses(other, 'payments/1/refund')
      assert.equal(await statusOf(other), 'n')
    })

    it('is given up with the price that it was for, unless it is on its way', async () => {
      const states = async ({ code }: ShownOrder) => {
        const { payments } = await server.ask<ShownOrder>(200, 'GET', `/orders/${code}/`)
        return payments.map(({ state }) => state)
      }
      const change = async (order: ShownOrder, price: string) => {
        const position = order.positions[0]?.id
        await server.ask(200, 'PATCH', `/orderpositions/${position}/`, { price })
      }
      const order = await pending({ payment_provider: 'boxoffice' })
      assert.deepEqual(await states(order), ['created'])
      await change(order, '23.00')
      assert.deepEqual(await states(order), ['created'])
      await change(order, '17.00')
      assert.deepEqual(await states(order), ['canceled'])
      await post(201, order, 'payments', cash('17.00', 'pending'))
      await change(order, '19.00')
      await post(200, order, 'mark_canceled')
      assert.deepEqual(await states(order), ['canceled', 'pending'])
    })

    it('does not pay an order that is canceled or waits for approval', async () => {
      const canceled = await pending({ payment_provider: 'banktransfer' })
      await post(200, canceled, 'mark_canceled')
      await post(201, canceled, 'payments', cash('23.00'))
      assert.equal(await statusOf(canceled), 'c')
      const waiting = await pending({ require_approval: true })
      await post(201, waiting, 'payments', cash('23.00'))
      assert.equal(await statusOf(waiting), 'n')
    })

    it('pays an expired order only while there is room, or by force', async () => {
      const positions = [{ item: server.shop.rare }, { item: server.shop.rare }]
      const order = await server.order({ positions, payment_provider: 'banktransfer' })
      await post(200, order, 'mark_expired')
      const next = await server.order({ positions })
      await refuses(order, 'payments/1/confirm')
      const open = (await look(order)).payments[0]
      assert.deepEqual([open?.state, await statusOf(order)], ['created', 'e'])
      assert.equal((await post(201, order, 'payments', cash('20.00'))).state, 'confirmed')
      assert.equal(await statusOf(order), 'e')
      await post(200, order, 'payments/1/confirm', { force: true })
      assert.equal(await statusOf(order), 'p')
      for (const one of [order, next]) await post(200, one, 'mark_canceled')
    })

    it('is given back at once from the till, and the order waits for money again', async () => {
      const order = await server.paidOrder({ payment_provider: 'boxoffice' })
      const refund = await post(200, order, 'payments/1/refund', { comment: 'rain' })
      const { created, execution_date, ...rest } = refund
      assert.ok(created)
      assert.ok(execution_date)
      assert.deepEqual(rest, {
        ...{ local_id: 1, state: 'done', source: 'admin', amount: '23.00', payment: 1 },
        ...{ comment: 'rain', provider: 'boxoffice', details: {} },
      })
      const now = await look(order)
      assert.deepEqual(
        [now.status, now.payments[0]?.state, (now.refunds as RowData[])[0]],
        ['n', 'refunded', refund],
      )
      await refuses(order, 'payments/1/refund')
      assert.deepEqual((await server.trail(order.code)).slice(2), ['refund.created', 'refund.done', 'unpaid'])
      await post(200, order, 'mark_paid')
      assert.deepEqual(
        (await look(order)).payments.map(({ state, amount }) => [state, amount]),
        [
          ['refunded', '23.00'],
          ['confirmed', '23.00'],
        ],
      )
    })

    it('is given back in parts, never more than arrived, and cancels the order where that was said', async () => {
      const order = await server.paidOrder()
      await post(201, order, 'payments', cash('10.00'))
      await post(200, order, 'payments/1/refund', { amount: '10.00' })
      assert.equal(await statusOf(order), 'p')
      for (const amount of ['13.01', '0.00', '-1.00', undefined]) {
        const errors = await post<RowData>(400, order, 'payments/1/refund', { amount })
        assert.deepEqual(Object.keys(errors), ['amount'])
      }
      await post(200, order, 'payments/1/refund', { amount: '13.00', mark_canceled: true })
      const now = await look(order)
      assert.deepEqual([now.status, now.payments.map((one) => one.state)], ['c', ['refunded', 'confirmed']])
    })

    it('is on its way back until somebody says that it is done', async () => {
      const order = await server.paidOrder({ payment_provider: 'cardterminal' })
      const refund = await post(200, order, 'payments/1/refund')
      assert.deepEqual(
        [refund.state, refund.execution_date, (await look(order)).payments[0]?.state],
        ['transit', null, 'confirmed'],
      )
      const done = await post(200, order, 'refunds/1/done')
      assert.deepEqual(
        [done.state, typeof done.execution_date, (await look(order)).payments[0]?.state],
        ['done', 'string', 'refunded'],
      )
      for (const action of ['done', 'cancel', 'process']) await refuses(order, `refunds/1/${action}`)
    })

    it('is not missing any more when its refund is given up', async () => {
      const order = await server.paidOrder()
      const request = { state: 'created', amount: '23.00', provider: 'manual', payment: 1 }
      assert.equal((await post(201, order, 'refunds', request)).local_id, 1)
      assert.equal(await statusOf(order), 'p')
      const second = await post<RowData>(400, order, 'payments/1/refund')
      assert.deepEqual(Object.keys(second), ['amount'])
      assert.equal((await post(200, order, 'refunds/1/cancel')).state, 'canceled')
      await post(200, order, 'payments/1/refund', { amount: '1.00' })
      assert.deepEqual((await server.trail(order.code)).slice(2, 4), ['refund.created', 'refund.canceled'])
    })

    it('has not arrived because something of it was given back', async () => {
      const order = await pending({ payment_provider: 'banktransfer' })
      const [{ amount = '' } = {}] = (await look(order)).payments
      await post(201, order, 'refunds', { state: 'done', amount, provider: 'manual', payment: 1 })
      assert.equal((await look(order)).payments[0]?.state, 'created')
    })

    it('is pending or canceled with a refund where that was said', async () => {
      const entered = { state: 'done', amount: '5.00', provider: 'manual', comment: 'x' }
      const [kept, open, gone] = [
        await server.paidOrder(),
        await server.paidOrder(),
        await server.paidOrder(),
      ]
      await post(201, kept, 'refunds', entered)
      await post(201, open, 'refunds', { ...entered, mark_pending: true })
      await post(201, gone, 'refunds', { ...entered, mark_canceled: true })
      assert.deepEqual([await statusOf(kept), await statusOf(open), await statusOf(gone)], ['p', 'n', 'c'])
    })

    it('takes over what was given back elsewhere', async () => {
      const external = { state: 'external', source: 'external', amount: '30.00', provider: 'banktransfer' }
      const [order, other] = [await server.paidOrder(), await server.paidOrder()]
      for (const one of [order, other]) await post(201, one, 'refunds', external)
      await refuses(order, 'refunds/1/done')
      assert.equal((await post(200, order, 'refunds/1/process')).state, 'done')
      await post(200, other, 'refunds/1/process', { mark_canceled: true })
      assert.deepEqual([await statusOf(order), await statusOf(other)], ['n', 'c'])
      assert.deepEqual((await server.trail(order.code)).slice(2), [
        'refund.created.externally',
        'refund.done',
        'unpaid',
      ])
    })

    it('is taken once, however many ask at the same time', async () => {
      const order = await pending({ payment_provider: 'banktransfer' })
      const all = (path: string) =>
        Promise.all(
          Array.from({ length: 32 }, () =>
            server.call('POST', `${server.ev}/orders/${order.code}/${path}/`, {}),
          ),
        )
      assert.deepEqual(counted(await all('payments/1/confirm')), { 200: 1, 400: 31 })
      assert.deepEqual(counted(await all('payments/1/refund')), { 200: 1, 400: 31 })
      assert.equal(await statusOf(order), 'n')
      assert.deepEqual(counted(await all('mark_paid')), { 200: 1, 400: 31 })
      const { payments, refunds } = await look(order)
      assert.deepEqual(
        [payments.map(({ local_id, amount }) => [local_id, amount]), (refunds as RowData[]).length],
        [
          [
            [1, '23.00'],
            [2, '23.00'],
          ],
          1,
        ],
      )
    })

    it('has a number of its own for each of many payments that come together', async () => {
      const order = await pending()
      const asked = Array.from({ length: 32 }, () => post(201, order, 'payments', cash('1.00')))
      const numbers = (await Promise.all(asked)).map(({ local_id }) => Number(local_id))
      assert.deepEqual(
        numbers.sort((a, b) => a - b),
        Array.from({ length: 32 }, (_, index) => index + 1),
      )
      assert.equal(await statusOf(order), 'p')
      assert.equal((await server.trail(order.code)).filter((word) => word === 'paid').length, 1)
    })

    const card = (secret: string, value: string) =>
      server.running.transactions.write((tx) =>
        addRow(tx, giftCard, { organizer: server.organizer, event: 0 }, { secret, value, currency: 'EUR' }),
      )
    const worth = async (id: number) => {
      const row = await server.running.transactions.database.get<{ value: number }>(
        sql`SELECT value FROM gift_card WHERE id = ${id}`,
      )
      return amountOf(Number(row?.value))
    }
    const byCard = (amount: string, info: RowData, state = 'confirmed') => ({
      ...{ state, amount, provider: 'giftcard', info },
    })

    it('is taken from a gift card and put back on it', async () => {
      const id = await card('CARD-One', '30.00')
      const order = await pending()
      await refuses(order, 'payments', byCard('23.00', {}))
      await refuses(order, 'payments', byCard('23.00', { gift_card: id + 1000 }))
      await post(409, order, 'payments', byCard('30.01', { gift_card: id }))
      const paid = await post(201, order, 'payments', byCard('23.00', { gift_card_secret: 'card-one' }))
      assert.deepEqual(paid.details, { gift_card: { id, secret: 'CARD-One', organizer: 'acme' } })
      assert.deepEqual([await statusOf(order), await worth(id)], ['p', '7.00'])
      assert.equal((await post(200, order, 'payments/1/refund', { amount: '3.00' })).state, 'done')
      assert.equal(await worth(id), '10.00')
    })

    it('is taken from a gift card only once it is confirmed', async () => {
      const id = await card('LATER', '10.00')
      const order = await pending()
      await post(201, order, 'payments', byCard('10.00', { gift_card: id }, 'created'))
      assert.equal(await worth(id), '10.00')
      await post(200, order, 'payments/1/confirm')
      assert.equal(await worth(id), '0.00')
      await post(409, order, 'payments', byCard('1.00', { gift_card: id }))
    })

    it('is not taken from a gift card that has expired, or is of another currency or mode', async () => {
      const order = await pending()
      const place = { organizer: server.organizer, event: 0 }
      for (const [index, values] of [
        { expires: '2020-01-01T00:00:00.000000Z' },
        { currency: 'CHF' },
        { testmode: true },
      ].entries()) {
        const all = { secret: `WRONG${index}`, value: '99.00', currency: 'EUR', ...values }
        const id = await server.running.transactions.write((tx) => addRow(tx, giftCard, place, all))
        await refuses(order, 'payments', byCard('1.00', { gift_card: id }))
        assert.equal(await worth(id), '99.00')
      }
    })

    it('comes with an order from a gift card, or there is no order', async () => {
      const id = await card('SALE', '50.00')
      const paid = { payment_info: { gift_card: id }, payment_provider: 'giftcard' }
      const sold = await server.paidOrder(paid)
      assert.deepEqual([sold.status, await worth(id)], ['p', '27.00'])
      const dear = [{ item: server.shop.dinner, variation: server.shop.adult }]
      await server.ask(409, 'POST', '/orders/', { status: 'p', ...paid, positions: dear })
      assert.equal(await worth(id), '27.00')
    })

    it('is never taken from a gift card twice', async () => {
      const id = await card('ONCE', '23.00')
      const orders = await Promise.all(Array.from({ length: 8 }, () => pending()))
      const body = byCard('23.00', { gift_card: id })
      const answers = await Promise.all(
        orders.map(({ code }) => server.call('POST', `${server.ev}/orders/${code}/payments/`, body)),
      )
      assert.deepEqual(counted(answers), { 201: 1, 409: 7 })
      const states = await Promise.all(orders.map(statusOf))
      assert.equal(states.filter((state) => state === 'p').length, 1)
    })

    it('is shown to who may look at orders, and changed by who may change them', async () => {
      const order = await pending()
      await server.running.transactions.write(async (tx) => {
        await addToken(tx, server.organizer, 'looks', { all_events: true, can_view_orders: true })
        await addToken(tx, server.organizer, 'scans', { all_events: true, can_checkin_orders: true })
      })
      const ask = async (method: string, token: string) => {
        const path = `${server.ev}/orders/${order.code}/payments/`
        const body = method === 'GET' ? undefined : cash('1.00')
        return (await server.call(method, path, body, { Authorization: `Token ${token}` })).status
      }
      assert.deepEqual(
        [await ask('GET', 'looks'), await ask('POST', 'looks'), await ask('GET', 'scans')],
        [200, 403, 403],
      )
    })
  })
