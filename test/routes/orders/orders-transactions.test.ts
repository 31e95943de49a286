import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addEvent, addToken } from '../../support/servers/servers.ts'
import {
  addSeries,
  type ShopServer,
  type ShownOrder,
  type ShownPage,
  startShop,
} from '../../support/ticketing/orders.ts'

interface ShownTransaction extends RowData {
  readonly id: number
  readonly positionid: number | null
  readonly count: number
  readonly item: number | null
  readonly price: string
  readonly fee_type: string | null
}

for (const engine of engines)
  describe(`what was sold, change by change, on ${engine.name}`, () => {
    let server: ShopServer
    beforeEach(async () => {
      server = await startShop(await engine.open())
    })
    afterEach(() => server.close())

    const listed = async (query = '', path = `${server.ev}/transactions/`) =>
      (await server.call('GET', `${path}?${query}`)).body as unknown as ShownPage<ShownTransaction>
    const inShort = ({ positionid, count, item, price, fee_type }: ShownTransaction) =>
      `${count > 0 ? '+' : ''}${count} ${positionid === null ? fee_type : `#${positionid} ${nameOf(item)}`} ${price}`
    const nameOf = (item: number | null) =>
      Object.entries(server.shop).find(([, id]) => id === item)?.[0] ?? item
    const since = new Map<string, number>()
    /** What was added for an order since it was last asked for. */
    const news = async ({ code }: ShownOrder) => {
      const { results } = await listed(`order=${code.toLowerCase()}`)
      const fresh = results.slice(since.get(code) ?? 0).map(inShort)
      since.set(code, results.length)
      return fresh
    }
    const act = (order: ShownOrder, action: string, body?: unknown) =>
      server.ask<ShownOrder>(200, 'POST', `/orders/${order.code}/${action}/`, body)
    const fee = { fee_type: 'service', value: '5.00', internal_type: 'x' }

    it('has a line for each position and kind of fee of a new order, with its taxes', async () => {
      const { ticket, free, taxRule } = server.shop
      const order = await server.order({ positions: [{ item: ticket }, { item: free }], fees: [fee, fee] })
      assert.deepEqual(await news(order), ['+2 service 5.00', '+1 #1 ticket 23.00', '+1 #2 free 0.00'])
      const { results } = await listed()
      const [fees, sold] = results
      const { id: _, created, datetime, ...rest } = sold as ShownTransaction
      assert.equal(datetime, created)
      assert.deepEqual(rest, {
        order: order.code,
        positionid: 1,
        count: 1,
        item: ticket,
        variation: null,
        subevent: null,
        price: '23.00',
        tax_rate: '19.00',
        tax_rule: taxRule,
        tax_code: null,
        tax_value: '3.67',
        fee_type: null,
        internal_type: null,
      })
      assert.deepEqual(
        [fees?.item, fees?.positionid, fees?.fee_type, fees?.internal_type],
        [null, null, 'service', 'x'],
      )
      assert.deepEqual(await server.ask(200, 'GET', `/transactions/${sold?.id}/`), sold)
      const whole = await listed('', `${server.org}/transactions/`)
      assert.deepEqual(
        whole.results,
        results.map((one) => ({ ...one, event: 'gala' })),
      )
      const one = await server.call('GET', `${server.org}/transactions/${sold?.id}/`)
      assert.deepEqual(one.body, { ...sold, event: 'gala' })
    })

    it('changes with what orders sell, and with nothing else', async () => {
      const { ticket, rare } = server.shop
      const order = await server.order({ positions: [{ item: ticket }, { item: rare }] })
      const [first, second] = order.positions
      assert.deepEqual(await news(order), ['+1 #1 ticket 23.00', '+1 #2 rare 10.00'])
      await act(order, 'mark_paid', {})
      await server.ask(200, 'PATCH', `/orders/${order.code}/`, { comment: 'c', email: 'b@example.org' })
      await server.ask(200, 'PATCH', `/orderpositions/${first.id}/`, { attendee_name: 'Ada' })
      assert.deepEqual(await news(order), [])
      await server.ask(200, 'PATCH', `/orderpositions/${first.id}/`, { price: '20.00' })
      assert.deepEqual(await news(order), ['-1 #1 ticket 23.00', '+1 #1 ticket 20.00'])
      const split = await act(order, 'change', { split_positions: [{ position: second?.id }] })
      assert.equal(split.code, order.code)
      assert.deepEqual(await news(order), ['-1 #2 rare 10.00'])
      const other = (await listed('ordering=-id')).results[0]
      assert.deepEqual([other?.count, other?.item, other?.order === order.code], [1, rare, false])
      await act(order, 'mark_canceled', { cancellation_fee: '2.00' })
      assert.deepEqual(await news(order), ['-1 #1 ticket 20.00', '+1 cancellation 2.00'])
    })

    it('is taken back with a cancellation, and given again with what takes that back', async () => {
      const { ticket } = server.shop
      const order = await server.order({ positions: [{ item: ticket }] })
      const back = ['-1 #1 ticket 23.00']
      const again = ['+1 #1 ticket 23.00']
      assert.deepEqual(await news(order), again)
      for (const [action, expected] of [
        ['mark_canceled', back],
        ['reactivate', again],
        ['mark_expired', back],
        ['mark_paid', again],
        ['mark_pending', []],
      ] as const) {
        await act(order, action, {})
        assert.deepEqual(await news(order), expected, action)
      }
      const waiting = await server.order({ positions: [{ item: ticket }], require_approval: true })
      assert.deepEqual(await news(waiting), [])
      await act(waiting, 'approve', {})
      assert.deepEqual(await news(waiting), again)
      const tried = await server.order({ positions: [{ item: ticket }], testmode: true })
      await server.ask(204, 'DELETE', `/orders/${tried.code}/`)
      assert.deepEqual(await news(tried), [])
    })

    it('is found by what was sold and when, in its order', async () => {
      const { ticket, dinner, child, taxRule } = server.shop
      await server.order({
        positions: [{ item: ticket }, { item: dinner, variation: child }],
        fees: [{ ...fee, fee_type: 'payment' }],
      })
      const series = await addSeries(server)
      const ofSeries = { positions: [{ item: series.item, subevent: series.first }] }
      assert.equal((await server.call('POST', `${series.ev}/orders/`, ofSeries)).status, 201)
      const all = `${server.org}/transactions/`
      const names = async (query: string) =>
        (await listed(query, all)).results.map((one) => inShort(one).split(' ')[1])
      const everything = ['payment', '#1', '#2', '#1']
      for (const [query, expected] of [
        ['', everything],
        ['ordering=-id', everything.toReversed()],
        ['ordering=-datetime', ['#1', 'payment', '#1', '#2']],
        ['ordering=created', everything],
        ['event=GALA', everything.slice(0, 3)],
        ['event=series', ['#1']],
        ['event=none', []],
        ['order=none', []],
        [`item=${ticket}`, ['#1']],
        [`item__in=${ticket},${dinner}`, ['#1', '#2']],
        [`variation=${child}`, ['#2']],
        [`subevent__in=${series.first},${series.second}`, ['#1']],
        [`tax_rule=${taxRule}`, ['#1']],
        ['tax_rate=19', ['#1']],
        ['tax_rate__in=0.00,7', ['payment', '#2', '#1']],
        ['fee_type__in=payment,service', ['payment']],
        ['datetime_since=2020-01-01T00:00:00Z', everything],
        ['datetime_before=2020-01-01T00:00:00Z', []],
        ['created_since=2100-01-01', []],
        ['created_before=2100-01-01T00:00:00Z', everything],
      ] as const)
        assert.deepEqual(await names(query), expected, query)
      for (const query of ['item=x', 'datetime_since=x', 'tax_rate=x'])
        assert.equal((await server.call('GET', `${all}?${query}`)).status, 400, query)
      for (const method of ['POST', 'PATCH', 'DELETE'])
        assert.equal((await server.call(method, all, {})).status, 405)
    })

    it('is shown of the events whose orders may be seen', async () => {
      const { ticket } = server.shop
      await server.order({ positions: [{ item: ticket }] })
      const [own] = (await listed()).results
      await server.running.transactions.write(async (tx) => {
        await addEvent(tx, server.organizer, 'other', {})
        await addToken(tx, server.organizer, 'elsewhere', { limit_events: ['other'], can_view_orders: true })
        await addToken(tx, server.organizer, 'blind', { all_events: true })
      })
      const as = (token: string, path: string) =>
        server.call('GET', path, undefined, { Authorization: `Token ${token}` })
      const all = `${server.org}/transactions/`
      assert.deepEqual((await as('elsewhere', all)).body, {
        count: 0,
        next: null,
        previous: null,
        results: [],
      })
      assert.equal((await as('elsewhere', `${all}${own?.id}/`)).status, 404)
      assert.equal((await as('elsewhere', `${server.ev}/transactions/`)).status, 403)
      for (const path of [all, `${server.ev}/transactions/`])
        assert.equal((await as('blind', path)).status, 403)
    })

    it('is worked out for the orders that a database has from before, once', async () => {
      const { ticket, rare } = server.shop
      const order = await server.order({ positions: [{ item: ticket }, { item: ticket }], fees: [fee, fee] })
      const gone = await server.order({ positions: [{ item: rare }] })
      await act(gone, 'mark_canceled', {})
      await server.ask(204, 'DELETE', `/orderpositions/${order.positions[1]?.id}/`)
      const { database } = server.running.transactions
      const file = new URL('../../../schema/database/0034-order-transactions.sql', import.meta.url)
      const statements = (await readFile(file, 'utf8')).replace(/^--.*$/gm, '').split(/;\s*\n/)
      await database.transaction(async (tx) => {
        await tx.run(sql`DROP TABLE order_transaction`)
        await tx.run(sql`DROP INDEX order_of_organizer_by_time`)
        for (const statement of statements) if (statement.trim() !== '') await tx.run(raw(statement))
      })
      const { results } = await listed()
      assert.deepEqual(results.map(inShort), ['+2 service 5.00', '+1 #1 ticket 23.00'])
      assert.deepEqual(new Set(results.map(({ datetime }) => datetime)), new Set([order.datetime]))
      since.set(order.code, results.length)
      await act(order, 'mark_paid', {})
      assert.deepEqual(await news(order), [])
      await act(order, 'mark_canceled', {})
      assert.deepEqual(await news(order), ['-2 service 5.00', '-1 #1 ticket 23.00'])
    })
  })
