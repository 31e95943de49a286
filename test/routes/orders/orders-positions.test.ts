import assert from 'node:assert/strict'
import { engines } from '../../support/engines/engines.ts'
import { addToken } from '../../support/servers/servers.ts'
import {
  addList,
  addSeries,
  type Series,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  type ShownPosition,
  startShop,
} from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`the positions of orders, on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    before(async () => {
      server = await startShop(await engine.open())
      series = await addSeries(server)
    })
    after(() => server.close())

    const change = (position: ShownPosition, body: unknown, query = '') =>
      server.ask<ShownPosition>(200, 'PATCH', `/orderpositions/${position.id}/${query}`, body)
    const refuses = (position: ShownPosition, body: unknown) =>
      server.ask(400, 'PATCH', `/orderpositions/${position.id}/`, body)
    const orderOf = (order: ShownOrder, query = '') =>
      server.ask<ShownOrder>(200, 'GET', `/orders/${order.code}/${query}`)
    const add = (order: ShownOrder, body: object, status = 201) =>
      server.ask<ShownPosition>(status, 'POST', '/orderpositions/', { order: order.code, ...body })

    it('have their person changed, and are found by the new name', async () => {
      const order = await server.paidOrder({
        positions: [{ item: server.shop.ticket, attendee_name: 'Old Name' }],
      })
      const said = {
        attendee_email: 'p@example.org',
        company: 'Acme',
        zipcode: '1',
        country: 'US',
        state: 'NY',
      }
      const parts = { given_name: 'New', family_name: 'Name' }
      const changed = await change(order.positions[0], { ...said, attendee_name_parts: parts })
      assert.deepEqual(changed, {
        ...{ ...order.positions[0], ...said, attendee_name: 'New Name' },
        attendee_name_parts: { _scheme: 'given_family', ...parts },
      })
      const count = async (text: string) =>
        (await server.ask<ShownPage<unknown>>(200, 'GET', `/orderpositions/?search=${text}`)).count
      assert.deepEqual([await count('old name'), await count('new name'), await count('acme')], [0, 1, 1])
      assert.ok(Date.parse((await orderOf(order)).last_modified) >= Date.parse(order.last_modified))
      assert.deepEqual(await server.trail(order.code), ['placed', 'paid', 'modified'])
      await change(order.positions[0], said)
      assert.equal((await server.trail(order.code)).length, 3)
    })

    it('have their answers replaced as a whole', async () => {
      const { ticket, meal, fish, vegan, allergies } = server.shop
      const answers = [{ question: meal, options: [fish] }]
      const order = await server.paidOrder({ positions: [{ item: ticket, answers }] })
      const [position] = order.positions
      const changed = await change(position, {
        answers: [
          { question: meal, options: [vegan] },
          { question: allergies, answer: 'nuts' },
        ],
      })
      assert.deepEqual(
        changed.answers.map(({ answer }) => answer),
        ['nuts', 'vegan'],
      )
      assert.deepEqual((await change(position, { answers: [] })).answers, [])
      await refuses(position, { answers: [answers[0], answers[0]] })
      await refuses(position, { answers: [{ question: meal, options: [] }] })
    })

    it('have another product, which is taken from its quota and taxed by its rule', async () => {
      const { ticket, rare, dinner, child, adult, rareQuota, unlisted } = server.shop
      const order = await server.paidOrder({ positions: [{ item: rare }, { item: rare }, { item: ticket }] })
      const [first, , third] = order.positions
      assert.ok(third)
      await refuses(third, { item: rare })
      await refuses(third, { item: unlisted })
      await refuses(third, { item: dinner })
      await refuses(third, { item: dinner, variation: series.variation })
      const moved = await change(first, { item: dinner, variation: child })
      assert.deepEqual(
        [moved.item, moved.variation, moved.price, moved.tax_rate],
        [dinner, child, '10.00', '0.00'],
      )
      await refuses(moved, { item: ticket })
      assert.equal((await change(moved, { variation: adult })).variation, adult)
      const taxed = await change(moved, { item: ticket, variation: null })
      assert.deepEqual(
        [taxed.tax_rate, taxed.tax_value, taxed.tax_rule],
        ['19.00', '1.60', server.shop.taxRule],
      )
      await change(third, { item: rare })
      await server.ask(400, 'PATCH', `/orderpositions/${taxed.id}/`, { item: rare })
      await change(taxed, { item: rare }, '?check_quotas=false')
      await server.ask(200, 'PATCH', `/quotas/${rareQuota}/`, { size: 5 })
      assert.equal((await orderOf(order)).total, '43.00')
    })

    it('have another price, which the order follows', async () => {
      const order = await server.paidOrder()
      const [position] = order.positions
      const dearer = await change(position, { price: '30.00' })
      assert.deepEqual([dearer.price, dearer.tax_rate, dearer.tax_value], ['30.00', '19.00', '4.79'])
      const open = await orderOf(order)
      assert.deepEqual([open.total, open.status], ['30.00', 'n'])
      await change(position, { price: '23.00' })
      assert.equal((await orderOf(order)).status, 'p')
      const untaxed = await change(position, { tax_rule: null })
      assert.deepEqual([untaxed.tax_rate, untaxed.tax_value, untaxed.tax_rule], ['0.00', '0.00', null])
      await refuses(position, { tax_rule: 999_999 })
      await refuses(position, { price: 'much' })
      assert.deepEqual(await server.trail(order.code), [
        ...['placed', 'paid', 'changed.price', 'unpaid', 'changed.price', 'paid', 'changed.tax_rule'],
      ])
    })

    it('have another code, time or date', async () => {
      const order = await server.paidOrder()
      const other = await server.paidOrder()
      const [position] = order.positions
      const changed = await change(position, {
        secret: 'my-own',
        valid_from: '2031-01-01T00:00:00Z',
        valid_until: null,
      })
      assert.deepEqual([changed.secret, changed.valid_from], ['my-own', '2031-01-01T00:00:00Z'])
      await change(position, { secret: 'my-own' })
      await refuses(position, { secret: other.positions[0].secret })
      await refuses(position, { subevent: series.first })
      const revoked = await server.ask<ShownPage<unknown>>(200, 'GET', '/revokedsecrets/')
      assert.equal(revoked.count, 0)
      const sold = await server.call('POST', `${series.ev}/orders/`, {
        positions: [{ item: series.item, subevent: series.first }],
      })
      const [dated] = (sold.body as ShownOrder).positions
      const path = `${series.ev}/orderpositions/${dated.id}/`
      const moved = await server.call('PATCH', path, { subevent: series.second })
      assert.equal((moved.body as ShownPosition).subevent, series.second)
      assert.equal((await server.call('PATCH', path, { subevent: null })).status, 400)
    })

    it('are added to an order, which follows', async () => {
      const { ticket, dinner, child, meal, fish } = server.shop
      const order = await server.paidOrder()
      const added = await add(order, {
        ...{ item: dinner, variation: child, addon_to: 1, attendee_name: 'Ann', secret: 'added' },
        answers: [{ question: meal, options: [fish] }],
      })
      assert.deepEqual(
        [added.order, added.positionid, added.price, added.addon_to, added.secret, added.answers[0]?.answer],
        [order.code, 2, '15.00', order.positions[0].id, 'added', 'fish'],
      )
      const now = await orderOf(order)
      assert.deepEqual([now.total, now.status, now.positions.length], ['38.00', 'n', 2])
      for (const body of [
        { item: ticket, addon_to: 7 },
        { item: ticket, addon_to: 2 },
        { item: ticket, secret: 'added' },
        { item: server.shop.old },
        { item: server.shop.unlisted },
        {},
      ])
        await add(order, body, 400)
      await server.ask(400, 'POST', '/orderpositions/', { order: 'NOSUCH', item: ticket })
      await server.ask(200, 'POST', `/orders/${order.code}/mark_canceled/`)
      await add(order, { item: ticket }, 400)
    })

    it('are canceled with their add-ons, but not all of them', async () => {
      const { ticket, free } = server.shop
      const order = await server.paidOrder({
        positions: [
          { positionid: 1, item: ticket },
          { positionid: 2, item: free, addon_to: 1 },
          { positionid: 3, item: ticket },
        ],
      })
      const [first, , third] = order.positions
      await server.ask(204, 'DELETE', `/orderpositions/${first.id}/`)
      const left = await orderOf(order)
      assert.deepEqual(
        [left.positions.map(({ positionid }) => positionid), left.total, left.status],
        [[3], '23.00', 'p'],
      )
      const all = await orderOf(order, '?include_canceled_positions=true')
      assert.deepEqual(
        all.positions.map(({ canceled }) => canceled),
        [true, true, false],
      )
      const refused = await server.ask(400, 'DELETE', `/orderpositions/${third?.id}/`)
      assert.ok(Array.isArray(refused))
      await server.ask(404, 'GET', `/orderpositions/${first.id}/`)
      await server.ask(404, 'PATCH', `/orderpositions/${first.id}/`, { company: 'x' })
      await server.ask(404, 'DELETE', `/orderpositions/${first.id}/`)
      await server.ask(200, 'GET', `/orderpositions/${first.id}/?include_canceled_positions=true`)
      assert.equal((await add(order, { item: ticket })).positionid, 4)
    })

    it('get a new code, and the old one is revoked with its ticket', async () => {
      const list = await addList(server)
      const order = await server.paidOrder({
        positions: [{ item: server.shop.ticket }, { item: server.shop.ticket }],
      })
      const [first, second] = order.positions
      const fresh = await server.ask<ShownPosition>(
        200,
        'POST',
        `/orderpositions/${first.id}/regenerate_secrets/`,
      )
      assert.notEqual(fresh.secret, first.secret)
      assert.equal((await orderOf(order)).positions[1]?.secret, second?.secret)
      assert.equal((await orderOf(order)).secret, order.secret)
      const body = { secret: first.secret, lists: [list] }
      const answer = await server.call('POST', `${server.org}/checkinrpc/redeem/`, body)
      const { reason, position } = answer.body as { reason: string; position: ShownPosition }
      assert.deepEqual([answer.status, reason, position.id], [400, 'revoked', first.id])
    })

    it('are blocked and released by name', async () => {
      const list = await addList(server)
      const [position] = (await server.paidOrder()).positions
      const block = (action: string, name: unknown, status = 200) =>
        server.ask<ShownPosition>(status, 'POST', `/orderpositions/${position.id}/${action}/`, { name })
      assert.deepEqual((await block('add_block', 'admin')).blocked, ['admin'])
      assert.deepEqual((await block('add_block', 'admin')).blocked, ['admin'])
      assert.deepEqual((await block('add_block', 'api:desk')).blocked, ['admin', 'api:desk'])
      const body = { secret: position.secret, lists: [list] }
      const answer = await server.call('POST', `${server.org}/checkinrpc/redeem/`, body)
      assert.equal((answer.body as { reason: string }).reason, 'blocked')
      assert.deepEqual((await block('remove_block', 'admin')).blocked, ['api:desk'])
      assert.equal((await block('remove_block', 'api:desk')).blocked, null)
      for (const name of ['', 'me', 'api:', null]) await block('add_block', name, 400)
    })

    it('have no PUT, and belong to their event', async () => {
      const [position] = (await server.paidOrder()).positions
      await server.ask(405, 'PUT', `/orderpositions/${position.id}/`, {})
      await server.ask(404, 'GET', '/orderpositions/999999999/')
      await server.ask(404, 'GET', '/orderpositions/x/')
      assert.equal((await server.call('GET', `${series.ev}/orderpositions/${position.id}/`)).status, 404)
      assert.equal(
        (await server.call('PATCH', `${series.ev}/orderpositions/${position.id}/`, {})).status,
        404,
      )
    })

    it('are for those who may look at orders, and changed by those who may change them', async () => {
      await server.running.transactions.write(async (tx) => {
        await addToken(tx, server.organizer, 'viewer', { all_events: true, can_view_orders: true })
        await addToken(tx, server.organizer, 'scanner', { all_events: true, can_checkin_orders: true })
      })
      const [position] = (await server.paidOrder()).positions
      const single = `/orderpositions/${position.id}/`
      const statuses = (token: string) =>
        Promise.all(
          [
            ...[
              ['GET', '/orderpositions/'],
              ['GET', single],
              ['GET', '/revokedsecrets/'],
              ['POST', '/orderpositions/'],
            ],
            ...[
              ['PATCH', single],
              ['DELETE', single],
              ['POST', `${single}regenerate_secrets/`],
              ['POST', `${single}add_block/`],
            ],
          ].map(async ([method = '', path]) => {
            const body = method === 'GET' ? undefined : {}
            const headers = { Authorization: `Token ${token}` }
            return (await server.call(method, server.ev + path, body, headers)).status
          }),
        )
      assert.deepEqual(await statuses('viewer'), [200, 200, 200, 403, 403, 403, 403, 403])
      assert.deepEqual(await statuses('scanner'), Array(8).fill(403))
      assert.deepEqual(await statuses('nobody'), Array(8).fill(401))
    })
  })
