import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { rightFor } from '../../../server/station/staff-acts.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, type ShownOrder, startShop } from '../../support/ticketing/orders.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

for (const engine of engines)
  describe(`exchanging tickets of an order, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
      await server.running.transactions.write((tx) =>
        addDevice(tx, server.organizer, 1, 'till', { security_profile: 'full' }),
      )
      await ask(201, 'POST', '/drawers/', { float: '100.00' })
    })
    after(() => server.close())

    const ask = async <T = RowData>(
      status: number,
      method: string,
      path: string,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<T> => {
      const said = { Authorization: 'Device till', ...headers }
      const answer = await server.call(method, server.ev + path, body, said)
      assert.equal(answer.status, status, JSON.stringify(answer.body))
      return answer.body as T
    }
    const sell = (item: number, more: RowData = {}) =>
      ask<ShownOrder>(201, 'POST', '/orders/', {
        ...{ status: 'p', payment_provider: 'boxoffice', sales_channel: 'web', locale: 'en' },
        ...{ positions: [{ item, ...more }] },
      })
    const to = (order: ShownOrder, body: RowData, more: RowData = {}) => ({
      reprice: true,
      patch_positions: [{ position: order.positions[0].id, body }],
      ...more,
    })
    const dinner = () => ({ item: server.shop.dinner, variation: server.shop.adult })
    const exchange = (
      status: number,
      order: ShownOrder,
      body: RowData,
      query = '',
      headers: Record<string, string> = {},
    ) => ask<ShownOrder>(status, 'POST', `/orders/${order.code}/change/${query}`, body, headers)
    const look = (order: ShownOrder) => ask<ShownOrder>(200, 'GET', `/orders/${order.code}/`)
    const receiptsOf = async ({ code }: ShownOrder) => {
      const { results } = await ask<{ results: readonly RowData[] }>(
        200,
        'GET',
        `/receipts/?ordering=number&order=${code}`,
      )
      return results.map(({ type, total, lines, payments }) => [
        type,
        total,
        (lines as RowData[]).map(({ text, amount }) => `${text} ${amount}`),
        (payments as RowData[]).map(({ provider, amount }) => `${provider} ${amount}`),
      ])
    }
    const cash = (amount: string) => [{ provider: 'boxoffice', amount }]

    it('is priced by the server before anything is done', async () => {
      const order = await sell(server.shop.ticket)
      const preview = await exchange(200, order, to(order, dinner()), '?simulate=true')
      assert.deepEqual([preview.total, preview.positions[0].price], ['40.00', '40.00'])
      const now = await look(order)
      assert.deepEqual([now.total, now.status, now.positions[0].item], ['23.00', 'p', server.shop.ticket])
      assert.equal((await receiptsOf(order)).length, 1)
    })

    it('takes the difference with the change, and its receipt takes back and sells anew', async () => {
      const order = await sell(server.shop.ticket)
      const paid = { expected_total: '40.00', paid_by: cash('17.00') }
      const changed = await exchange(200, order, to(order, dinner(), paid))
      assert.deepEqual([changed.status, changed.total], ['p', '40.00'])
      assert.deepEqual((await receiptsOf(order)).at(-1), [
        ...['sale', '17.00', ['Ticket -23.00', 'Dinner Adult 40.00']],
        ['boxoffice 17.00'],
      ])
    })

    it('gives the difference back with the change', async () => {
      const order = await sell(server.shop.dinner, { variation: server.shop.adult })
      const back = { expected_total: '15.00', refund_by: cash('25.00') }
      const changed = await exchange(
        200,
        order,
        to(order, { variation: server.shop.child }, back),
        '?refund=true',
      )
      assert.deepEqual([changed.status, changed.total], ['p', '15.00'])
      assert.deepEqual((await receiptsOf(order)).at(-1), [
        ...['refund', '-25.00', ['Dinner Adult -40.00', 'Dinner Child 15.00']],
        ['boxoffice -25.00'],
      ])
      assert.equal((await look(order)).status, 'p')
    })

    it('moves no money where both cost the same, and says so on a receipt', async () => {
      const order = await sell(server.shop.dinner, { variation: server.shop.adult })
      await exchange(200, order, {
        create_positions: [{ item: server.shop.dinner, variation: server.shop.adult }],
        cancel_positions: [{ position: order.positions[0].id }],
        expected_total: '40.00',
      })
      const last = (await receiptsOf(order)).at(-1)
      assert.deepEqual(last, ['sale', '0.00', ['Dinner Adult -40.00', 'Dinner Adult 40.00'], []])
    })

    it('leaves everything as it was where the total is another, or the money is not the difference', async () => {
      const order = await sell(server.shop.ticket)
      const before = await look(order)
      const body = (more: RowData) => to(order, dinner(), more)
      const wrong = await exchange(400, order, body({ expected_total: '39.00', paid_by: cash('17.00') }))
      assert.match(JSON.stringify(wrong), /would cost 40\.00/)
      await exchange(400, order, body({ paid_by: cash('16.99') }))
      await exchange(400, order, body({ paid_by: cash('-17.00') }))
      await exchange(400, order, body({ refund_by: cash('17.00') }), '?refund=true')
      await exchange(400, order, body({ refund_by: cash('17.00') }))
      await exchange(400, order, body({}), '?refund=true')
      assert.deepEqual(await look(order), before)
    })

    it('is refused where nothing is left of the other product', async () => {
      const order = await sell(server.shop.ticket)
      await sell(server.shop.rare)
      await sell(server.shop.rare)
      const said = await exchange(400, order, to(order, { item: server.shop.rare }), '?simulate=true')
      assert.match(JSON.stringify(said), /Rare/)
    })

    it('is done once for its key', async () => {
      const order = await sell(server.shop.ticket)
      const body = to(order, dinner(), { expected_total: '40.00', paid_by: cash('17.00') })
      const key = { 'X-Idempotency-Key': `exchange-${order.code}` }
      const first = await exchange(200, order, body, '', key)
      assert.deepEqual(await exchange(200, order, body, '', key), first)
      assert.equal((await receiptsOf(order)).length, 2)
    })
  })

describe('what an exchange needs at a station', () => {
  const path = '/api/v1/organizers/acme/events/gala/orders/ABCDE/change/'
  it('is the right to cancel, that to refund where money goes back, and none to look at its price', () => {
    assert.equal(rightFor('POST', path), 'cancel')
    assert.equal(rightFor('POST', path, { refund: 'true' }), 'refund')
    assert.equal(rightFor('POST', path, { simulate: 'true', refund: 'true' }), null)
    assert.equal(rightFor('POST', path, { simulate: 'false' }), 'cancel')
  })
})
