import assert from 'node:assert/strict'
import { engines } from '../../support/engines/engines.ts'
import { addList, type ShopServer, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`checking in with the sale, on ${engine.name}`, () => {
    let server: ShopServer
    let door: number
    let tickets: number
    before(async () => {
      server = await startShop(await engine.open())
      door = await addList(server, { auto_checkin_sales_channels: ['boxoffice'] })
      tickets = await addList(server, {
        auto_checkin_sales_channels: ['boxoffice', 'web'],
        all_products: false,
        limit_products: [server.shop.ticket],
      })
      await addList(server)
    })
    after(() => server.close())

    const lists = async (sales_channel: string, item: number, status = 'n') => {
      const order = await server.order({
        sales_channel,
        status,
        payment_provider: 'manual',
        positions: [{ item }],
      })
      return { order, entries: order.positions[0].checkins }
    }

    it('admits what the lists of the channel hold, whether it is paid or not', async () => {
      const { entries } = await lists('boxoffice', server.shop.ticket)
      assert.deepEqual(entries.map(({ list }) => list).sort(), [door, tickets])
      for (const { type, auto_checked_in, gate, device } of entries)
        assert.deepEqual([type, auto_checked_in, gate, device], ['entry', true, null, null])
    })

    it('leaves out what the lists do not hold, and other channels', async () => {
      assert.deepEqual((await lists('web', server.shop.rare)).entries, [])
      assert.deepEqual(
        (await lists('boxoffice', server.shop.rare)).entries.map(({ list }) => list),
        [door],
      )
      assert.deepEqual(
        (await lists('web', server.shop.ticket, 'p')).entries.map(({ list }) => list),
        [tickets],
      )
    })

    it('is an entry like any other, but nobody gets a message', async () => {
      const { order } = await lists('boxoffice', server.shop.ticket, 'p')
      assert.deepEqual(await server.trail(order.code), ['placed', 'paid'])
      const body = { secret: order.positions[0].secret, lists: [door] }
      const answer = await server.call('POST', `${server.org}/checkinrpc/redeem/`, body)
      assert.deepEqual([answer.status, (answer.body as { reason: string }).reason], [400, 'already_redeemed'])
    })
  })

for (const engine of engines)
  describe(`checking in by rules, on ${engine.name}`, () => {
    let server: ShopServer
    let door: number
    let side: number
    let code: string
    const rules = () => `${server.ev}/auto_checkin_rules/`
    const made = async (body: object) => {
      const answer = await server.call('POST', rules(), body)
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
    }
    beforeEach(async () => {
      server = await startShop(await engine.open())
      door = await addList(server)
      side = await addList(server, { all_products: false, limit_products: [server.shop.rare] })
    })
    afterEach(() => server.close())

    const sold = async (item: number, more: object = {}) => {
      const body = { sales_channel: 'web', status: 'n', payment_provider: 'manual', positions: [{ item }] }
      const order = await server.order({ ...body, ...more })
      code = order.code
      return order.positions[0].checkins.map(({ list }) => list)
    }
    const now = async () => {
      const answer = await server.call('GET', `${server.ev}/orders/${code}/`)
      const { positions } = answer.body as { positions: { checkins: { list: number }[] }[] }
      return positions[0]?.checkins.map(({ list }) => list)
    }
    const pay = () => server.call('POST', `${server.ev}/orders/${code}/mark_paid/`, {})

    it('admits on all lists that hold what was bought, once for each', async () => {
      await made({})
      await made({ list: door })
      assert.deepEqual(await sold(server.shop.ticket), [door])
      assert.deepEqual((await sold(server.shop.rare)).toSorted(), [door, side].toSorted())
    })

    it('admits by one rule after the other, on lists by their names, and shows the last entry first', async () => {
      const back = await addList(server, { name: 'Back' })
      await made({ mode: 'paid' })
      await made({ list: side, mode: 'placed' })
      assert.deepEqual(await sold(server.shop.rare, { status: 'p' }), [door, back, side])
    })

    it('admits what a rule is for: its list, its products and its channels', async () => {
      await made({ list: door, all_products: false, limit_products: [server.shop.rare] })
      assert.deepEqual(await sold(server.shop.ticket), [])
      assert.deepEqual(await sold(server.shop.rare), [door])
      await made({ list: side, all_sales_channels: false, limit_sales_channels: ['boxoffice'] })
      const atTheDoor = await sold(server.shop.rare, { sales_channel: 'boxoffice' })
      assert.deepEqual(atTheDoor.toSorted(), [door, side].toSorted())
    })

    it('admits who has paid, at once or later, once and in the way that is meant', async () => {
      await made({
        ...{ list: door, mode: 'paid' },
        ...{ all_payment_methods: false, limit_payment_methods: ['manual'] },
      })
      assert.deepEqual(await sold(server.shop.ticket, { status: 'p' }), [door])
      assert.deepEqual(await sold(server.shop.ticket, { status: 'p', payment_provider: 'boxoffice' }), [])
      assert.deepEqual(await sold(server.shop.ticket), [])
      assert.equal((await pay()).status, 200)
      assert.deepEqual(await now(), [door])
      await server.call('POST', `${server.ev}/orders/${code}/mark_pending/`, {})
      assert.equal((await pay()).status, 200)
      assert.deepEqual(await now(), [door])
    })

    it('goes with an event that is made after another one', async () => {
      await made({ list: door })
      await server.call('POST', `${server.ev}/clone/`, {
        ...{ name: 'Copy', slug: 'copy', date_from: '2031-01-01T10:00:00Z' },
      })
      const copy = `${server.org}/events/copy`
      const rows = async (path: string) =>
        ((await server.call('GET', `${copy}/${path}/`)).body as { results: { id: number; list: number }[] })
          .results
      const [rule] = await rows('auto_checkin_rules')
      assert.ok((await rows('checkinlists')).some(({ id }) => id === rule?.list))
    })
  })
