import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import { quotasOf, quotaUsage } from '../../../server/services/quotas/quota-usage.ts'
import { overheard } from '../../bench/statements.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { startShop } from '../../support/ticketing/orders.ts'

/** Ways to tickets that do not look at the rows of all that are sold. */
const quick = /COVERING INDEX position_of_item|INDEX position_of_order|INDEX position_ignored/

describe('counting what is taken of quotas, on SQLite', () => {
  it('looks at the rows of tickets only where they are few', async () => {
    const { database, listen } = overheard(await openMemory())
    const server = await startShop(database)
    const place = { organizer: server.organizer, event: server.event }
    const quotas = await quotasOf(database, place)
    const said = await listen(async () => {
      await quotaUsage(database, place, quotas, '2030-01-01T00:00:00.000000Z')
    })
    const steps: string[] = []
    for (const { text, values } of said) {
      const filled = values.reduce<string>(
        (sum, value) => sum.replace('?', () => (typeof value === 'number' ? `${value}` : `'${value}'`)),
        text,
      )
      const rows = await database.all<{ detail: string }>(sql`${raw(`EXPLAIN QUERY PLAN ${filled}`)}`)
      steps.push(...rows.map(({ detail }) => detail))
    }
    await server.close()
    const ofTickets = steps.filter((step) => /^(SEARCH|SCAN) p\b/.test(step))
    assert.equal(ofTickets.length, 3)
    for (const step of ofTickets) assert.match(step, quick)
    const ofCarts = steps.filter((step) => /^(SEARCH|SCAN) c\b/.test(step))
    assert.equal(ofCarts.length, 1)
    for (const step of ofCarts) assert.match(step, /COVERING INDEX cart_of_item/)
  })
})
