import assert from 'node:assert/strict'
import { engines } from '../../support/engines/engines.ts'
import { neverTwice } from '../../support/mocha/never-twice.ts'
import {
  addCustomer,
  addList,
  type ShopServer,
  type ShownPage,
  type ShownPosition,
  startShop,
} from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`a list of positions, on ${engine.name}`, () => {
    let server: ShopServer
    let positions: ShownPosition[]
    before(async () => {
      server = await startShop(await engine.open(), neverTwice())
      const { ticket, dinner, child, free } = server.shop
      await addCustomer(server, 'CUST1')
      const first = await server.paidOrder({
        ...{ code: 'ZEBRA', email: 'z@example.org' },
        positions: [
          { positionid: 1, item: ticket, attendee_name: 'Zoe Zimmer', secret: 'first-secret' },
          { positionid: 2, item: dinner, variation: child, addon_to: 1 },
          { positionid: 3, item: free, attendee_name: 'émile' },
        ],
      })
      const second = await server.order({
        ...{ code: 'ALPHA', customer: 'CUST1' },
        positions: [{ item: ticket, attendee_name: 'Anna' }, { item: ticket }],
      })
      positions = [...first.positions, ...second.positions]
      await server.ask(204, 'DELETE', `/orderpositions/${second.positions[1]?.id}/`)
      const list = await addList(server)
      await server.call('POST', `${server.org}/checkinrpc/redeem/`, { secret: 'first-secret', lists: [list] })
    })
    after(() => server.close())

    /** The found positions as their places in the order in which they were created. */
    const places = async (query: string): Promise<string> => {
      const page = await server.ask<ShownPage<ShownPosition>>(200, 'GET', `/orderpositions/?${query}`)
      assert.equal(page.count, page.results.length)
      const all = await server.call('GET', `${server.org}/orderpositions/?${query}`)
      assert.deepEqual(all.body, {
        ...page,
        results: page.results.map((one) => ({ ...one, event: 'gala' })),
      })
      return page.results.map(({ id }) => positions.findIndex((one) => one.id === id)).join('')
    }

    const cases: readonly (readonly [query: string | (() => string), found: string])[] = [
      ['', '0123'],
      ['include_canceled_positions=true', '01234'],
      ['order=alpha', '3'],
      ['order__status=p', '012'],
      ['order__status__in=n,p', '0123'],
      ['order__status=e', ''],
      ['customer=CUST1', '3'],
      ['attendee_name=ZOE zimmer', '01'],
      ['attendee_name=Zoe', ''],
      ['secret=first-secret', '0'],
      ['secret=first', ''],
      ['has_checkin=true', '0'],
      ['has_checkin=false', '123'],
      ['search=zimmer', '01'],
      ['search=z@example', '012'],
      ['search=first-', '0'],
      ['search=emile', '2'],
      ['search=zebra', '012'],
      ['search=an', '3'],
      ['ordering=order__code', '3012'],
      ['ordering=-order__code,-positionid', '2103'],
      ['ordering=attendee_name', '1320'],
      ['ordering=-attendee_name', '0231'],
      ['ordering=order__status,positionid', '3012'],
      ['ordering=-order__datetime', '3012'],
      ['ordering=positionid', '0312'],
      ['ordering=nonsense', '0123'],
      [() => `item=${server.shop.ticket}`, '03'],
      [() => `item__in=${server.shop.ticket},${server.shop.free}`, '023'],
      [() => `item=${server.shop.ticket}&order__status=p`, '0'],
      [() => `variation=${server.shop.child}`, '1'],
      [() => `variation__in=${server.shop.child}`, '1'],
      [() => `addon_to=${positions[0]?.id}`, '1'],
      [() => `addon_to__in=${positions[0]?.id},${positions[2]?.id}`, '1'],
      [() => `pseudonymization_id=${positions[2]?.pseudonymization_id}`, '2'],
      ['subevent=5', ''],
      ['voucher=5', ''],
    ]
    for (const [query, found] of cases)
      it(`finds ${found || 'nothing'} by ${typeof query === 'string' ? query || 'nothing' : query.toString().slice(6)}`, async () => {
        assert.equal(await places(typeof query === 'string' ? query : query()), found)
      })

    it('refuses values that are none', async () => {
      for (const query of ['item=x', 'item__in=1,x', 'has_checkin=maybe', 'subevent=x', 'addon_to=x'])
        await server.ask(400, 'GET', `/orderpositions/?${query}`)
    })

    it('shows each position as its order does', async () => {
      const page = await server.ask<ShownPage<ShownPosition>>(
        200,
        'GET',
        '/orderpositions/?item=0&order=zebra',
      )
      assert.deepEqual(page.results, [])
      const { results } = await server.ask<ShownPage<ShownPosition>>(
        200,
        'GET',
        '/orderpositions/?order=zebra',
      )
      const order = await server.ask<{ positions: unknown }>(200, 'GET', '/orders/ZEBRA/')
      assert.deepEqual(results, order.positions)
      assert.equal(results[0]?.checkins.length, 1)
      assert.deepEqual(await server.ask(200, 'GET', `/orderpositions/${results[1]?.id}/`), results[1])
    })

    it('comes in pages', async () => {
      const page = await server.ask<ShownPage<ShownPosition>>(
        200,
        'GET',
        '/orderpositions/?page_size=3&page=2',
      )
      assert.deepEqual([page.count, page.results.map(({ id }) => id)], [4, [positions[3]?.id]])
      await server.ask(404, 'GET', '/orderpositions/?page=3')
    })

    it('lists the codes that were revoked, the newest first, and from a time on', async () => {
      const [first] = positions
      const started = await server.call('GET', `${server.ev}/revokedsecrets/`)
      const generated = encodeURIComponent(started.headers.get('X-Page-Generated') ?? '')
      assert.notEqual(generated, '')
      await server.ask(200, 'POST', `/orderpositions/${first?.id}/regenerate_secrets/`)
      const list = (query: string) =>
        server.ask<ShownPage<{ id: number; secret: string; created: string }>>(
          200,
          'GET',
          `/revokedsecrets/?${query}`,
        )
      const page = await list(`created_since=${generated}`)
      assert.deepEqual(
        page.results.map(({ secret }) => secret),
        ['first-secret'],
      )
      assert.deepEqual(Object.keys(page.results[0] ?? {}).sort(), ['created', 'id', 'secret'])
      assert.equal((await list('created_since=2999-01-01T00:00:00Z')).count, 0)
      await server.ask(405, 'POST', '/revokedsecrets/', {})
    })
  })
