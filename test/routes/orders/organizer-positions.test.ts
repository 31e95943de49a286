import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import { addEvent, addToken } from '../../support/servers/servers.ts'
import {
  addSeries,
  type Series,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  type ShownPosition,
  startShop,
} from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`the positions and orders of all events, on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    let order: ShownOrder
    let other: ShownOrder
    before(async () => {
      server = await startShop(await engine.open())
      series = await addSeries(server)
      order = await server.order({ positions: [{ item: server.shop.ticket }, { item: server.shop.ticket }] })
      const made = await server.call('POST', `${series.ev}/orders/`, {
        positions: [{ item: series.item, subevent: series.first, attendee_name: 'Zoe' }],
      })
      assert.equal(made.status, 201)
      other = made.body as ShownOrder
      await server.ask(204, 'DELETE', `/orderpositions/${order.positions[1]?.id}/`)
      await server.running.transactions.write(async (tx) => {
        await addEvent(tx, server.organizer, 'empty', {})
        const limited = { can_view_orders: true, limit_events: ['empty', 'series'] }
        await addToken(tx, server.organizer, 'limited', limited)
        await addToken(tx, server.organizer, 'nowhere', { can_view_orders: true, limit_events: [] })
        await addToken(tx, server.organizer, 'blind', { all_events: true })
      })
    })
    after(() => server.close())

    const all = (path = '', token?: string) =>
      server.call(
        'GET',
        `${server.org}/${path}`,
        undefined,
        token === undefined ? {} : { Authorization: `Token ${token}` },
      )
    const listed = async (query = '', token?: string) => {
      const { status, body } = await all(`orderpositions/?${query}`, token)
      assert.equal(status, 200)
      const { count, results } = body as ShownPage<ShownPosition>
      return [count, ...results.map(({ event, positionid }) => `${event} ${positionid}`)]
    }

    it('are listed with their events, the oldest order first', async () => {
      assert.deepEqual(await listed(), [2, 'gala 1', 'series 1'])
      assert.deepEqual(await listed('include_canceled_positions=true'), [3, 'gala 1', 'gala 2', 'series 1'])
      assert.deepEqual(await listed('ordering=-order__datetime'), [2, 'series 1', 'gala 1'])
      assert.deepEqual(await listed('search=zoe'), [1, 'series 1'])
      assert.deepEqual(await listed(`subevent=${series.first}`), [1, 'series 1'])
      assert.deepEqual(await listed(`order=${order.code}`), [1, 'gala 1'])
      assert.deepEqual(await listed('page_size=1&page=2'), [2, 'series 1'])
    })

    it('are shown as they are in their event', async () => {
      const [position] = other.positions
      const path = `orderpositions/${position.id}/`
      const own = await server.call('GET', `${series.ev}/${path}`)
      assert.deepEqual((await all(path)).body, { ...(own.body as object), event: 'series' })
      assert.deepEqual((await all(`orders/${other.code}/`)).body, other)
      const item = ((await all(`${path}?expand=item&include=item`)).body as { item: { id: number } }).item
      assert.equal(item.id, series.item)
      const canceled = `orderpositions/${order.positions[1]?.id}/`
      assert.equal((await all(canceled)).status, 404)
      assert.equal((await all(`${canceled}?include_canceled_positions=true`)).status, 200)
      for (const none of ['orderpositions/1/', 'orders/NONE/', `orders/${other.code.toLowerCase()}/`])
        assert.equal((await all(none)).status, 404, none)
    })

    it('are those of the events whose orders may be seen, and only read', async () => {
      assert.deepEqual(await listed('', 'limited'), [1, 'series 1'])
      assert.deepEqual(await listed('search=zoe', 'limited'), [1, 'series 1'])
      assert.deepEqual(await listed(`order=${order.code}`, 'limited'), [0])
      assert.deepEqual(await listed('', 'nowhere'), [0])
      const hidden = [`orderpositions/${order.positions[0].id}/`, `orders/${order.code}/`]
      for (const path of hidden) {
        assert.equal((await all(path, 'limited')).status, 404)
        assert.equal((await all(path)).status, 200)
        for (const method of ['PATCH', 'DELETE', 'POST'])
          assert.equal((await server.call(method, `${server.org}/${path}`, {})).status, 405)
      }
      for (const path of ['orderpositions/', 'orders/', ...hidden])
        assert.equal((await all(path, 'blind')).status, 403)
    })

    it('are read from the index by time, without sorting them all', async () => {
      const { database } = server.running.transactions
      if (database.engine !== 'sqlite') return
      const plan = await database.all<{ detail: string }>(
        sql`EXPLAIN QUERY PLAN SELECT p.id FROM orders o CROSS JOIN order_position p
            WHERE p.organizer = 1 AND p.canceled = 0 AND o.organizer = 1 AND p.order_id = o.id
            ORDER BY o.datetime, p.positionid, p.id LIMIT 50`,
      )
      const steps = plan.map(({ detail }) => detail).join('\n')
      assert.match(steps, /SEARCH o USING (COVERING )?INDEX order_of_organizer_by_time/)
      assert.match(steps, /USE TEMP B-TREE FOR LAST 2 TERMS OF ORDER BY|RIGHT PART OF ORDER BY/)
    })
  })
