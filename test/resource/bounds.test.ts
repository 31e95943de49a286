import assert from 'node:assert/strict'
import { mostCartLines } from '../../schema/bodies/cart.ts'
import { mostPositions } from '../../schema/bodies/order-create.ts'
import { textLanguages } from '../../schema/multilingual.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { engines } from '../support/engines/engines.ts'
import { type ShopServer, startShop } from '../support/ticketing/orders.ts'

/** Something that many times, in a list. */
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))

const [engine] = engines

describe('what a request may hold is bounded', () => {
  let server: ShopServer
  before(async () => {
    assert.ok(engine)
    server = await startShop(await engine.open())
  })
  after(() => server.close())

  const refused = (path: string, body: unknown) => server.ask<RowData>(400, 'POST', path, body)
  const named = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, 'Fair']))

  describe('texts in several languages', () => {
    it('are in every language that there is', async () => {
      const name = named(textLanguages)
      const made = await server.ask<RowData>(201, 'POST', '/categories/', { name })
      assert.deepEqual(made.name, name)
    })

    for (const [what, names] of [
      ['one language that there is not', ['en', 'tlh']],
      ['one that is written otherwise', ['de_DE']],
      ['10,000 of them', times(10_000, (index) => `x${index}`)],
      ['the name of something that every object has', ['constructor']],
    ] as const)
      it(`are refused with ${what}, once`, async () =>
        assert.deepEqual(await refused('/categories/', { name: named(names) }), {
          name: ['Invalid languages included.'],
        }))

    it('without a language are in that of the event, or in the closest that there is', async () => {
      for (const [locale, language] of [
        ['de-informal', 'de-informal'],
        ['de_AT', 'de'],
        ['xx', 'en'],
      ] as const) {
        await server.ask(200, 'PATCH', '/settings/', { locale, locales: [locale] })
        const made = await server.ask<RowData>(201, 'POST', '/categories/', { name: 'Drinks' })
        assert.deepEqual(made.name, { [language]: 'Drinks' })
      }
      await server.ask(200, 'PATCH', '/settings/', { locale: 'en', locales: ['en'] })
    })
  })

  describe('the rules of a check-in list', () => {
    const inList = (ids: readonly unknown[]) => ({
      inList: [
        { var: 'product' },
        { objectList: ids.map((id) => ({ lookup: ['product', String(id), 'Ticket'] })) },
      ],
    })
    const products = (count: number) => inList(times(count, (index) => index))
    const save = (status: number, condition: unknown) =>
      server.ask<RowData>(status, 'POST', '/checkinlists/', { name: 'Gate', rules: { and: condition } })

    it('name hundreds of products, and dozens of times', async () => {
      const items: unknown[] = []
      for (const name of times(60, (index) => ({ en: `Ticket ${index}` }))) {
        const { id } = await server.ask<RowData>(201, 'POST', '/items/', { name, default_price: '10.00' })
        items.push(id)
      }
      await save(
        201,
        times(8, () => inList(items)),
      )
      const during = { isAfter: [{ var: 'now' }, { buildTime: ['customtime', '10:00'] }, 0] }
      await save(
        201,
        times(60, () => during),
      )
    })

    for (const [what, conditions] of [
      ['3,000 conditions', () => times(3000, (index) => ({ '<': [{ var: 'entries_number' }, index] }))],
      ['a list of 2,000 products', () => [products(2000)]],
      ['a hundred that go through all days', () => times(100, () => ({ '<': [{ var: 'entries_days' }, 3] }))],
      ['a hundred that build times', () => times(100, () => ({ '<': [{ buildTime: ['date_from'] }, 3] }))],
    ] as const)
      it(`are refused with ${what}, and with a sentence`, async () => {
        const { rules } = await save(400, conditions())
        assert.match(String(rules), /asks for too much at every scan; use fewer conditions/)
      })
  })

  describe('orders', () => {
    const of = (count: number) => ({ positions: times(count, () => ({ item: server.shop.ticket })) })
    it('of a large group go through, and larger ones are refused before anything is read', async () => {
      const sent = { ...of(mostPositions), simulate: true, force: true }
      await server.ask(201, 'POST', '/orders/', sent)
      assert.deepEqual(await refused('/orders/', of(mostPositions + 1)), {
        positions: [`Ensure this field has no more than ${mostPositions} elements.`],
      })
    })

    it('grow no further than that, position by position', async () => {
      const { results } = await server.ask<{ results: RowData[] }>(200, 'GET', '/quotas/')
      for (const { id } of results) await server.ask(200, 'PATCH', `/quotas/${id}/`, { size: null })
      const { code } = await server.ask<RowData>(201, 'POST', '/orders/', {
        ...of(mostPositions),
        force: true,
      })
      const position = { item: server.shop.ticket }
      for (const [path, body] of [
        ['/orderpositions/', { ...position, order: code }],
        [`/orders/${code}/change/`, { create_positions: [position] }],
      ] as const)
        assert.match(
          JSON.stringify(await refused(path, body)),
          /An order has no more than 500 positions\. Make another one for the rest\./,
        )
    })
  })

  describe('carts that are filled at once', () => {
    it('count what comes with their lines', async () => {
      const line = { item: server.shop.ticket, price: '23.00' }
      const sent = times(50, () => ({ ...line, addons: times(10, () => line) }))
      for (const body of [times(mostCartLines + 1, () => line), sent])
        assert.deepEqual(await refused('/cartpositions/bulk_create/', body), {
          error: 'Send at most 500 of these, add-ons and bundled products among them.',
        })
    })
  })

  it('free JSON holds no more values than are declared', async () => {
    const info = { list: times(20_000, (index) => index) }
    const sent = { positions: [{ item: server.shop.ticket }], payment_info: info }
    assert.deepEqual(await refused('/orders/', sent), {
      payment_info: ['This value holds more than 10000 values.'],
    })
  })
})
