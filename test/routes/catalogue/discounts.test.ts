import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { applyDiscounts } from '../../../server/domain/pricing/discounts.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { discountsOf } from '../../../server/services/catalogue/discount-behaviour.ts'
import { asking, resultsOf, valuesOf } from '../../support/servers/asking.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

describe('discounts', () => {
  let server: ShopServer
  const ask = asking(() => server)
  const make = (body: RowData, status = 201): Promise<RowData> =>
    server.ask(status, 'POST', '/discounts/', { internal_name: 'D', ...body })

  before(async () => {
    server = await startShop()
  })
  after(() => server.close())

  it('have the form of the contract, defaults included', async () => {
    const { id, ...rest } = await make({ condition_min_count: 2 })
    assert.equal(typeof id, 'number')
    assert.deepEqual(rest, {
      active: true,
      internal_name: 'D',
      position: 0,
      all_sales_channels: false,
      limit_sales_channels: ['web'],
      sales_channels: ['web'],
      available_from: null,
      available_until: null,
      subevent_mode: 'mixed',
      condition_all_products: true,
      condition_limit_products: [],
      condition_apply_to_addons: true,
      condition_ignore_voucher_discounted: false,
      condition_min_count: 2,
      condition_min_value: '0.00',
      benefit_discount_matching_percent: '0.00',
      benefit_only_apply_to_cheapest_n_matches: null,
    })
    await server.ask(204, 'DELETE', `/discounts/${id}/`)
  })

  it('have one condition, which changes with the other', async () => {
    const { id } = await make({ condition_min_value: '10.00' })
    const change = (body: RowData, status: number): Promise<RowData> =>
      server.ask(status, 'PATCH', `/discounts/${id}/`, body)
    for (const body of [
      { condition_min_value: '0.00' },
      { condition_min_count: 1 },
      { benefit_only_apply_to_cheapest_n_matches: 1 },
      { subevent_mode: 'distinct' },
    ])
      assert.deepEqual(Object.keys(await change(body, 400)), ['non_field_errors'], JSON.stringify(body))
    await change({ condition_min_value: '0.00', condition_min_count: 1, subevent_mode: 'distinct' }, 200)
    await change({ benefit_only_apply_to_cheapest_n_matches: 1 }, 200)
    assert.deepEqual(Object.keys(await make({}, 400)), ['non_field_errors'])
    await server.ask(204, 'DELETE', `/discounts/${id}/`)
  })

  it('are listed by position, and found by whether they are active', async () => {
    const at = async (position: number, active: boolean) =>
      Number((await make({ condition_min_count: 1, position, active })).id)
    const [third, first, second] = [await at(3, true), await at(1, true), await at(2, false)]
    const ids = async (query: string) =>
      valuesOf(await ask('GET', `${server.ev}/discounts/?${query}`, 200), 'id')
    assert.deepEqual(await ids(''), [first, second, third])
    assert.deepEqual(await ids('ordering=-position'), [third, second, first])
    assert.deepEqual(await ids('ordering=id'), [third, first, second])
    assert.deepEqual(await ids('active=true'), [first, third])
    assert.deepEqual(await ids('active=false'), [second])
    for (const id of [first, second, third]) await server.ask(204, 'DELETE', `/discounts/${id}/`)
  })

  it('are kept once something was bought with them', async () => {
    const { id } = await make({ condition_min_count: 1 })
    const { positions } = await server.paidOrder()
    const { database } = server.running.transactions
    await database.run(sql`UPDATE order_position SET discount = ${Number(id)} WHERE id = ${positions[0].id}`)
    assert.deepEqual(Object.keys(await server.ask<RowData>(403, 'DELETE', `/discounts/${id}/`)), ['detail'])
    await database.run(sql`UPDATE order_position SET discount = NULL WHERE id = ${positions[0].id}`)
    await server.ask(204, 'DELETE', `/discounts/${id}/`)
  })

  it('lose a product that is deleted', async () => {
    const thing = await ask('POST', `${server.ev}/items/`, 201, { name: 'Gone', default_price: '1.00' })
    const chosen = { condition_all_products: false, condition_limit_products: [server.shop.ticket, thing.id] }
    const { id } = await make({ condition_min_count: 1, ...chosen })
    await server.ask(204, 'DELETE', `/items/${thing.id}/`)
    const row = await server.ask<RowData>(200, 'GET', `/discounts/${id}/`)
    assert.deepEqual(row.condition_limit_products, [server.shop.ticket])
    await server.ask(204, 'DELETE', `/discounts/${id}/`)
  })

  it('reduce what is bought, as they are stored', async () => {
    const { ticket, dinner } = server.shop
    const place = { organizer: server.organizer, event: server.event }
    const late = { available_until: '2030-06-01T12:00:00Z', benefit_discount_matching_percent: '12.50' }
    const { id } = await make({ condition_min_value: '30.00', ...late })
    await make({ condition_min_count: 1, active: false, position: -1 })
    const facts = await discountsOf(server.running.transactions.database, place)
    assert.deepEqual(
      facts.map((one) => one.id),
      [id],
    )
    const line = { subevent: null, addonTo: null, isBundled: false, voucherSaving: 0 }
    const lines = [
      { ...line, id: 1, item: ticket, price: 1000 },
      { ...line, id: 2, item: dinner, price: 2000 },
    ]
    const at = (now: string) => applyDiscounts(facts, lines, { now, channel: 'web', step: 1 })
    assert.deepEqual(at('2030-06-01T12:00:00.000000Z'), [
      { price: 875, discount: id },
      { price: 1750, discount: id },
    ])
    assert.deepEqual(at('2030-06-01T12:00:00.000001Z')[0], { price: 1000, discount: null })
  })

  it('go with an event that is made after another one, with its own products', async () => {
    const { ticket } = server.shop
    const chosen = { condition_all_products: false, condition_limit_products: [ticket] }
    await make({ internal_name: 'Copied', condition_min_count: 3, position: 9, ...chosen })
    const body = { name: 'Copy', slug: 'copy', date_from: '2031-01-01T10:00:00Z' }
    await ask('POST', `${server.ev}/clone/`, 201, body)
    const copies = resultsOf(await ask('GET', `${server.org}/events/copy/discounts/`, 200))
    const copied = copies.find(({ internal_name }) => internal_name === 'Copied')
    const [product] = (copied?.condition_limit_products ?? []) as number[]
    assert.notEqual(product, ticket)
    const shown = await ask('GET', `${server.org}/events/copy/items/${product}/`, 200)
    assert.deepEqual(shown.name, { en: 'Ticket' })
  })
})
