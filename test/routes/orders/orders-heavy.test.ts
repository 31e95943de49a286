import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

const lists = 20

for (const engine of engines)
  describe(`${lists} lists of orders at once, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
      const { results } = await server.ask<{ results: RowData[] }>(200, 'GET', '/quotas/')
      for (const { id } of results) await server.ask(200, 'PATCH', `/quotas/${id}/`, { size: null })
      const positions = Array.from({ length: 10 }, () => ({ item: server.shop.ticket, attendee_name: 'Ada' }))
      for (let count = 0; count < 30; count += 1) await server.ask(201, 'POST', '/orders/', { positions })
    })
    after(() => server.close())

    it('are all answered, and whoever scans meanwhile is answered before them', async () => {
      const list = await server.ask<RowData>(201, 'POST', '/checkinlists/', { name: 'Gate' })
      const done: string[] = []
      const asked = Array.from({ length: lists }, async () => {
        const { results } = await server.ask<{ results: { positions: RowData[] }[] }>(
          200,
          'GET',
          '/orders/?pdf_data=true',
        )
        assert.equal(results.length, 30)
        assert.ok(results.every(({ positions }) => positions.length === 10 && positions[0]?.pdf_data))
        done.push('list')
      })
      await asked[0]
      for (let count = 0; count < 5; count += 1) {
        const scan = { secret: 'nobody', lists: [list.id], nonce: `scan${count}` }
        await server.call('POST', `${server.org}/checkinrpc/redeem/`, scan)
        done.push('scan')
      }
      await Promise.all(asked)
      const last = done.lastIndexOf('scan')
      assert.ok(
        last < lists - 2,
        `five scans, one after the other, were answered as number ${last} of ${done}`,
      )
    })
  })
