import assert from 'node:assert/strict'
import type { QuotaFacts } from '../../../server/domain/quotas/quotas.ts'
import { quotaUsage } from '../../../server/services/quotas/quota-usage.ts'
import { bothEngines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

for (const engine of bothEngines)
  describe(`how much of a quota is taken, on ${engine.name}`, () => {
    let server: ShopServer
    let quotas: readonly QuotaFacts[]
    before(async () => {
      server = await startShop(await engine.open())
      const { ticket, dinner, adult, child } = server.shop
      const quota = { name: '', size: 100, closed: false, subevent: null }
      quotas = [
        { ...quota, id: 1, items: [ticket], variations: [] },
        { ...quota, id: 2, items: [dinner], variations: [adult] },
        { ...quota, id: 3, items: [ticket, dinner], variations: [adult, child] },
        { ...quota, id: 4, items: [ticket], variations: [], subevent: 7 },
        { ...quota, id: 5, items: [], variations: [] },
      ]
    })
    after(() => server.close())

    /** Paid and pending of each quota. */
    const usage = async (): Promise<number[][]> => {
      const place = { organizer: server.organizer, event: server.event }
      const taken = await quotaUsage(
        server.running.transactions.database,
        place,
        quotas,
        '2030-01-01T00:00:00.000000Z',
      )
      return quotas.map(({ id }) => [taken.get(id)?.paid ?? -1, taken.get(id)?.pending ?? -1])
    }

    it('counts positions of paid and pending orders, by item, variation and date', async () => {
      const nothing = [0, 0]
      assert.deepEqual(await usage(), [nothing, nothing, nothing, nothing, nothing])
      const { ticket, dinner, adult, child } = server.shop
      const positions = [
        { item: ticket },
        { item: dinner, variation: adult },
        { item: dinner, variation: child },
        { item: dinner, variation: child },
      ]
      const paid = await server.paidOrder({ positions })
      const pending = await server.order({ positions, require_approval: true })
      assert.deepEqual(await usage(), [[1, 1], [1, 1], [4, 4], nothing, nothing])
      await server.ask(204, 'DELETE', `/orderpositions/${paid.positions[1]?.id}/`)
      assert.deepEqual(await usage(), [[1, 1], [0, 1], [3, 4], nothing, nothing])
      await server.ask(200, 'POST', `/orders/${pending.code}/mark_expired/`)
      assert.deepEqual(await usage(), [[1, 0], [0, 0], [3, 0], nothing, nothing])
      await server.ask(200, 'POST', `/orders/${paid.code}/mark_canceled/`)
      assert.deepEqual(await usage(), [nothing, nothing, nothing, nothing, nothing])
    })
  })
