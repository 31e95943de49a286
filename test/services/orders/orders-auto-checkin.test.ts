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
