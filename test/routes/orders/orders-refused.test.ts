import assert from 'node:assert/strict'
import { engines } from '../../support/engines/engines.ts'
import { addSeries, type Series, type ShopServer, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`a refused order, on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    before(async () => {
      server = await startShop(await engine.open())
      series = await addSeries(server)
    })
    after(() => server.close())

    const refusal = (body: unknown) => server.ask(400, 'POST', '/orders/', body)
    const countOrders = async (): Promise<number> =>
      (await server.ask<{ count: number }>(200, 'GET', '/orders/')).count

    describe('complains where it belongs', () => {
      const keys = (body: unknown): unknown => {
        if (Array.isArray(body)) return body.map(keys)
        if (typeof body !== 'object' || body === null) return 'text'
        return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, keys(value)]))
      }
      const text = ['text']
      const cases: readonly (readonly [what: string, body: () => unknown, complaints: unknown])[] = [
        ['nothing at all', () => ({}), { positions: text }],
        ['no positions', () => ({ positions: [] }), { positions: text }],
        ['positions that are no list', () => ({ positions: { item: 1 } }), { positions: text }],
        ['a list instead of an order', () => [], { non_field_errors: text }],
        ['a position that is none', () => ({ positions: [7] }), { positions: [{ non_field_errors: text }] }],
        ['a position without an item', () => ({ positions: [{}] }), { positions: [{ item: text }] }],
        [
          'an item that does not exist, beside a good one',
          () => ({ positions: [{ item: server.shop.ticket }, { item: 999_999 }] }),
          { positions: [{}, { item: text }] },
        ],
        [
          'an item of another event',
          () => ({ positions: [{ item: series.item }] }),
          { positions: [{ item: text }] },
        ],
        [
          'an item that is not sold any more',
          () => ({ positions: [{ item: server.shop.old }] }),
          { positions: [{ item: text }] },
        ],
        [
          'a voucher and a seat that nobody knows',
          () => ({ positions: [{ item: server.shop.ticket, voucher: 'SAVE', seat: 'A-1' }] }),
          { positions: [{ voucher: text, seat: text }] },
        ],
        [
          'an item without a quota',
          () => ({ positions: [{ item: server.shop.unlisted }] }),
          { positions: [{ item: text }] },
        ],
        [
          'no variation',
          () => ({ positions: [{ item: server.shop.dinner }] }),
          { positions: [{ variation: text }] },
        ],
        [
          'a variation of another item',
          () => ({ positions: [{ item: server.shop.dinner, variation: series.variation }] }),
          { positions: [{ variation: text }] },
        ],
        [
          'a variation of an item without any',
          () => ({ positions: [{ item: server.shop.ticket, variation: server.shop.adult }] }),
          { positions: [{ variation: text }] },
        ],
        [
          'a date where there are none',
          () => ({ positions: [{ item: server.shop.ticket, subevent: series.first }] }),
          { positions: [{ subevent: text }] },
        ],
        [
          'a name whole and in parts',
          () => ({
            positions: [
              { item: server.shop.ticket, attendee_name: 'A', attendee_name_parts: { given_name: 'A' } },
            ],
          }),
          { positions: [{ attendee_name: text }] },
        ],
        [
          'a name in parts that no scheme has',
          () => ({ positions: [{ item: server.shop.ticket, attendee_name_parts: { nickname: 'A' } }] }),
          { positions: [{ attendee_name_parts: text }] },
        ],
        [
          'a country that does not exist, and a state where there are none',
          () => ({
            positions: [
              { item: server.shop.ticket, country: 'XX' },
              { item: server.shop.ticket, country: 'DE', state: 'BW' },
            ],
          }),
          { positions: [{ country: text }, { state: text }] },
        ],
        [
          'an end before the beginning',
          () => ({
            positions: [
              {
                item: server.shop.ticket,
                valid_from: '2030-01-02T00:00:00Z',
                valid_until: '2030-01-01T00:00:00Z',
              },
            ],
          }),
          { positions: [{ valid_until: text }] },
        ],
        [
          'wrong numbers',
          () => ({
            positions: [
              { item: server.shop.ticket, positionid: 1 },
              { item: server.shop.ticket, positionid: 3 },
            ],
          }),
          { positions: [{}, { positionid: text }] },
        ],
        [
          'add-ons without numbers',
          () => ({ positions: [{ item: server.shop.ticket }, { item: server.shop.ticket, addon_to: 1 }] }),
          { positions: [{}, { addon_to: text }] },
        ],
        [
          'a ticket code twice',
          () => ({
            positions: [
              { item: server.shop.ticket, secret: 'twice' },
              { item: server.shop.ticket, secret: 'twice' },
            ],
          }),
          { positions: [{ secret: text }, { secret: text }] },
        ],
        [
          'an answer without a question',
          () => ({ positions: [{ item: server.shop.ticket, answers: [{ answer: 'x' }] }] }),
          { positions: [{ answers: [{ question: text }] }] },
        ],
        [
          'answers that do not fit their questions',
          () => ({
            positions: [
              {
                item: server.shop.ticket,
                answers: [
                  { question: server.shop.allergies, answer: 'x', options: [server.shop.fish] },
                  { question: server.shop.meal, answer: 'fish', options: [] },
                  { question: 999_999, answer: 'x' },
                  { question: server.shop.meal, options: [server.shop.fish] },
                ],
              },
            ],
          }),
          {
            positions: [
              { answers: [{ options: text }, { options: text }, { question: text }, { question: text }] },
            ],
          },
        ],
        [
          'an address in a country that does not exist',
          () => ({ invoice_address: { country: 'XX' }, positions: [{ item: server.shop.ticket }] }),
          { invoice_address: { country: text } },
        ],
        [
          'an address with its name twice',
          () => ({
            invoice_address: { name: 'A', name_parts: { given_name: 'A' } },
            positions: [{ item: server.shop.ticket }],
          }),
          { invoice_address: { name: text } },
        ],
        [
          'an address that is none',
          () => ({ invoice_address: 'Way 1', positions: [{ item: server.shop.ticket }] }),
          { invoice_address: text },
        ],
        [
          'a strange fee beside a good one',
          () => ({
            fees: [
              { fee_type: 'other', value: '1.00' },
              { fee_type: 'tip', value: 'much' },
            ],
            positions: [{ item: server.shop.ticket }],
          }),
          { fees: [{}, { fee_type: text, value: text }] },
        ],
        [
          'a fee by a tax rule that does not exist',
          () => ({
            fees: [{ fee_type: 'other', value: '1.00', tax_rule: 999_999 }],
            positions: [{ item: server.shop.ticket }],
          }),
          { fees: [{ tax_rule: text }] },
        ],
        [
          'much at once',
          () => ({
            ...{ code: 'OOOOO', status: 'e', email: 'nobody', expires: 'soon' },
            positions: [{ item: server.shop.ticket, price: 'much' }],
          }),
          {
            code: text,
            status: text,
            email: text,
            expires: text,
            positions: [{ price: text }],
          },
        ],
        [
          'a sales channel that nobody has',
          () => ({ sales_channel: 'street', positions: [{ item: server.shop.ticket }] }),
          { sales_channel: text },
        ],
        [
          'a code that is too short',
          () => ({ code: 'ABC', positions: [{ item: server.shop.ticket }] }),
          { code: text },
        ],
      ]
      for (const [what, body, complaints] of cases)
        it(`about ${what}`, async () => {
          const count = await countOrders()
          assert.deepEqual(keys(await refusal(body())), complaints)
          assert.equal(await countOrders(), count)
        })

      it('about codes that are taken, in the organizer and in the event', async () => {
        const positions = [{ item: server.shop.ticket }]
        await server.order({ code: 'TAKEN', positions: [{ item: server.shop.ticket, secret: 'taken' }] })
        assert.deepEqual(keys(await refusal({ code: 'TAKEN', positions })), { code: text })
        const again = await refusal({ positions: [{ item: server.shop.ticket, secret: 'taken' }] })
        assert.deepEqual(keys(again), { positions: [{ secret: text }] })
        const elsewhere = { positions: [{ item: series.item, subevent: series.first, secret: 'taken' }] }
        assert.equal((await server.call('POST', `${series.ev}/orders/`, elsewhere)).status, 201)
        const sameCode = { code: 'TAKEN', positions: [{ item: series.item, subevent: series.first }] }
        assert.equal((await server.call('POST', `${series.ev}/orders/`, sameCode)).status, 400)
      })

      it('about dates of a series', async () => {
        const { item, withVariation, variation, second } = series
        const sell = (position: object, more = {}) =>
          server.call('POST', `${series.ev}/orders/`, { positions: [position], ...more })
        for (const position of [{ item }, { item, subevent: 999_999 }]) {
          const answer = await sell(position)
          assert.deepEqual([answer.status, keys(answer.body)], [400, { positions: [{ subevent: text }] }])
        }
        const disabled = { item: withVariation, variation, subevent: second }
        const answer = await sell(disabled)
        assert.deepEqual([answer.status, keys(answer.body)], [400, { positions: [{ item: text }] }])
        assert.equal((await sell(disabled, { force: true })).status, 201)
      })
    })
  })
