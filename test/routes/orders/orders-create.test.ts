import assert from 'node:assert/strict'
import { engines } from '../../support/engines/engines.ts'
import {
  addCustomer,
  addSeries,
  type Series,
  type ShopServer,
  type ShownOrder,
  startShop,
} from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`creating an order, on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    before(async () => {
      server = await startShop(await engine.open())
      series = await addSeries(server)
    })
    after(() => server.close())

    const create = (body: unknown, status = 201) => server.ask<ShownOrder>(status, 'POST', '/orders/', body)
    const refusal = (body: unknown) => server.ask(400, 'POST', '/orders/', body)
    const countOrders = async (): Promise<number> =>
      (await server.ask<{ count: number }>(200, 'GET', '/orders/')).count

    it('takes null for no seat wherever a seat can be said', async () => {
      const { ticket: item } = server.shop
      const { code, positions } = await create({ positions: [{ item, seat: null }] })
      const [{ id, seat }] = positions
      assert.equal(seat, null)
      await server.ask(200, 'PATCH', `/orderpositions/${id}/`, { seat: null })
      const change = { patch_positions: [{ position: id, body: { seat: null } }] }
      await server.ask(200, 'POST', `/orders/${code}/change/`, change)
      await server.ask(201, 'POST', '/orderpositions/', { order: code, item, seat: null })
      await server.ask(201, 'POST', '/vouchers/', { item, seat: null })
      await server.ask(201, 'POST', '/cartpositions/', { item, price: '23.00', seat: null })
    })

    it('needs nothing but a position, and fills in the rest', async () => {
      const order = await create({ positions: [{ item: server.shop.ticket }] })
      const [position] = order.positions
      assert.match(order.code, /^[A-HJ-NP-Z3789]{5}$/)
      assert.match(order.secret, /^[a-z0-9]{16}$/)
      assert.match(position.secret, /^[a-hjkmnp-z2-9]{32}$/)
      assert.match(String(position.pseudonymization_id), /^[A-Z3789]{10}$/)
      assert.match(order.expires, /T2[12]:59:59Z$/)
      const { status, testmode, email, locale, sales_channel, total, event, payments, fees } = order
      assert.deepEqual(
        { status, testmode, email, locale, sales_channel, total, event, payments, fees },
        {
          ...{ status: 'n', testmode: false, email: null, locale: 'en', sales_channel: 'web' },
          ...{ total: '23.00', event: 'gala', payments: [], fees: [] },
        },
      )
      assert.deepEqual(
        [position.positionid, position.price, position.tax_rate, position.tax_value, position.tax_rule],
        [1, '23.00', '19.00', '3.67', server.shop.taxRule],
      )
      assert.deepEqual(await server.ask(200, 'GET', `/orders/${order.code}/`), order)
      assert.deepEqual(await server.trail(order.code), ['placed'])
    })

    it('keeps everything that was said', async () => {
      await addCustomer(server, 'ABC')
      await server.ask(200, 'PATCH', '/settings/', { locales: ['en', 'de'] })
      const said = {
        ...{ code: 'DEER7', email: 'ann@example.org', phone: '+49 6221 1', locale: 'de', testmode: true },
        ...{ sales_channel: 'boxoffice', comment: 'at the door', custom_followup_at: '2031-01-02' },
        ...{ checkin_attention: true, checkin_text: 'Look twice', valid_if_pending: true, customer: 'ABC' },
      }
      const order = await create({
        ...said,
        expires: '2031-01-01T12:00:00+02:00',
        positions: [
          {
            item: server.shop.ticket,
            attendee_name_parts: { given_name: 'Ann', family_name: 'Lee' },
            ...{ attendee_email: 'a@example.org', company: 'Acme', street: 'Way 1', zipcode: '69115' },
            ...{ city: 'Heidelberg', country: 'US', state: 'NY', secret: 'own-code', price: '20.00' },
            ...{ valid_from: '2030-01-01T00:00:00Z', valid_until: '2030-02-01T00:00:00Z' },
          },
        ],
      })
      for (const [name, value] of Object.entries(said)) assert.equal(order[name], value, name)
      assert.equal(order.expires, '2031-01-01T10:00:00Z')
      const [position] = order.positions
      assert.equal(position.attendee_name, 'Ann Lee')
      const scheme = { _scheme: 'given_family', given_name: 'Ann', family_name: 'Lee' }
      assert.deepEqual(position.attendee_name_parts, scheme)
      assert.deepEqual(
        [position.secret, position.price, position.country, position.state, position.valid_from],
        ['own-code', '20.00', 'US', 'NY', '2030-01-01T00:00:00Z'],
      )
    })

    it('takes a whole name, a blank address and unknown keys as clients send them', async () => {
      const order = await create({
        ...{ email: '', code: '', send_email: false, consume_carts: ['gone@api'], whatever: 1 },
        positions: [{ item: server.shop.ticket, attendee_name: 'Ann Lee', attendee_email: '', price: null }],
      })
      const [position] = order.positions
      assert.equal(order.email, null)
      assert.equal(position.attendee_name, 'Ann Lee')
      assert.deepEqual(position.attendee_name_parts, { _legacy: 'Ann Lee' })
      assert.equal(position.attendee_email, null)
    })

    it('keeps a name that was sent in the parts of another scheme than the event asks for', async () => {
      const { positions } = await create({
        positions: [{ item: server.shop.ticket, attendee_name_parts: { full_name: 'Ada Löve' } }],
      })
      assert.equal(positions[0].attendee_name, 'Ada Löve')
      assert.deepEqual(positions[0].attendee_name_parts, { _scheme: 'full', full_name: 'Ada Löve' })
    })

    it('marks the codes of test orders with a zero', async () => {
      const order = await create({ testmode: true, positions: [{ item: server.shop.ticket }] })
      assert.match(order.code, /^[A-HJ-NP-Z3789]0[A-HJ-NP-Z3789]{3}$/)
    })

    it('prices variations, dates and add-ons by the catalogue', async () => {
      const { dinner, adult, child, ticket } = server.shop
      const order = await create({
        positions: [
          { positionid: 1, item: ticket },
          { positionid: 2, item: dinner, variation: adult, addon_to: 1 },
          { positionid: 3, item: dinner, variation: child, addon_to: 1 },
        ],
      })
      assert.deepEqual(
        order.positions.map(({ price, addon_to }) => [price, addon_to]),
        [
          ['23.00', null],
          ['40.00', order.positions[0].id],
          ['15.00', order.positions[0].id],
        ],
      )
      assert.equal(order.total, '78.00')
      const answer = await server.call('POST', `${series.ev}/orders/`, {
        positions: [
          { item: series.item, subevent: series.first },
          { item: series.item, subevent: series.second },
          { item: series.withVariation, variation: series.variation, subevent: series.first },
        ],
      })
      assert.equal(answer.status, 201, JSON.stringify(answer.body))
      const prices = (answer.body as ShownOrder).positions.map(({ price }) => price)
      assert.deepEqual(prices, ['10.00', '12.50', '8.00'])
    })

    it('stores answers as the questions want them', async () => {
      const { ticket, allergies, meal, vegan } = server.shop
      const order = await create({
        positions: [
          {
            item: ticket,
            answers: [
              { question: meal, answer: 'ignored', options: [vegan] },
              { question: allergies, answer: 'nuts', options: [] },
            ],
          },
        ],
      })
      assert.deepEqual(order.positions[0].answers, [
        {
          question: allergies,
          answer: 'nuts',
          options: [],
          question_identifier: 'allergies',
          option_identifiers: [],
        },
        {
          question: meal,
          answer: 'vegan',
          options: [vegan],
          question_identifier: 'meal',
          option_identifiers: ['vegan'],
        },
      ])
    })

    it('stores an invoice address, its name whole or in parts', async () => {
      const address = { company: 'Acme', country: 'DE', vat_id: 'DE1', is_business: true, name: 'Ann Lee' }
      const order = await create({ invoice_address: address, positions: [{ item: server.shop.ticket }] })
      const { last_modified, ...shown } = order.invoice_address as { last_modified: string }
      assert.ok(last_modified.startsWith('20'))
      assert.deepEqual(shown, {
        ...address,
        ...{ name_parts: { _legacy: 'Ann Lee' }, street: '', zipcode: '', city: '', state: '' },
        ...{ internal_reference: '', vat_id_validated: false, custom_field: null },
      })
    })

    it('charges fees, by amount or percentage, taxed by a rule or like the products', async () => {
      const { ticket, taxRule } = server.shop
      const order = await create({
        positions: [{ item: ticket, price: '100.00' }],
        fees: [
          { fee_type: 'shipping', value: '4.90', description: 'Post', tax_rule: taxRule },
          { fee_type: 'service', value: '10.00', _treat_value_as_percentage: true },
          { fee_type: 'service', value: '1.19', _split_taxes_like_products: true },
        ],
      })
      assert.deepEqual(
        order.fees.map(({ value, tax_rate, tax_value, description }) => [
          value,
          tax_rate,
          tax_value,
          description,
        ]),
        [
          ['4.90', '19.00', '0.78', 'Post'],
          ['10.00', '0.00', '0.00', ''],
          ['1.19', '19.00', '0.19', ''],
        ],
      )
      assert.equal(order.total, '116.09')
    })

    describe('is paid', () => {
      it('at once where that is said, by a provider', async () => {
        const order = await create({
          ...{ status: 'p', payment_provider: 'boxoffice', payment_info: { terminal: 7 } },
          ...{ payment_date: '2030-05-31T22:30:00Z', positions: [{ item: server.shop.ticket }] },
        })
        assert.equal(order.status, 'p')
        const [payment] = order.payments
        assert.deepEqual(
          [payment?.local_id, payment?.state, payment?.amount, payment?.provider, payment?.details],
          [1, 'confirmed', '23.00', 'boxoffice', { terminal: 7 }],
        )
        assert.deepEqual([order.payment_date, order.payment_provider], ['2030-06-01', 'boxoffice'])
        assert.deepEqual(await server.trail(order.code), ['placed', 'paid'])
      })

      it('later where a provider is named', async () => {
        const order = await create({
          payment_provider: 'banktransfer',
          positions: [{ item: server.shop.ticket }],
        })
        assert.equal(order.status, 'n')
        assert.deepEqual(
          order.payments.map(({ state, provider, payment_date, payment_url }) => [
            state,
            provider,
            payment_date,
            payment_url,
          ]),
          [['created', 'banktransfer', null, null]],
        )
      })

      it('with nothing where it costs nothing', async () => {
        for (const body of [{}, { status: 'p' }, { status: 'p', payment_provider: 'free' }]) {
          const order = await create({ ...body, positions: [{ item: server.shop.free }] })
          assert.equal(order.status, 'p')
          assert.deepEqual(
            order.payments.map(({ state, provider, amount }) => [state, provider, amount]),
            [['confirmed', 'free', '0.00']],
          )
        }
      })

      it('after its approval where it needs one', async () => {
        const order = await create({ require_approval: true, positions: [{ item: server.shop.free }] })
        assert.deepEqual([order.status, order.payments], ['n', []])
        assert.deepEqual(await server.trail(order.code), ['placed', 'placed.require_approval'])
      })

      it('not without a provider, nor by the one that is for nothing', async () => {
        const positions = [{ item: server.shop.ticket }]
        for (const body of [
          { status: 'p' },
          { payment_provider: 'free' },
          { status: 'p', payment_provider: 'manual', require_approval: true },
        ]) {
          const errors = await refusal({ ...body, positions })
          assert.ok(Array.isArray(errors) && typeof errors[0] === 'string', JSON.stringify(errors))
        }
        assert.deepEqual(Object.keys((await refusal({ payment_provider: 'coins', positions })) as object), [
          'payment_provider',
        ])
      })
    })

    it('stops when a quota is used up, in the order of the positions, unless it is forced', async () => {
      const { rare, ticket } = server.shop
      const one = { item: rare }
      const errors = (await refusal({ positions: [one, { item: ticket }, one, one] })) as {
        positions: object[]
      }
      assert.deepEqual(
        errors.positions.map((complaints) => Object.keys(complaints)),
        [[], [], [], ['item']],
      )
      await create({ positions: [one] })
      const paid = await create({ status: 'p', payment_provider: 'manual', positions: [one] })
      await refusal({ positions: [one] })
      await create({ force: true, positions: [one] })
      await server.ask(200, 'POST', `/orders/${paid.code}/mark_canceled/`)
      await refusal({ positions: [one] })
      await create({ force: true, positions: [{ item: server.shop.unlisted }] })
    })

    it('sells the last ticket once, however many want it at the same time', async () => {
      const { ticket, rareQuota } = server.shop
      const { count } = await server.ask<{ count: number }>(
        200,
        'GET',
        `/orderpositions/?item=${server.shop.rare}&order__status__in=n,p`,
      )
      await server.ask(200, 'PATCH', `/quotas/${rareQuota}/`, { size: count + 1 })
      const wanted = Array.from({ length: 6 }, () =>
        server.call('POST', `${server.ev}/orders/`, {
          positions: [{ item: server.shop.rare }, { item: ticket }],
        }),
      )
      const statuses = (await Promise.all(wanted)).map((answer) => answer.status).sort()
      assert.deepEqual(statuses, [201, 400, 400, 400, 400, 400])
    })

    it('only shows what would be with simulate', async () => {
      const count = await countOrders()
      const { ticket, dinner, child } = server.shop
      const order = await create({
        simulate: true,
        ...{ status: 'p', payment_provider: 'manual', fees: [{ fee_type: 'other', value: '1.00' }] },
        positions: [
          { positionid: 1, item: ticket },
          { positionid: 2, item: dinner, variation: child, addon_to: 1 },
        ],
      })
      assert.deepEqual([order.code, order.total, order.fees[0]?.id], ['PREVIEW', '39.00', 0])
      assert.deepEqual(
        order.positions.map(({ id, order: code, addon_to, price, pseudonymization_id }) => [
          ...[id, code, addon_to, price, pseudonymization_id],
        ]),
        [
          [0, 'PREVIEW', null, '23.00', 'PREVIEW'],
          [0, 'PREVIEW', 1, '15.00', 'PREVIEW'],
        ],
      )
      await refusal({ simulate: true, positions: [{ item: server.shop.old }] })
      assert.equal(await countOrders(), count)
    })

    it('is for those who may change orders', async () => {
      const body = { positions: [{ item: server.shop.ticket }] }
      const path = `${server.ev}/orders/`
      assert.equal((await server.call('POST', path, body, { Authorization: 'Token nobody' })).status, 401)
      assert.equal((await server.call('POST', `${server.org}/events/none/orders/`, body)).status, 403)
      assert.equal((await server.call('PUT', path, body)).status, 405)
      assert.equal((await server.call('POST', `${server.org}/orders/`, body)).status, 405)
    })
  })
