import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { overheard } from '../../bench/statements.ts'
import { engines } from '../../support/engines/engines.ts'
import { addSeries, type ShopServer, type ShownOrder, startShop } from '../../support/ticketing/orders.ts'
import { sellBySeat } from '../../support/ticketing/seats.ts'

for (const engine of engines)
  describe(`how much a change of an order reads, on ${engine.name}`, () => {
    let server: ShopServer
    let heard: ReturnType<typeof overheard>
    before(async () => {
      heard = overheard(await engine.open())
      server = await startShop(heard.database)
      await server.running.transactions.write((tx) => tx.run(sql`UPDATE quota SET size = NULL`))
    })
    after(() => server.close())

    const lines = (count: number) => Array.from({ length: count }, () => ({ item: server.shop.ticket }))
    const changing = async (positions: number, body: (order: ShownOrder) => RowData): Promise<number> => {
      const order = await server.order({ positions: lines(positions) })
      const said = await heard.listen(async () => {
        await server.ask(200, 'POST', `/orders/${order.code}/change/`, body(order))
      })
      return said.reduce((sum, { rows }) => sum + rows, 0)
    }

    it('grows with the positions that are added, and not with their square', async () => {
      const adding = (count: number) => changing(1, () => ({ create_positions: lines(count) }))
      const [few, many] = [await adding(40), await adding(160)]
      assert.ok(many / few < 5, `${few} rows for 40 positions, ${many} for 160`)
    })

    it('grows with the positions that are changed, and not with their square', async () => {
      const patching = (count: number) =>
        changing(count, ({ positions }) => ({
          patch_positions: positions.map(({ id }) => ({ position: id, body: { price: '5.00' } })),
        }))
      const [few, many] = [await patching(40), await patching(160)]
      assert.ok(many / few < 5, `${few} rows for 40 positions, ${many} for 160`)
    })
  })

