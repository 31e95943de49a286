import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { engines } from '../../support/engines/engines.ts'
import {
  addList,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`changing an order, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const change = (order: ShownOrder, body: unknown) =>
      server.ask<ShownOrder>(200, 'PATCH', `/orders/${order.code}/`, body)
    const found = async (text: string): Promise<string[]> => {
      const page = await server.ask<ShownPage<ShownOrder>>(200, 'GET', `/orders/?search=${text}`)
      return page.results.map(({ code }) => code)
    }

    it('sets what may be set, and leaves the rest', async () => {
      const order = await server.order({ positions: [{ item: server.shop.ticket }] })
      const said = {
        ...{ email: 'new@example.org', phone: '110', comment: 'VIP', custom_followup_at: '2031-02-03' },
        ...{ checkin_attention: true, checkin_text: 'Say hello', valid_if_pending: true },
        expires: '2036-01-01T10:00:00Z',
      }
      const fixed = {
        code: 'OTHER',
        status: 'p',
        testmode: true,
        total: '0.00',
        positions: [],
        require_approval: true,
      }
      const { last_modified, ...changed } = await change(order, { ...said, ...fixed })
      const { last_modified: before, ...rest } = order
      assert.ok(Date.parse(last_modified) >= Date.parse(before))
      // Its tickets can be had now, which others look at.
      const withoutFiles = (one: Pick<ShownOrder, 'positions'>) => ({
        ...one,
        downloads: [],
        positions: one.positions.map((position) => ({ ...position, downloads: [] })),
      })
      assert.deepEqual(withoutFiles(changed), { ...rest, ...said })
      assert.deepEqual(await server.trail(order.code), [
        ...['placed', 'contact.changed', 'comment', 'custom_followup_at', 'checkin_attention'],
        ...['checkin_text', 'valid_if_pending', 'expirychanged'],
      ])
    })

    it('leaves no trace where nothing is different', async () => {
      const order = await server.order({
        ...{ email: 'same@example.org', comment: 'x', invoice_address: { name: 'Ann', country: 'DE' } },
        positions: [{ item: server.shop.ticket }],
      })
      const address = { name: 'Ann', country: 'DE' }
      const same = {
        email: 'same@example.org',
        comment: 'x',
        invoice_address: address,
        expires: order.expires,
      }
      assert.deepEqual(await change(order, same), order)
      assert.deepEqual(await server.trail(order.code), ['placed'])
    })

    it('replaces the invoice address as a whole, or takes it away', async () => {
      const order = await server.order({
        invoice_address: { company: 'Acme', vat_id: 'DE1', vat_id_validated: true, country: 'DE' },
        positions: [{ item: server.shop.ticket }],
      })
      const changed = await change(order, { invoice_address: { vat_id: 'DE2', country: 'AT' } })
      const address = changed.invoice_address as Record<string, unknown>
      assert.deepEqual(
        [address.company, address.vat_id, address.vat_id_validated, address.country],
        ['', 'DE2', false, 'AT'],
      )
      assert.equal((await change(order, { invoice_address: null })).invoice_address, null)
      assert.deepEqual(await server.trail(order.code), ['placed', 'modified', 'modified'])
    })

    it('asks for another look at a number for VAT that has changed, and at no other', async () => {
      const order = await server.order({
        invoice_address: { vat_id: 'DE1', country: 'DE' },
        positions: [{ item: server.shop.ticket }],
      })
      const proven = async (vat_id: string) => {
        const sent = { invoice_address: { vat_id, vat_id_validated: true, country: 'DE' } }
        return ((await change(order, sent)).invoice_address as Record<string, unknown>).vat_id_validated
      }
      assert.deepEqual([await proven('DE1'), await proven('DE2'), await proven('DE2')], [true, false, true])
    })

    it('is found by its new words, and not by the old ones', async () => {
      const order = await server.order({
        ...{ email: 'oldmail@example.org', invoice_address: { company: 'Oldcompany' } },
        positions: [{ item: server.shop.ticket }],
      })
      assert.deepEqual([await found('oldmail'), await found('oldcompany')], [[order.code], [order.code]])
      await change(order, { email: 'newmail@example.org', invoice_address: { company: 'Newcompany' } })
      assert.deepEqual([await found('oldmail'), await found('oldcompany')], [[], []])
      assert.deepEqual([await found('newmail'), await found('newcompany')], [[order.code], [order.code]])
    })

    it('refuses what is wrong, and PUT', async () => {
      const order = await server.order({ positions: [{ item: server.shop.ticket }] })
      for (const [body, field] of [
        [{ email: 'nobody' }, 'email'],
        [{ locale: 'xx' }, 'locale'],
        [{ locale: null }, 'locale'],
        [{ custom_followup_at: 'soon' }, 'custom_followup_at'],
        [{ invoice_address: 'x' }, 'invoice_address'],
        [{ invoice_address: { country: 'XX' } }, 'invoice_address'],
        [{ expires: null }, 'expires'],
      ] as const) {
        const errors = await server.ask<object>(400, 'PATCH', `/orders/${order.code}/`, body)
        assert.deepEqual(Object.keys(errors), [field])
      }
      await server.ask(405, 'PUT', `/orders/${order.code}/`, {})
      assert.deepEqual(await server.ask(200, 'GET', `/orders/${order.code}/`), order)
    })

    it('deletes orders of the test mode with all that hangs on them, and no others', async () => {
      await addList(server, { auto_checkin_sales_channels: ['boxoffice'] })
      const { ticket, dinner, child } = server.shop
      const order = await server.order({
        ...{
          testmode: true,
          sales_channel: 'boxoffice',
          payment_provider: 'manual',
          email: 'gone@example.org',
        },
        fees: [{ fee_type: 'other', value: '1.00' }],
        positions: [
          { positionid: 1, item: ticket, attendee_name: 'Gone Soon' },
          { positionid: 2, item: dinner, variation: child, addon_to: 1 },
        ],
      })
      await server.ask(200, 'POST', `/orders/${order.code}/regenerate_secrets/`)
      assert.deepEqual(await found('gone soon'), [order.code])
      const { database } = server.running.transactions
      const left = async (): Promise<unknown> =>
        database.get(sql`SELECT (SELECT count(*) FROM order_position) AS positions, (SELECT count(*) FROM orders) AS orders,
          (SELECT count(*) FROM order_payment) AS payments, (SELECT count(*) FROM order_fee) AS fees,
          (SELECT count(*) FROM checkin) AS checkins, (SELECT count(*) FROM position_search) AS words`)
      const before = (await left()) as Record<string, number>
      await server.ask(204, 'DELETE', `/orders/${order.code}/`)
      await server.ask(404, 'GET', `/orders/${order.code}/`)
      assert.deepEqual(await found('gone soon'), [])
      const counts = Object.entries((await left()) as Record<string, number>)
      const gone = { positions: 2, orders: 1, payments: 1, fees: 1, checkins: 2, words: 2 }
      assert.deepEqual(
        Object.fromEntries(counts.map(([name, count]) => [name, Number(before[name]) - count])),
        gone,
      )
      const kept = await server.order({ positions: [{ item: ticket }] })
      await server.ask(403, 'DELETE', `/orders/${kept.code}/`)
      await server.ask(404, 'DELETE', '/orders/NOSUCH/')
    })
  })
