import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { QuotaFacts } from '../../../server/domain/quotas/quotas.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { findRows } from '../../../server/resource/store.ts'
import { closeSoldOutQuotas } from '../../../server/services/quotas/quota-availability.ts'
import { quotaUsage } from '../../../server/services/quotas/quota-usage.ts'
import { overheard } from '../../bench/statements.ts'
import { engines } from '../../support/engines/engines.ts'
import { neverTwice } from '../../support/mocha/never-twice.ts'
import {
  addList,
  addRow,
  addSeries,
  type Series,
  type ShopServer,
  startShop,
} from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`how much is left, on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    let listen: ReturnType<typeof overheard>['listen']
    before(async () => {
      const heard = overheard(await engine.open())
      listen = heard.listen
      server = await startShop(heard.database, neverTwice())
      series = await addSeries(server)
    })
    after(() => server.close())

    const make = (values: RowData): Promise<RowData> =>
      server.ask(201, 'POST', '/quotas/', { name: 'Q', ...values })
    const left = (id: unknown): Promise<RowData> => server.ask(200, 'GET', `/quotas/${id}/availability/`)
    const newItem = async (): Promise<number> =>
      Number((await server.ask<RowData>(201, 'POST', '/items/', { name: 'New', default_price: '1.00' })).id)
    const order = (item: number, values: RowData = {}) => server.order({ positions: [{ item }], ...values })
    const paid = { status: 'p', payment_provider: 'manual' }

    it('is answered with every number', async () => {
      const item = await newItem()
      const { id } = await make({ size: 20, items: [item] })
      const fresh = {
        ...{ available: true, available_number: 20, total_size: 20, pending_orders: 0, paid_orders: 0 },
        ...{ exited_orders: 0, cart_positions: 0, blocking_vouchers: 0, waiting_list: 0 },
      }
      assert.deepEqual(await left(id), fresh)
      await order(item)
      await order(item, paid)
      await server.ask(201, 'POST', '/vouchers/', { item, block_quota: true, max_usages: 3 })
      await server.ask(201, 'POST', '/cartpositions/', { item, price: '1.00' })
      const gone = await order(item)
      await server.ask(200, 'POST', `/orders/${gone.code}/mark_canceled/`)
      assert.deepEqual(await left(id), {
        ...fresh,
        ...{
          available_number: 14,
          pending_orders: 1,
          paid_orders: 1,
          cart_positions: 1,
          blocking_vouchers: 3,
        },
      })
      await server.ask(404, 'GET', '/quotas/999999/availability/')
      await server.ask(405, 'POST', `/quotas/${id}/availability/`, {})
    })

    it('has no number without a limit', async () => {
      const item = await newItem()
      const { id } = await make({ size: null, items: [item] })
      await order(item)
      const { available, available_number, total_size, pending_orders } = await left(id)
      assert.deepEqual([available, available_number, total_size, pending_orders], [true, null, null, 1])
    })

    it('is shown in lists and with one quota when asked for', async () => {
      const item = await newItem()
      const { id } = await make({ size: 1, items: [item] })
      const shown = async (query: string) => {
        const row = await server.ask<RowData>(200, 'GET', `/quotas/${id}/${query}`)
        const page = await server.ask<{ results: RowData[] }>(200, 'GET', `/quotas/${query}`)
        const listed = page.results.find((one) => one.id === id)
        assert.deepEqual(listed, row)
        return [row.available, row.available_number]
      }
      assert.deepEqual(await shown('?page_size=100'), [undefined, undefined])
      assert.deepEqual(await shown('?with_availability=true&page_size=100'), [true, 1])
      await order(item)
      assert.deepEqual(await shown('?with_availability=true&page_size=100'), [false, 0])
      assert.deepEqual(await shown('?with_availability=false&page_size=100'), [undefined, undefined])
    })

    it('is never said to be unchanged because no quota was', async () => {
      const after = new Date(Date.now() + 60_000).toUTCString()
      const status = async (query: string) =>
        (await server.call('GET', `${server.ev}/quotas/${query}`, undefined, { 'If-Modified-Since': after }))
          .status
      assert.equal(await status(''), 304)
      assert.equal(await status('?with_availability=true'), 200)
    })

    it('lists the quotas of some dates', async () => {
      const ids = async (query: string): Promise<unknown[]> => {
        const answer = await server.call('GET', `${series.ev}/quotas/${query}`)
        return (answer.body as { results: RowData[] }).results.map((row) => row.subevent)
      }
      const { first, second } = series
      assert.deepEqual(await ids(`?subevent__in=${first},${second}`), [first, second])
      assert.deepEqual(await ids(`?subevent__in=${second}`), [second])
      assert.deepEqual(await ids(`?subevent=${first}`), [first])
    })

    it('grows when people leave for good', async () => {
      const item = await newItem()
      const once = await addList(server, { allow_entry_after_exit: false })
      const again = await addList(server, { allow_entry_after_exit: true })
      const released = await make({ size: 3, items: [item], release_after_exit: true })
      const plain = await make({ size: 3, items: [item] })
      const tickets = [await order(item, paid), await order(item, paid)]
      const scan = (index: number, list: number, type: string) =>
        server.call('POST', `${server.org}/checkinrpc/redeem/`, {
          ...{ secret: tickets[index]?.positions[0].secret, lists: [list], type, force: true },
        })
      const numbers = async () => {
        const shown = await left(released.id)
        return [shown.available_number, shown.exited_orders, shown.paid_orders]
      }
      await scan(0, again, 'entry')
      await scan(0, again, 'exit')
      assert.deepEqual(await numbers(), [1, 0, 2])
      await scan(0, once, 'entry')
      assert.deepEqual(await numbers(), [1, 0, 2])
      await scan(0, once, 'exit')
      assert.deepEqual(await numbers(), [2, 1, 2])
      await scan(1, once, 'exit')
      assert.deepEqual(await numbers(), [2, 1, 2])
      const other = await left(plain.id)
      assert.deepEqual([other.available_number, other.exited_orders], [1, 0])
    })

    it('grows while tickets are blocked that make room, and only then', async () => {
      const item = await newItem()
      const { id } = await make({ size: 2, items: [item] })
      const ticket = await order(item, paid)
      const block = (status: number, action: string, values: RowData) =>
        server.ask<unknown>(status, 'POST', `/orderpositions/${ticket.positions[0].id}/${action}/`, {
          name: 'admin',
          ...values,
        })
      const numbers = async () => {
        const shown = await left(id)
        return [shown.available_number, shown.paid_orders]
      }
      await block(200, 'add_block', {})
      assert.deepEqual(await numbers(), [1, 1])
      await block(200, 'add_block', { ignore_from_quota_while_blocked: true })
      assert.deepEqual(await numbers(), [2, 0])
      await block(200, 'remove_block', {})
      assert.deepEqual(await numbers(), [1, 1])
      await block(200, 'add_block', { ignore_from_quota_while_blocked: true })
      const others = [await order(item), await order(item)]
      const refused = await block(400, 'remove_block', {})
      assert.deepEqual(refused, ['There is not enough quota available on quota "Q".'])
      await server.ask(200, 'POST', `/orders/${others[0]?.code}/mark_canceled/`)
      await block(200, 'remove_block', {})
      assert.deepEqual(await numbers(), [0, 1])
    })

    it('closes for good once it is sold out, where it is asked to', async () => {
      const item = await newItem()
      const { id } = await make({ size: 2, items: [item], close_when_sold_out: true })
      const isClosed = async () => (await server.ask<RowData>(200, 'GET', `/quotas/${id}/`)).closed
      const cart = await server.ask<RowData>(201, 'POST', '/cartpositions/', { item, price: '1.00' })
      await order(item)
      assert.equal((await left(id)).available, false)
      assert.equal(await isClosed(), false)
      await server.ask(204, 'DELETE', `/cartpositions/${cart.id}/`)
      const last = await order(item)
      assert.equal(await isClosed(), true)
      await server.ask(200, 'POST', `/orders/${last.code}/mark_canceled/`)
      assert.equal((await left(id)).available_number, 0)
      await server.ask(400, 'POST', '/orders/', { positions: [{ item }] })
      await server.ask(200, 'PATCH', `/quotas/${id}/`, { closed: false })
      assert.equal((await left(id)).available_number, 1)
      const words = await server.running.transactions.database.all<{ action: string }>(
        sql`SELECT action FROM audit WHERE resource = 'quota' AND row_id = ${Number(id)} ORDER BY id`,
      )
      assert.deepEqual(
        words
          .map(({ action }) => action.replace('ticketsvc.event.quota.', ''))
          .filter((word) => /ed$/.test(word)),
        ['added', 'closed', 'changed', 'opened'],
      )
    })

    it('closes what was sold out by something else than a sale, when looked at and by itself', async () => {
      const items = [await newItem(), await newItem()]
      const made: RowData[] = []
      for (const item of items) {
        made.push(await make({ size: 1, items: [item], close_when_sold_out: true }))
        await server.ask(201, 'POST', '/vouchers/', { item, block_quota: true })
      }
      const [looked, other] = made.map(({ id }) => id)
      const closed = async () => {
        const page = await server.ask<{ results: RowData[] }>(200, 'GET', '/quotas/?page_size=100')
        return page.results.filter((row) => row.closed).map((row) => row.id)
      }
      await left(looked)
      assert.deepEqual(
        (await closed()).filter((id) => id === looked || id === other),
        [looked],
      )
      assert.equal(await closeSoldOutQuotas(server.running.transactions), 1)
      assert.deepEqual(
        (await closed()).filter((id) => id === looked || id === other),
        [looked, other],
      )
    })

    it('is answered for dates and a sales channel', async () => {
      const states = async (query: string) => {
        const answer = await server.call('GET', `${series.ev}/subevents/${query}`)
        return (answer.body as { results: RowData[] }).results.map((row) => row.best_availability_state)
      }
      assert.deepEqual(await states(''), [undefined, undefined])
      assert.deepEqual(await states('?with_availability_for=web'), [100, 100])
      assert.deepEqual(await states('?with_availability_for=boxoffice'), [null, null])
      const one = await server.call(
        'GET',
        `${series.ev}/subevents/${series.first}/?with_availability_for=web`,
      )
      assert.equal((one.body as RowData).best_availability_state, 100)
      const quotaOf = async (date: number) => {
        const answer = await server.call('GET', `${series.ev}/quotas/?subevent=${date}`)
        return (answer.body as { results: RowData[] }).results[0]?.id
      }
      const change = async (date: number, values: RowData) =>
        server.call('PATCH', `${series.ev}/quotas/${await quotaOf(date)}/`, values)
      await change(series.first, { size: 0 })
      await change(series.second, { size: 1 })
      assert.deepEqual(await states('?with_availability_for=web'), [0, 100])
      const cart = { item: series.item, subevent: series.second, price: '1.00' }
      await server.call('POST', `${series.ev}/cartpositions/`, cart)
      assert.deepEqual(await states('?with_availability_for=web'), [0, 20])
      await change(series.second, { size: 2 })
      await server.call('PATCH', `${series.ev}/items/${series.item}/`, { active: false })
      assert.deepEqual(await states('?with_availability_for=web'), [0, null])
    })

    it('takes as many statements for two hundred quotas as for one', async () => {
      const { transactions } = server.running
      const place = { organizer: server.organizer, event: server.event }
      const { ticket } = server.shop
      await transactions.write(async (tx) => {
        for (let n = 0; n < 200; n += 1)
          await addRow(tx, quota, place, {
            name: `N${n}`,
            size: 10,
            items: [ticket],
            release_after_exit: n % 2 === 0,
          })
      })
      const quotas = (await findRows(transactions.database, quota, place, {
        where: sql`name LIKE 'N%'`,
      })) as unknown as QuotaFacts[]
      const statements = async (count: number): Promise<number> => {
        const said = await listen(async () => {
          await quotaUsage(
            transactions.database,
            place,
            quotas.slice(0, count),
            '2030-01-01T00:00:00.000000Z',
          )
        })
        return said.length
      }
      assert.equal(quotas.length, 200)
      const one = await statements(1)
      assert.ok(one > 0)
      assert.equal(await statements(200), one)
      const listed = async (size: number) =>
        (
          await listen(async () => {
            await server.ask(200, 'GET', `/quotas/?with_availability=true&page_size=${size}&ordering=-id`)
          })
        ).length
      // What is known of the caller and the event is remembered from the first time on.
      await listed(2)
      assert.equal(await listed(100), await listed(2))
    })
  })
