import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { neverTwice } from '../../support/mocha/never-twice.ts'
import { addToken } from '../../support/servers/servers.ts'
import {
  addList,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

for (const engine of engines)
  describe(`what was printed for tickets, on ${engine.name}`, () => {
    let server: ShopServer
    let order: ShownOrder
    let path: string
    before(async () => {
      server = await startShop(await engine.open(), neverTwice())
      order = await server.paidOrder()
      path = `/orderpositions/${order.positions[0].id}/printlog/`
    })
    after(() => server.close())

    const prints = (row: unknown) => (row as { print_logs: RowData[] }).print_logs

    it('is kept with its time, and shown wherever the position is', async () => {
      assert.deepEqual(prints(order.positions[0]), [])
      const print = {
        datetime: '2030-06-01T12:00:00+02:00',
        source: 'badger',
        type: 'badge',
        info: { tray: 2 },
      }
      const first = await server.ask<RowData>(201, 'POST', path, print)
      assert.deepEqual(first, {
        ...{ ...print, id: first.id, datetime: '2030-06-01T10:00:00Z', successful: true, device_id: null },
      })
      const second = await server.ask<RowData>(201, 'POST', path, {
        ...{ source: 'badger', type: 'other', successful: false },
      })
      assert.deepEqual([second.successful, second.info], [false, {}])
      const both = [first, second]
      const list = await server.ask<ShownPage<RowData>>(200, 'GET', path)
      assert.deepEqual([list.count, list.results], [2, both])
      const next = await server.ask<ShownPage<RowData>>(200, 'GET', `${path}?page=2&page_size=1`)
      assert.deepEqual([next.count, next.results], [2, [second]])

      const again = await server.ask<ShownOrder>(200, 'GET', `/orders/${order.code}/`)
      assert.deepEqual(prints(again.positions[0]), both)
      assert.ok(Date.parse(again.last_modified) > Date.parse(order.last_modified))
      const { id } = order.positions[0]
      assert.deepEqual(prints(await server.ask(200, 'GET', `/orderpositions/${id}/`)), both)
      const door = await addList(server)
      assert.deepEqual(prints(await server.ask(200, 'GET', `/checkinlists/${door}/positions/${id}/`)), both)
      const scan = await server.call('POST', `${server.org}/checkinrpc/redeem/`, {
        ...{ secret: order.positions[0].secret, lists: [door] },
      })
      assert.deepEqual(prints((scan.body as { position: RowData }).position), both)
      assert.deepEqual((await server.trail(order.code)).slice(-3, -1), ['print', 'print'])
    })

    it('names the device that printed', async () => {
      const { running, organizer } = server
      await running.transactions.write((tx) => addDevice(tx, organizer, 7, 'printer'))
      const answer = await server.call(
        'POST',
        `${server.ev}${path}`,
        { source: 'till', type: 'ticket' },
        { Authorization: 'Device printer' },
      )
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      assert.equal((answer.body as RowData).device_id, 7)
    })

    it('is refused when it says nothing that can be kept', async () => {
      for (const [body, fields] of [
        [{}, ['source', 'type']],
        [{ source: 'x', type: 'poster' }, ['type']],
        [{ source: 'x'.repeat(256), type: 'badge' }, ['source']],
        [{ source: 'x', type: 'badge', datetime: 'soon' }, ['datetime']],
        [{ source: 'x', type: 'badge', info: [] }, ['info']],
      ] as const)
        assert.deepEqual(Object.keys(await server.ask<object>(400, 'POST', path, body)).sort(), fields)
      await server.ask(404, 'POST', '/orderpositions/999999/printlog/', { source: 'x', type: 'badge' })
      await server.ask(404, 'GET', '/orderpositions/999999/printlog/')
      await server.ask(405, 'PUT', path, {})
    })

    it('is sent by who may scan, and read by who may look at orders', async () => {
      await server.running.transactions.write(async (tx) => {
        await addToken(tx, server.organizer, 'scan', { all_events: true, can_checkin_orders: true })
        await addToken(tx, server.organizer, 'look', { all_events: true, can_view_orders: true })
      })
      const as = async (token: string, method: string, body?: RowData) =>
        (await server.call(method, server.ev + path, body, { Authorization: `Token ${token}` })).status
      const print = { source: 'x', type: 'badge' }
      assert.deepEqual([await as('scan', 'POST', print), await as('scan', 'GET')], [201, 403])
      assert.deepEqual([await as('look', 'POST', print), await as('look', 'GET')], [403, 200])
    })

    it('goes with an order of the test mode', async () => {
      const test = await server.order({ testmode: true, positions: [{ item: server.shop.ticket }] })
      const own = `/orderpositions/${test.positions[0].id}/printlog/`
      await server.ask(201, 'POST', own, { source: 'x', type: 'badge' })
      await server.ask(204, 'DELETE', `/orders/${test.code}/`)
      await server.ask(404, 'GET', own)
    })
  })
