import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { asking, resultsOf } from '../../support/servers/asking.ts'
import { type ShopServer, type ShownOrder, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`memberships that come with tickets, on ${engine.name}`, () => {
    let server: ShopServer
    let type: number
    let pass: number
    let ann: string
    const ask = asking(() => server)
    const given = async (of = ann) =>
      resultsOf(await ask('GET', `${server.org}/memberships/?customer=${of}`, 200))
    const move = (order: ShownOrder, path: string, body: RowData = {}) =>
      server.ask(200, 'POST', `/orders/${order.code}/${path}/`, body)
    const buy = (values: RowData = {}) =>
      server.order({
        customer: ann,
        positions: [{ item: pass, attendee_name_parts: { given_name: 'Ann' } }],
        ...values,
      })

    before(async () => {
      server = await startShop(await engine.open())
      const season = await ask('POST', `${server.org}/membershiptypes/`, 201, { name: 'Season' })
      type = Number(season.id)
      pass = Number(
        (
          await ask('POST', `${server.ev}/items/`, 201, {
            ...{ name: 'Pass', default_price: '99.00', grant_membership_type: type },
          })
        ).id,
      )
      await ask('POST', `${server.ev}/quotas/`, 201, { name: 'Passes', size: null, items: [pass] })
    })
    beforeEach(async () => {
      ann = String((await ask('POST', `${server.org}/customers/`, 201, {})).identifier)
    })
    after(() => server.close())

    it('are given once the order is paid, and as long as it is', async () => {
      const order = await buy()
      assert.deepEqual(await given(), [])
      await move(order, 'mark_paid')
      const [one, ...others] = await given()
      assert.deepEqual(others, [])
      const { id, ...rest } = one ?? {}
      assert.ok(id)
      assert.deepEqual(rest, {
        ...{ customer: ann, membership_type: type, testmode: false },
        ...{ date_start: '2030-06-01T10:00:00Z', date_end: '2030-06-01T21:59:59Z' },
        attendee_name_parts: { _scheme: 'given_family', given_name: 'Ann' },
      })
      await move(order, 'mark_pending')
      assert.deepEqual(await given(), [])
      await move(order, 'mark_paid')
      assert.equal((await given()).length, 1)
      await move(order, 'mark_canceled')
      assert.deepEqual(await given(), [])
    })

    it('are given with every ticket, and kept as somebody has changed them', async () => {
      const order = await buy({
        ...{ status: 'p', payment_provider: 'manual', testmode: true },
        positions: [{ item: pass }, { item: pass }, { item: server.shop.free }],
      })
      const [one, two, ...others] = await given()
      assert.deepEqual([others.length, one?.testmode, two?.testmode], [0, true, true])
      const path = `${server.org}/memberships/${two?.id}/`
      await ask('PATCH', path, 200, { date_end: '2040-01-01T00:00:00Z' })
      await ask('PATCH', `${server.ev}/orders/${order.code}/`, 200, { comment: 'x' })
      assert.equal((await ask('GET', path, 200)).date_end, '2040-01-01T00:00:00Z')
      await server.ask(204, 'DELETE', `/orderpositions/${order.positions[0].id}/`)
      assert.deepEqual(
        (await given()).map(({ id }) => id),
        [two?.id],
      )
      await server.ask(204, 'DELETE', `/orders/${order.code}/`)
      assert.deepEqual(await given(), [])
    })

    it('are nobody’s where nobody is named, and somebody unknown is refused', async () => {
      const before = await countAll()
      await server.order({ status: 'p', payment_provider: 'manual', positions: [{ item: pass }] })
      assert.equal(await countAll(), before)
      const refused = await server.ask<RowData>(400, 'POST', '/orders/', {
        ...{ customer: 'NOBODY', positions: [{ item: pass }] },
      })
      assert.deepEqual(Object.keys(refused), ['customer'])
    })

    const countAll = async (): Promise<number> => {
      const { database } = server.running.transactions
      const row = await database.get<{ count: number }>(sql`SELECT count(*) AS count FROM membership`)
      return Number(row?.count)
    }
  })
