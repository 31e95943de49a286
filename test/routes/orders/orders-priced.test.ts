import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { discount } from '../../../schema/resources/catalogue/discount.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import {
  addRow,
  addSeries,
  type ShopServer,
  type ShownOrder,
  startShop,
} from '../../support/ticketing/orders.ts'
import { sellBySeat } from '../../support/ticketing/seats.ts'

for (const engine of engines)
  describe(`what an order brings and costs, on ${engine.name}`, () => {
    let server: ShopServer
    let last = 0
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const place = () => ({ organizer: server.organizer, event: server.event })
    const add = (resource: Parameters<typeof addRow>[1], values: RowData) =>
      server.running.transactions.write((tx) => addRow(tx, resource, place(), values))
    /** A voucher; its code, which is stored in capitals. */
    const addVoucher = async (values: RowData = {}) => {
      last += 1
      const code = `VOUCHER${last}`
      return { id: await add(voucher, { code, ...values }), code }
    }
    const voucherNow = async (id: number) => {
      const row = await server.running.transactions.database.get<{ redeemed: number; budget_used: number }>(
        sql`SELECT redeemed, budget_used FROM voucher WHERE id = ${id}`,
      )
      return [Number(row?.redeemed), Number(row?.budget_used)]
    }
    const ticket = (values: RowData = {}) => ({ item: server.shop.ticket, ...values })
    const prices = (order: ShownOrder) => order.positions.map(({ price }) => price)
    const wrong = async (body: RowData) => {
      const answer = await server.ask<{ positions: object[] }>(400, 'POST', '/orders/', body)
      return answer.positions.map((one) => Object.keys(one))
    }
    const act = (order: ShownOrder, action: string) =>
      server.ask<ShownOrder>(200, 'POST', `/orders/${order.code}/${action}/`)

    describe('with vouchers', () => {
      it('costs what a voucher makes of the listed price, unless a price was sent', async () => {
        const cases: readonly (readonly [RowData, string])[] = [
          [{ price_mode: 'set', value: '10.00' }, '10.00'],
          [{ price_mode: 'subtract', value: '3.01' }, '19.99'],
          [{ price_mode: 'subtract', value: '30.00' }, '0.00'],
          [{ price_mode: 'percent', value: '33.33' }, '15.33'],
          [{ price_mode: 'none', value: '5.00' }, '23.00'],
        ]
        for (const [values, price] of cases) {
          const { id, code } = await addVoucher(values)
          const order = await server.order({ positions: [ticket({ voucher: code.toLowerCase() })] })
          assert.deepEqual([prices(order), order.positions[0].voucher], [[price], id])
          assert.equal((await voucherNow(id))[0], 1)
          const found = await server.ask<{ results: RowData[] }>(
            200,
            'GET',
            `/orderpositions/?voucher__code=${code.toLowerCase()}`,
          )
          assert.deepEqual(
            found.results.map((row) => row.id),
            [order.positions[0].id],
          )
        }
        const { code } = await addVoucher({ price_mode: 'set', value: '10.00' })
        const sent = await server.order({ positions: [ticket({ voucher: code, price: '12.00' })] })
        assert.deepEqual(prices(sent), ['12.00'])
      })

      it('refuses vouchers that are not for this, aligned with the positions', async () => {
        const used = await addVoucher({ max_usages: 2 })
        const body = { positions: [ticket({ voucher: used.code }), ticket({ voucher: used.code })] }
        assert.deepEqual(await wrong({ positions: [...body.positions, ticket({ voucher: used.code })] }), [
          [],
          [],
          ['voucher'],
        ])
        await server.order(body)
        assert.deepEqual(await wrong(body), [['voucher'], ['voucher']])
        const other = await addVoucher({ item: server.shop.dinner })
        const old = await addVoucher({ valid_until: '2020-01-01T00:00:00.000000Z' })
        assert.deepEqual(
          await wrong({
            positions: [ticket(), ticket({ voucher: other.code }), ticket({ voucher: old.code })],
          }),
          [[], ['voucher'], ['voucher']],
        )
        const good = await addVoucher()
        assert.deepEqual(
          await wrong({
            positions: [
              ticket({ positionid: 1 }),
              ticket({ positionid: 2, addon_to: 1, voucher: good.code }),
            ],
          }),
          [[], ['voucher']],
        )
        assert.deepEqual(await voucherNow(good.id), [0, 0])
      })

      it('takes no more off than is left of a budget', async () => {
        const { id, code } = await addVoucher({
          ...{ max_usages: 9, price_mode: 'set', value: '13.00', budget: '15.00' },
        })
        const order = await server.order({
          positions: [ticket({ voucher: code }), ticket({ voucher: code })],
        })
        assert.deepEqual(prices(order), ['13.00', '18.00'])
        assert.deepEqual(await voucherNow(id), [2, 1500])
        assert.deepEqual(await wrong({ positions: [ticket({ voucher: code })] }), [['voucher']])
        await act(order, 'mark_canceled')
        assert.deepEqual(await voucherNow(id), [0, 0])
        assert.deepEqual(await wrong({ positions: [ticket({ voucher: code, price: '1.00' })] }), [
          ['voucher'],
        ])
        await server.order({ positions: [ticket({ voucher: code, price: '8.00' })] })
        assert.deepEqual(await voucherNow(id), [1, 1500])
        await server.ask(400, 'POST', `/orders/${order.code}/reactivate/`)
      })

      it('can be used again once a ticket or an order is canceled, and not by the order that comes back', async () => {
        const { id, code } = await addVoucher({ max_usages: 2 })
        const order = await server.order({
          positions: [ticket({ voucher: code }), ticket({ voucher: code }), ticket()],
        })
        await server.ask(204, 'DELETE', `/orderpositions/${order.positions[0].id}/`)
        assert.deepEqual(await voucherNow(id), [1, 0])
        await act(order, 'mark_canceled')
        assert.deepEqual(await voucherNow(id), [0, 0])
        await act(order, 'reactivate')
        assert.deepEqual(await voucherNow(id), [1, 0])
        await act(order, 'mark_canceled')
        await server.order({ positions: [ticket({ voucher: code }), ticket({ voucher: code })] })
        await server.ask(400, 'POST', `/orders/${order.code}/reactivate/`)
      })

      it('needs no quota with a voucher that keeps or ignores one', async () => {
        const item1 = await add(item, { name: { en: 'Last' }, default_price: '1.00' })
        await add(quota, { name: 'Last', size: 1, items: [item1] })
        const kept = await addVoucher({ item: item1, block_quota: true })
        assert.deepEqual(await wrong({ positions: [{ item: item1 }] }), [['item']])
        const order = await server.order({ positions: [{ item: item1, voucher: kept.code }] })
        const free = await addVoucher({ item: item1, allow_ignore_quota: true })
        await server.order({ positions: [{ item: item1, voucher: free.code }] })
        assert.deepEqual(await wrong({ positions: [{ item: item1 }] }), [['item']])
        await act(order, 'mark_canceled')
        assert.equal((await act(order, 'reactivate')).status, 'n')
      })

      it('gives the last use to one of many who want it at the same time', async () => {
        const { id, code } = await addVoucher({ max_usages: 3 })
        const body = { positions: [ticket({ voucher: code })] }
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => server.call('POST', `${server.ev}/orders/`, body)),
        )
        assert.deepEqual(
          [201, 400].map((status) => answers.filter((one) => one.status === status).length),
          [3, 17],
        )
        assert.deepEqual(await voucherNow(id), [3, 0])
      })
    })

    it('stores nothing when it is simulated', async () => {
      const { id, code } = await addVoucher({ price_mode: 'set', value: '5.00' })
      const order = await server.order({ simulate: true, positions: [ticket({ voucher: code })] })
      assert.deepEqual([order.code, prices(order)], ['PREVIEW', ['5.00']])
      assert.deepEqual(await voucherNow(id), [0, 0])
    })

    it('is made of carts, which give what they hold', async () => {
      const item1 = await add(item, { name: { en: 'Cart' }, default_price: '1.00' })
      await add(quota, { name: 'Cart', size: 2, items: [item1] })
      const one = await addVoucher({ item: item1 })
      const cart_id = 'one@api'
      const hold = (values: RowData = {}) =>
        server.call('POST', `${server.ev}/cartpositions/`, { item: item1, price: '1.00', cart_id, ...values })
      assert.deepEqual([(await hold()).status, (await hold({ voucher: one.code })).status], [201, 201])
      const body = { positions: [{ item: item1 }, { item: item1, voucher: one.code }] }
      assert.deepEqual(await wrong(body), [['item'], ['item']])
      assert.deepEqual(await wrong({ ...body, consume_carts: ['two@api'] }), [['item'], ['item']])
      const three = { positions: [...body.positions, { item: item1 }], consume_carts: [cart_id] }
      assert.deepEqual(await wrong(three), [[], [], ['item']])
      const count = async () => (await server.ask<{ count: number }>(200, 'GET', '/cartpositions/')).count
      assert.equal(await count(), 2)
      await server.order({ ...body, consume_carts: [cart_id], simulate: true })
      assert.equal(await count(), 2)
      const orders = await Promise.all(
        Array.from({ length: 8 }, () =>
          server.call('POST', `${server.ev}/orders/`, { ...body, consume_carts: [cart_id] }),
        ),
      )
      assert.equal(orders.filter(({ status }) => status === 201).length, 1)
      assert.equal(await count(), 0)
      assert.deepEqual(await voucherNow(one.id), [1, 0])
    })

    it('takes seats, also those of its carts, and never twice', async () => {
      const product = await add(item, { name: { en: 'Seat' }, default_price: '1.00' })
      await add(quota, { name: 'Seats', size: null, items: [product] })
      await sellBySeat(server, product, ['S1', 'S2', 'S3'])
      const seated = (seat?: string | null) => ({ item: product, seat })
      assert.deepEqual(
        await wrong({ positions: [seated(), seated('S9'), seated('S1'), ticket({ seat: 'S1' })] }),
        [[], ['seat'], [], []],
      )
      assert.deepEqual(await wrong({ positions: [seated(null), ticket({ seat: 'S2' })] }), [
        ['seat'],
        ['seat'],
      ])
      assert.deepEqual(await wrong({ positions: [seated('S1'), seated('S1')] }), [[], ['seat']])
      const held = { item: product, price: '1.00', cart_id: 'seat@api', seat: 'S1' }
      assert.equal((await server.call('POST', `${server.ev}/cartpositions/`, held)).status, 201)
      assert.deepEqual(await wrong({ positions: [seated('S1')] }), [['seat']])
      const order = await server.order({ positions: [seated('S1')], consume_carts: ['seat@api'] })
      assert.equal((order.positions[0].seat as RowData).seat_guid, 'S1')
      assert.deepEqual(await wrong({ positions: [seated('S1')], force: true }), [['seat']])
      const answers = await Promise.all(
        Array.from({ length: 16 }, () =>
          server.call('POST', `${server.ev}/orders/`, { positions: [seated('S2')] }),
        ),
      )
      assert.equal(answers.filter(({ status }) => status === 201).length, 1)
      await act(order, 'mark_canceled')
      await server.order({ positions: [seated('S1')] })
      await server.ask(400, 'POST', `/orders/${order.code}/reactivate/`)
    })

    it('prices what belongs to something else, and what is bundled with it', async () => {
      const extras = await add(category, { name: { en: 'Extras' }, is_addon: true })
      const drink = await add(item, { name: { en: 'Drink' }, default_price: '4.00', category: extras })
      const pass = await add(item, { name: { en: 'Pass' }, default_price: '50.00' })
      const park = await add(item, {
        name: { en: 'Parking' },
        default_price: '9.00',
        tax_rule: server.shop.taxRule,
      })
      await add(itemAddon, { item: pass, addon_category: extras, price_included: true })
      await add(itemBundle, { item: pass, bundled_item: park, designated_price: '6.00' })
      await add(quota, { name: 'Parts', size: null, items: [drink, pass, park] })
      const positions = (values: RowData = {}) => [
        { positionid: 1, item: pass, ...values },
        { positionid: 2, item: drink, addon_to: 1 },
        { positionid: 3, item: park, addon_to: 1, is_bundled: true },
      ]
      const order = await server.order({ positions: positions() })
      assert.deepEqual([prices(order), order.total], [['44.00', '0.00', '6.00'], '50.00'])
      assert.equal(order.positions[2]?.tax_value, '0.96')
      const alone = await server.order({
        positions: [
          { positionid: 1, item: server.shop.ticket },
          { positionid: 2, item: drink, addon_to: 1 },
          { positionid: 3, item: park, addon_to: 1, is_bundled: true },
        ],
      })
      assert.deepEqual(prices(alone), ['23.00', '4.00', '9.00'])
      const { code } = await addVoucher({ all_bundles_included: true, item: pass })
      const included = await server.order({ positions: positions({ voucher: code }) })
      assert.deepEqual(prices(included), ['50.00', '0.00', '0.00'])
    })

    it('is cheaper by discounts where a price was left out', async () => {
      const item1 = await add(item, { name: { en: 'Course' }, default_price: '20.00' })
      await add(quota, { name: 'Course', size: null, items: [item1] })
      const id = await add(discount, {
        ...{ internal_name: 'Three', condition_all_products: false, condition_limit_products: [item1] },
        ...{ condition_min_count: 3, benefit_discount_matching_percent: '50.00' },
      })
      const course = (price?: string) => ({ item: item1, ...(price ? { price } : {}) })
      const both = await server.order({ positions: [course(), course()] })
      assert.deepEqual(prices(both), ['20.00', '20.00'])
      const order = await server.order({
        positions: [course(), course('20.00'), course()],
        fees: [{ fee_type: 'service', value: '10.00', _treat_value_as_percentage: true }],
      })
      assert.deepEqual(
        [prices(order), order.total, order.positions.map((one) => one.discount)],
        [['10.00', '20.00', '10.00'], '44.00', [id, id, id]],
      )
      const elsewhere = await server.order({
        sales_channel: 'boxoffice',
        positions: [course(), course(), course()],
      })
      assert.deepEqual(prices(elsewhere), ['20.00', '20.00', '20.00'])
    })

    it('keeps whether the buyer gets a mail', async () => {
      const sent = async (values: RowData) => {
        const { code } = await server.order({ positions: [ticket()], ...values })
        const row = await server.running.transactions.database.get<{ data: string | null }>(
          sql`SELECT a.data FROM audit a JOIN orders o ON o.id = a.row_id
              WHERE o.code = ${code} AND a.action = 'ticketsvc.event.order.placed'`,
        )
        return row?.data === null ? null : JSON.parse(String(row?.data))
      }
      assert.deepEqual(
        [
          await sent({ send_email: true }),
          await sent({ send_mail: false }),
          await sent({ send_email: null }),
          await sent({}),
        ],
        [{ send_email: true }, { send_email: false }, null, null],
      )
    })

    it('is for the vouchers of a date of a series', async () => {
      const series = await addSeries(server)
      const where = { organizer: server.organizer, event: series.event }
      await server.running.transactions.write(async (tx) => {
        await addRow(tx, voucher, where, {
          ...{ code: 'SECONDDAY', subevent: series.second, price_mode: 'percent', value: '10.00' },
        })
      })
      const buy = (on: number) =>
        server.call('POST', `${series.ev}/orders/`, {
          positions: [{ item: series.item, subevent: on, voucher: 'secondday' }],
        })
      assert.equal((await buy(series.first)).status, 400)
      const bought = await buy(series.second)
      assert.deepEqual([bought.status, prices(bought.body as ShownOrder)], [201, ['11.25']])
    })
  })