for (const engine of engines)
  describe(`changing an order in many ways at once, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const change = (order: ShownOrder, body: unknown, query = '') =>
      server.ask<ShownOrder>(200, 'POST', `/orders/${order.code}/change/${query}`, body)
    const refused = <T = RowData>(order: ShownOrder, body: unknown) =>
      server.ask<T>(400, 'POST', `/orders/${order.code}/change/`, body)
    const look = (order: ShownOrder) => server.ask<ShownOrder>(200, 'GET', `/orders/${order.code}/`)
    const two = (values: RowData = {}) =>
      server.order({ positions: [{ item: server.shop.ticket }, { item: server.shop.ticket }], ...values })
    const prices = (order: ShownOrder) => order.positions.map(({ price }) => price)

    it('changes what is left of an order of which only a fee was kept', async () => {
      const order = await server.paidOrder({ positions: [{ item: server.shop.ticket }] })
      await server.ask(200, 'POST', `/orders/${order.code}/mark_canceled/`, { cancellation_fee: '5.00' })
      const after = await change(order, { recalculate_taxes: 'keep_gross' })
      assert.deepEqual([prices(after), after.total, after.status], [[], '5.00', 'p'])
      const again = await change(order, { create_positions: [{ item: server.shop.free }] })
      assert.deepEqual(prices(again), ['0.00'])
      const [only] = again.positions
      await refused(order, { cancel_positions: [{ position: only?.id }] })
    })

    it('cancels, changes and adds positions together, and works out the order once', async () => {
      const order = await server.paidOrder({
        positions: [{ item: server.shop.ticket }, { item: server.shop.ticket }, { item: server.shop.free }],
      })
      const [first, second] = order.positions
      const after = await change(order, {
        cancel_positions: [{ position: first?.id }],
        patch_positions: [{ position: second?.id, body: { price: '25.00', attendee_name: 'Ann' } }],
        create_positions: [
          { item: server.shop.dinner, variation: server.shop.child, attendee_email: 'a@b.de' },
        ],
      })
      assert.deepEqual([prices(after), after.total, after.status], [['25.00', '0.00', '15.00'], '40.00', 'p'])
      assert.deepEqual(
        after.positions.map(({ positionid, attendee_name }) => [positionid, attendee_name]),
        [
          [2, 'Ann'],
          [3, null],
          [4, null],
        ],
      )
      assert.deepEqual((await server.trail(order.code)).slice(2), [
        ...['changed.cancel', 'changed.price', 'modified', 'changed.add'],
      ])
      const found = await server.ask<{ count: number }>(200, 'GET', '/orderpositions/?search=a@b.de')
      assert.equal(found.count, 1)
    })

    it('waits for the difference where the order is dearer', async () => {
      const order = await server.paidOrder()
      const after = await change(order, { create_positions: [{ item: server.shop.ticket, price: '5.00' }] })
      assert.deepEqual([after.status, after.total], ['n', '28.00'])
      const paid = await server.ask<ShownOrder>(200, 'POST', `/orders/${order.code}/mark_paid/`)
      assert.deepEqual(
        paid.payments.map(({ amount }) => amount),
        ['23.00', '5.00'],
      )
    })

    it('leaves everything as it was where one thing is wrong, with messages aligned with the lists', async () => {
      const order = await two()
      const id = (index: number) => order.positions[index]?.id
      const cases: readonly (readonly [RowData, unknown])[] = [
        [
          { cancel_positions: [{ position: id(0) }], patch_positions: [{ position: 999, body: {} }] },
          { patch_positions: [['position']] },
        ],
        [
          {
            patch_positions: [
              { position: id(0), body: {} },
              { position: id(1), body: { price: 'x' } },
            ],
          },
          { patch_positions: [[], ['body']] },
        ],
        [
          { create_positions: [{ item: server.shop.free }, { item: 0 }, {}] },
          { create_positions: [[], [], ['item']] },
        ],
        [
          { create_positions: [{ item: server.shop.free }, { item: server.shop.dinner }] },
          { create_positions: [[], ['variation']] },
        ],
        [
          { create_positions: [{ item: server.shop.free, addon_to: 7 }] },
          { create_positions: [['addon_to']] },
        ],
        [
          { patch_positions: [{ position: id(0), body: { item: server.shop.old } }] },
          { patch_positions: [['body']] },
        ],
        [{ cancel_fees: [{ fee: 5 }] }, { cancel_fees: [['fee']] }],
        [{ create_fees: [{ fee_type: 'other' }] }, { create_fees: [['value']] }],
      ]
      for (const [body, expected] of cases) {
        const errors = await refused(order, body)
        const keys = Object.fromEntries(
          Object.entries(errors).map(([name, list]) => [
            name,
            (list as object[]).map((one) => Object.keys(one)),
          ]),
        )
        assert.deepEqual(keys, expected, JSON.stringify(body))
      }
      for (const name of ['cancel_positions', 'patch_positions', 'split_positions']) {
        const row = { position: id(0), body: {} }
        assert.equal(((await refused(order, { [name]: [row, row] }))[name] as string[]).length, 1)
      }
      assert.deepEqual(Object.keys(await refused(order, { recalculate_taxes: 'all' })), ['recalculate_taxes'])
      const all = order.positions.map((one) => ({ position: one.id }))
      assert.equal((await refused<string[]>(order, { cancel_positions: all })).length, 1)
      assert.equal((await refused<string[]>(order, { split_positions: all })).length, 1)
      assert.deepEqual(await look(order), order)
    })

    it('takes no more than 500 entries in a list', async () => {
      const order = await server.order({ positions: [{ item: server.shop.free }] })
      const create_positions = Array.from({ length: 501 }, () => ({ item: server.shop.free }))
      const heard = await refused<{ create_positions: unknown[] }>(order, { create_positions })
      assert.equal(heard.create_positions.length, 1)
    })

    it('asks quotas for what is more in the end, and not where that was said', async () => {
      const rare = { item: server.shop.rare }
      const order = await server.order({ positions: [rare, rare, { item: server.shop.ticket }] })
      const [first, second, third] = order.positions
      assert.equal((await refused<string[]>(order, { create_positions: [rare] })).length, 1)
      const swapped = await change(order, {
        cancel_positions: [{ position: first?.id }],
        patch_positions: [
          { position: second?.id, body: { item: server.shop.ticket } },
          { position: third?.id, body: { item: server.shop.rare } },
        ],
        create_positions: [rare],
      })
      assert.equal(swapped.positions.length, 3)
      const more = await change(order, { create_positions: [rare] }, '?check_quotas=false')
      assert.equal(more.positions.length, 4)
      await server.ask(200, 'POST', `/orders/${order.code}/mark_canceled/`)
    })

    it('adds, changes and cancels fees', async () => {
      const order = await two({
        fees: [{ fee_type: 'service', value: '2.00', tax_rule: server.shop.taxRule }],
      })
      const fee = { fee_type: 'shipping', value: '10.00', _treat_value_as_percentage: true }
      const added = await change(order, { create_fees: [fee] })
      assert.deepEqual([added.total, added.fees.map(({ value }) => value)], ['52.60', ['2.00', '4.60']])
      const [first, second] = added.fees
      const after = await change(order, {
        cancel_fees: [{ fee: second?.id }],
        patch_fees: [{ fee: first?.id, body: { value: '11.90' } }],
      })
      assert.deepEqual(
        [after.total, after.fees.map(({ value, tax_value }) => [value, tax_value])],
        ['57.90', [['11.90', '1.90']]],
      )
      assert.deepEqual(await refused(order, { patch_fees: [{ fee: second?.id, body: { value: '1.00' } }] }), {
        patch_fees: [{ fee: [`Invalid pk "${second?.id}" - object does not exist.`] }],
      })
      assert.deepEqual((await server.trail(order.code)).slice(1), [
        'changed.addfee',
        'changed.cancelfee',
        'changed.feevalue',
      ])
    })

    it('works out taxes anew, keeping the net price or the gross price', async () => {
      const rule = await server.ask<{ id: number }>(201, 'POST', '/taxrules/', {
        ...{ name: 'VAT', rate: '19.00', eu_reverse_charge: true, home_country: 'DE' },
      })
      const item = await server.ask<{ id: number }>(201, 'POST', '/items/', {
        ...{ name: 'Taxed', default_price: '119.00', tax_rule: rule.id },
      })
      await server.ask(201, 'POST', '/quotas/', { name: 'T', size: null, items: [item.id] })
      const bought = () =>
        server.order({
          positions: [{ item: item.id }],
          fees: [{ fee_type: 'service', value: '11.90', tax_rule: rule.id }],
        })
      const abroad = { country: 'CH', name: 'Urs' }
      for (const [keep, price, fee] of [
        ['keep_net', '100.00', '10.00'],
        ['keep_gross', '119.00', '11.90'],
      ]) {
        const order = await bought()
        assert.equal(order.positions[0].tax_value, '19.00')
        await server.ask(200, 'PATCH', `/orders/${order.code}/`, { invoice_address: abroad })
        const { positions, fees, total } = await change(order, { recalculate_taxes: keep })
        assert.deepEqual(
          [
            positions[0].price,
            positions[0].tax_value,
            positions[0].tax_rate,
            fees[0]?.value,
            fees[0]?.tax_value,
          ],
          [price, '0.00', '0.00', fee, '0.00'],
        )
        assert.equal(Number(total), Number(price) + Number(fee))
      }
    })

    it('splits positions off with their add-ons, codes and money', async () => {
      const ticket = (positionid: number, values: RowData = {}) => ({
        ...{ positionid, item: server.shop.ticket },
        ...values,
      })
      const order = await server.paidOrder({
        email: 'a@example.org',
        positions: [ticket(1), ticket(2), ticket(3, { addon_to: 2, price: '4.00' })],
      })
      const [first, second, third] = order.positions
      assert.equal((await refused<string[]>(order, { split_positions: [{ position: third?.id }] })).length, 1)
      const after = await change(order, { split_positions: [{ position: second?.id }] })
      assert.deepEqual(
        [after.total, after.status, after.positions.map(({ id }) => id)],
        ['23.00', 'p', [first.id]],
      )
      const moved = await server.ask<{ order: string; secret: string }>(
        200,
        'GET',
        `/orderpositions/${second?.id}/`,
      )
      const split = await server.ask<ShownOrder>(200, 'GET', `/orders/${moved.order}/`)
      assert.deepEqual(
        [split.total, split.status, split.email, split.positions.map(({ positionid }) => positionid)],
        ['27.00', 'p', 'a@example.org', [1, 2]],
      )
      assert.equal(split.positions[1]?.addon_to, second?.id)
      assert.notEqual(moved.secret, second?.secret)
      const revoked = await server.ask<{ results: { secret: string }[] }>(200, 'GET', '/revokedsecrets/')
      assert.ok(revoked.results.some(({ secret }) => secret === second?.secret))
      assert.deepEqual(
        [split.payments, after.refunds].map((list) =>
          (list as RowData[]).map(({ provider, amount }) => [provider, amount]),
        ),
        [[['offsetting', '27.00']], [['offsetting', '27.00']]],
      )
      assert.deepEqual(await server.trail(split.code), [
        ...['changed.split_from', 'changed.secret', 'changed.secret', 'paid'],
      ])
    })

    it('is nothing for orders that are gone, and no change without instructions', async () => {
      const order = await two()
      await server.ask(200, 'POST', `/orders/${order.code}/mark_canceled/`)
      const canceled = await look(order)
      assert.deepEqual(await change(order, { send_email: true, reissue_invoice: false }), canceled)
      const row = { position: order.positions[0].id, body: { price: '1.00' } }
      assert.equal((await refused<string[]>(order, { patch_positions: [row] })).length, 1)
      await server.ask(404, 'POST', '/orders/NONE7/change/', {})
      await server.ask(405, 'GET', `/orders/${order.code}/change/`)
    })

    it('moves between the dates of a series', async () => {
      const series = await addSeries(server)
      const at = (method: string, path: string, body?: unknown) => server.call(method, series.ev + path, body)
      const made = await at('POST', '/orders/', {
        positions: [{ item: series.item, subevent: series.first }],
      })
      const order = made.body as ShownOrder
      const move = (subevent: unknown) =>
        at('POST', `/orders/${order.code}/change/`, {
          patch_positions: [{ position: order.positions[0].id, body: { subevent } }],
        })
      assert.equal((await move(null)).status, 400)
      const moved = await move(series.second)
      assert.deepEqual([moved.status, (moved.body as ShownOrder).positions[0].subevent], [200, series.second])
    })

    it('chooses seats, which nobody has twice', async () => {
      await sellBySeat(server, server.shop.free, ['A1', 'A2', 'A3'])
      const seated = (seat?: string) => ({ item: server.shop.free, ...(seat ? { seat } : {}) })
      const order = await two()
      const errors = await refused(order, { create_positions: [seated(), seated('Z9'), { ...seated('A1') }] })
      assert.deepEqual(
        (errors.create_positions as object[]).map((one) => Object.keys(one)),
        [['seat'], ['seat'], []],
      )
      const after = await change(order, { create_positions: [seated('A1'), seated('A2')] })
      const [, , third, fourth] = after.positions
      assert.deepEqual(
        [third?.seat, fourth?.seat].map((one) => (one as RowData).seat_guid),
        ['A1', 'A2'],
      )
      const patch = (position: number | undefined, seat: string | null) => ({ position, body: { seat } })
      await refused(order, { patch_positions: [patch(third?.id, null)] })
      await refused(order, { patch_positions: [patch(third?.id, 'A2')] })
      await refused(order, { patch_positions: [patch(order.positions[0].id, 'A3')] })
      const swapped = await change(order, {
        patch_positions: [patch(third?.id, 'A2'), patch(fourth?.id, 'A1')],
      })
      assert.deepEqual(
        swapped.positions.slice(2).map((one) => (one.seat as RowData).seat_guid),
        ['A2', 'A1'],
      )
      const other = await two()
      await refused(other, { create_positions: [seated('A1')] })
      await change(order, { cancel_positions: [{ position: fourth?.id }] })
      await change(other, { create_positions: [seated('A1')] })
      const added = { ...seated('A3'), order: other.code }
      await server.ask(201, 'POST', '/orderpositions/', added)
      assert.deepEqual(Object.keys(await server.ask<RowData>(400, 'POST', '/orderpositions/', added)), [
        'seat',
      ])
      await server.ask(200, 'POST', `/orders/${other.code}/mark_expired/`)
      await change(order, { create_positions: [seated('A1')] })
      const late = await server.ask<{ detail: string }>(400, 'POST', `/orders/${other.code}/mark_paid/`)
      assert.equal(typeof late.detail, 'string')
      const [mine] = (await look(order)).positions.slice(2)
      assert.deepEqual(
        Object.keys(await server.ask<RowData>(400, 'PATCH', `/orderpositions/${mine?.id}/`, { seat: 'A1' })),
        ['seat'],
      )
    })

    it('gives a seat to one of many who want it at the same time', async () => {
      const orders = await Promise.all(Array.from({ length: 12 }, () => two()))
      await sellBySeat(server, server.shop.free, ['B1'])
      const body = { create_positions: [{ item: server.shop.free, seat: 'B1' }] }
      const answers = await Promise.all(
        orders.map(({ code }) => server.call('POST', `${server.ev}/orders/${code}/change/`, body)),
      )
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
      assert.equal(answers.filter(({ status }) => status === 400).length, 11)
    })
  })
