import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { addSeries, type Series, type ShopServer, startShop } from '../../support/ticketing/orders.ts'

for (const engine of engines)
  describe(`what is left of events on ${engine.name}`, () => {
    let server: ShopServer
    let series: Series
    before(async () => {
      server = await startShop(await engine.open())
      series = await addSeries(server)
      for (const date of [series.first, series.second])
        await server.call('PATCH', `${series.ev}/subevents/${date}/`, { active: true })
    })
    after(() => server.close())

    const states = async (query: string): Promise<RowData> => {
      const answer = await server.call('GET', `${server.org}/events/${query}`)
      const { results } = answer.body as { results: readonly RowData[] }
      return Object.fromEntries(results.map((row) => [row.slug, row.best_availability_state]))
    }
    const web = '?with_availability_for=web'
    const resizeAll = async (ev: string, size: number): Promise<void> => {
      const answer = await server.call('GET', `${ev}/quotas/`)
      for (const { id } of (answer.body as { results: readonly RowData[] }).results)
        assert.equal((await server.call('PATCH', `${ev}/quotas/${id}/`, { size })).status, 200)
    }

    it('is answered where a sales channel asks, of one and of all', async () => {
      assert.deepEqual(await states(''), { gala: undefined, series: undefined })
      assert.deepEqual(await states(web), { gala: 100, series: 100 })
      assert.deepEqual(await states('?with_availability_for=boxoffice'), { gala: null, series: null })
      assert.deepEqual(await states('?with_availability_for=nobody'), { gala: null, series: null })
      assert.equal((await server.ask<RowData>(200, 'GET', `/${web}`)).best_availability_state, 100)
      assert.equal('best_availability_state' in (await server.ask<RowData>(200, 'GET', '/')), false)
    })

    it('is nothing of what is sold out, and reserved of what is in carts', async () => {
      await resizeAll(server.ev, 0)
      assert.deepEqual(await states(web), { gala: 0, series: 100 })
      await server.ask(200, 'PATCH', `/quotas/${server.shop.rareQuota}/`, { size: 1 })
      await server.ask(201, 'POST', '/cartpositions/', { item: server.shop.rare, price: '10.00' })
      assert.deepEqual(await states(web), { gala: 20, series: 100 })
    })

    it('is the best of the dates of a series that are still to come', async () => {
      await resizeAll(series.ev, 0)
      assert.equal((await states(web)).series, 0)
      const quotas = await server.call('GET', `${series.ev}/quotas/?subevent=${series.second}`)
      const [quota] = (quotas.body as { results: readonly RowData[] }).results
      await server.call('PATCH', `${series.ev}/quotas/${quota?.id}/`, { size: 5 })
      assert.equal((await states(web)).series, 100)
      const change = (values: RowData) =>
        server.call('PATCH', `${series.ev}/subevents/${series.second}/`, values)
      await change({ active: false })
      assert.equal((await states(web)).series, 0)
      await change({ active: true, date_from: '2020-01-01T10:00:00Z' })
      assert.equal((await states(web)).series, 0)
    })
  })
