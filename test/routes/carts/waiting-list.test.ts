import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import {
  addSoldOut,
  resize,
  type ShownEntry,
  type SoldOut,
  wait,
} from '../../support/ticketing/waiting-list.ts'

for (const engine of engines)
  describe(`the waiting list on ${engine.name}`, () => {
    let server: ShopServer
    let wanted: SoldOut
    const list = '/waitinglistentries/'
    const send = (id: number, status = 204): Promise<unknown> =>
      server.ask(status, 'POST', `${list}${id}/send_voucher/`)
    const entry = (more: RowData = {}): RowData => ({ email: 'ann@example.org', item: wanted.item, ...more })
    const settings = (values: RowData): Promise<RowData> => server.ask(200, 'PATCH', '/settings/', values)

    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())
    beforeEach(async () => {
      wanted = await addSoldOut(server)
    })

    it('takes a name whole or in parts, but not both ways', async () => {
      const whole = await wait(server, wanted.item, 'whole', { name: 'Ann Bell' })
      assert.deepEqual([whole.name, whole.name_parts], ['Ann Bell', { _legacy: 'Ann Bell' }])
      const name_parts = { given_name: 'Ann', family_name: 'Bell' }
      const parts = await wait(server, wanted.item, 'parts', { name_parts })
      assert.deepEqual(
        [parts.name, parts.name_parts],
        ['Ann Bell', { ...name_parts, _scheme: 'given_family' }],
      )
      const both = await server.ask<RowData>(400, 'POST', list, entry({ name: 'Ann', name_parts }))
      assert.deepEqual(Object.keys(both), ['name'])
      const wrong = await server.ask<RowData>(400, 'POST', list, entry({ name: {} }))
      assert.deepEqual(Object.keys(wrong), ['name'])
      const nobody = await server.ask<RowData>(200, 'PATCH', `${list}${whole.id}/`, { name: null })
      assert.deepEqual([nobody.name, nobody.name_parts], [null, null])
      const unnamed = await wait(server, wanted.item, 'unnamed')
      assert.deepEqual([unnamed.name, unnamed.name_parts], [null, null])
    })

    it('speaks the language of the event to who names none', async () => {
      await settings({ locales: ['en', 'de'], locale: 'de' })
      const own = await wait(server, wanted.item, 'own')
      const named = await wait(server, wanted.item, 'named', { locale: 'en' })
      await settings({ locales: null, locale: null })
      assert.deepEqual([own.locale, named.locale], ['de', 'en'])
    })

    it('is for what is sold out: 403 while there is some', async () => {
      await resize(server, wanted.quota, 1)
      assert.deepEqual(Object.keys(await server.ask<RowData>(403, 'POST', list, entry())), ['detail'])
      await resize(server, wanted.quota, null)
      await server.ask(403, 'POST', list, entry())
      await server.ask(403, 'POST', list, entry({ item: server.shop.unlisted }))
      await resize(server, wanted.quota, 0)
      await server.ask(201, 'POST', list, entry())
    })

    it('is closed with 403 where the event or the product has none', async () => {
      await settings({ waiting_list_enabled: false })
      await server.ask(403, 'POST', list, entry())
      await settings({ waiting_list_enabled: null })
      const { item } = await addSoldOut(server, { allow_waitinglist: false })
      await server.ask(403, 'POST', list, entry({ item }))
      await server.ask(201, 'POST', list, entry())
    })

    it('looks at the data before it says whether anybody can wait: 400', async () => {
      await settings({ waiting_list_enabled: false })
      for (const [body, key] of [
        [{ item: wanted.item }, 'email'],
        [entry({ item: 4711 }), 'item'],
        [entry({ variation: server.shop.adult }), 'variation'],
        [entry({ item: server.shop.dinner }), 'variation'],
        [entry({ subevent: 1 }), 'subevent'],
      ] as const)
        assert.deepEqual(Object.keys(await server.ask<RowData>(400, 'POST', list, body)), [key])
      await settings({ waiting_list_enabled: null })
    })

    it('holds somebody once for each product, until they are served, or as often as the event says', async () => {
      const first = await wait(server, wanted.item, 'ann')
      const again = entry({ email: 'ANN@example.org' })
      assert.deepEqual(Object.keys(await server.ask<RowData>(400, 'POST', list, again)), ['non_field_errors'])
      await server.ask(201, 'POST', list, entry({ item: (await addSoldOut(server)).item }))
      await settings({ waiting_list_limit_per_user: 2 })
      await server.ask(201, 'POST', list, again)
      await server.ask(400, 'POST', list, again)
      await settings({ waiting_list_limit_per_user: null })
      await resize(server, wanted.quota, 1)
      await send(first.id)
      await server.ask(400, 'POST', list, again)
      const ben = await wait(server, wanted.item, 'ben')
      await server.ask(400, 'PATCH', `${list}${ben.id}/`, { email: 'ann@example.org' })
      await server.ask(200, 'PATCH', `${list}${ben.id}/`, { email: 'BEN@example.org' })
    })

    it('lets nobody join twice at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 6 }, () => server.call('POST', server.ev + list, entry())),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(5).fill(400)])
    })

    it('changes what is waited for only to what is sold out', async () => {
      const { id } = await wait(server, wanted.item, 'ann')
      await server.ask(403, 'PATCH', `${list}${id}/`, { item: server.shop.ticket })
      await resize(server, wanted.quota, 2)
      await server.ask(200, 'PATCH', `${list}${id}/`, { phone: '110', item: wanted.item })
      const other = await addSoldOut(server)
      const moved = await server.ask<RowData>(200, 'PATCH', `${list}${id}/`, { item: other.item })
      assert.equal(moved.item, other.item)
    })

    it('is chosen by whether a voucher was sent', async () => {
      const first = await wait(server, wanted.item, 'ann')
      const second = await wait(server, wanted.item, 'ben')
      await resize(server, wanted.quota, 1)
      await send(first.id)
      const found = async (has: boolean) =>
        (
          await server.ask<{ results: ShownEntry[] }>(
            200,
            'GET',
            `${list}?item=${wanted.item}&has_voucher=${has}`,
          )
        ).results.map(({ id }) => id)
      assert.deepEqual([await found(true), await found(false)], [[first.id], [second.id]])
      await server.ask(400, 'GET', `${list}?has_voucher=perhaps`)
    })

    it('goes with its product, and with its event', async () => {
      const { id } = await wait(server, wanted.item, 'ann')
      await server.ask(204, 'DELETE', `/items/${wanted.item}/`)
      await server.ask(404, 'GET', `${list}${id}/`)
      const ev = `${server.org}/events/brief`
      const brief = { name: 'Brief', slug: 'brief', date_from: '2030-01-01T10:00:00Z' }
      const at = async (method: string, path: string, status: number, body?: RowData): Promise<RowData> => {
        const answer = await server.call(method, path, body)
        assert.equal(answer.status, status, JSON.stringify(answer.body))
        return answer.body as RowData
      }
      await at('POST', `${server.org}/events/`, 201, brief)
      const item = (await at('POST', `${ev}/items/`, 201, { name: 'Seat', default_price: '1.00' })).id
      const quota = (await at('POST', `${ev}/quotas/`, 201, { name: 'Q', size: 0, items: [item] })).id
      const first = await at('POST', `${ev}${list}`, 201, { email: 'ann@example.org', item })
      await at('POST', `${ev}${list}`, 201, { email: 'ben@example.org', item })
      await at('PATCH', `${ev}/quotas/${quota}/`, 200, { size: 1 })
      await at('POST', `${ev}${list}${first.id}/send_voucher/`, 204)
      await at('DELETE', `${ev}/`, 204)
      const rows = await server.running.transactions.database.all(
        sql`SELECT id FROM waiting_list_entry WHERE id = ${Number(first.id)}`,
      )
      assert.deepEqual(rows, [])
    })
  })
