import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { bothEngines } from '../../support/engines/engines.ts'
import type { Answer } from '../../support/servers/servers.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'

for (const engine of bothEngines)
  describe(`leases of quotas, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
      await server.running.transactions.write(async (tx) => {
        const add = (number: number, token: string, values: RowData) =>
          addDevice(tx, server.organizer, number, token, values)
        await add(1, 'till', { security_profile: 'boxoffice', site: 10, site_end: 11 })
        await add(2, 'other', { security_profile: 'full', site: 11, site_end: 12 })
        await add(3, 'gate', { security_profile: 'gate', site: 12, site_end: 13 })
        await add(4, 'tablet', { security_profile: 'boxoffice' })
        await add(5, 'stranger', {
          ...{ security_profile: 'boxoffice', site: 13, site_end: 14 },
          ...{ all_events: false, limit_events: [] },
        })
      })
    })
    after(() => server.close())

    const as = (token: string, method: string, path: string, body?: unknown): Promise<Answer> =>
      server.call(method, `${server.org}/sync/leases/${path}`, body, { Authorization: `Device ${token}` })

    const wish = (values: RowData = {}): RowData => ({
      ...{ event: server.event, quota: server.shop.rareQuota, size: 1, nonce: 'nonce number one' },
      ...values,
    })

    const sellRare = (count = 1): Promise<Answer> =>
      server.call('POST', `${server.ev}/orders/`, {
        status: 'n',
        positions: Array.from({ length: count }, () => ({ item: server.shop.rare })),
      })

    it('are given as far as there is something left, once for each nonce, and taken back', async () => {
      const first = await as('till', 'POST', '', wish())
      const lease = first.body as RowData
      assert.equal(first.status, 201, JSON.stringify(first.body))
      assert.deepEqual(
        [lease.size, lease.used, lease.state, lease.site, lease.parent, lease.quota, lease.event],
        [1, 0, 'open', 10, null, server.shop.rareQuota, server.event],
      )
      assert.deepEqual((await as('till', 'POST', '', wish({ size: 5 }))).body, lease)
      assert.equal((await sellRare(2)).status, 400)
      const second = await as('other', 'POST', '', wish({ size: 5 }))
      assert.equal((second.body as RowData).size, 1)
      assert.notEqual((second.body as RowData).id, lease.id)
      const none = await as('till', 'POST', '', wish({ nonce: 'another nonce' }))
      assert.deepEqual([none.status, none.body], [409, { detail: 'Nothing is left of quota "Rare".' }])
      assert.ok(none.headers.get('X-Gatehouse-Sync'), 'a refusal is known as ours as well')
      assert.equal((await sellRare()).status, 400)
      for (const _ of ['once', 'again']) {
        const back = await as('till', 'POST', `${lease.id}/return/`, { used: 0 })
        assert.deepEqual(
          [back.status, (back.body as RowData).state, (back.body as RowData).size],
          [200, 'returned', 0],
        )
      }
      assert.equal((await sellRare()).status, 201)
      assert.equal((await sellRare()).status, 400)
    })

    it('are shown to the device that has them, and all of them to users', async () => {
      const count = async (answer: Promise<Answer>) => ((await answer).body as RowData).count
      assert.equal(await count(as('till', 'GET', '')), 1)
      assert.equal(await count(server.call('GET', `${server.org}/sync/leases/`)), 2)
    })

    it('are prolonged by their device, and only while they are open', async () => {
      const fresh = await as('till', 'POST', '', {
        ...wish({ nonce: 'to be prolonged', until: '2001-01-01T00:00:00Z' }),
        quota: await houseQuota(),
      })
      const { id } = fresh.body as RowData
      const until = new Date(Date.now() + 3_600_000).toISOString()
      const gone = await as('till', 'POST', `${id}/prolong/`, { until })
      assert.equal((gone.body as RowData).until, '2001-01-01T00:00:00.000000Z', 'its time was over')
      const open = await as('till', 'POST', '', {
        ...wish({ nonce: 'to be prolonged too', until }),
        quota: await houseQuota(),
      })
      const path = `${(open.body as RowData).id}/prolong/`
      assert.equal((await as('other', 'POST', path, {})).status, 403)
      const longer = (await as('till', 'POST', path, {})).body as RowData
      assert.ok(String(longer.until) > until)
      assert.equal(((await as('till', 'POST', path, { until })).body as RowData).until, longer.until)
    })

    const houseQuota = async (): Promise<unknown> => {
      const page = await server.ask<{ results: RowData[] }>(200, 'GET', '/quotas/')
      return page.results.find(({ name }) => name === 'House')?.id
    }

    it('are refused to whoever may not sell there, and to nonsense', async () => {
      const cases: readonly [token: string, body: unknown, status: number][] = [
        ['gate', wish(), 403],
        ['stranger', wish(), 403],
        ['tablet', wish(), 400],
        ['till', wish({ quota: 999_999 }), 400],
        ['till', wish({ event: 999_999, nonce: 'elsewhere' }), 400],
        ['till', wish({ size: 0 }), 400],
        ['till', wish({ nonce: 'short' }), 400],
        ['till', wish({ until: 'soon', nonce: 'without a time' }), 400],
        ['till', [], 400],
        ['till', 'text', 400],
      ]
      for (const [token, body, status] of cases) {
        const answer = await as(token, 'POST', '', body)
        assert.equal(
          answer.status,
          status,
          `${token} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`,
        )
      }
      assert.equal((await server.call('POST', `${server.org}/sync/leases/`, wish())).status, 403)
      assert.equal((await as('till', 'POST', '12345/return/', {})).status, 404)
    })

    it('are not needed where a quota has no limit', async () => {
      const page = await server.ask<{ results: RowData[] }>(200, 'GET', '/quotas/')
      const open = page.results.find(({ size }) => size === null)
      const answer = await as('till', 'POST', '', wish({ quota: open?.id, nonce: 'without limit' }))
      assert.equal(answer.status, 400)
    })
  })
