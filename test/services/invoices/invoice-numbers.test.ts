import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { eventById } from '../../../server/services/events/events.ts'
import { invoiceByHand } from '../../../server/services/invoices/order-invoices.ts'
import { lockOrder } from '../../../server/services/orders/order-changes.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

/** So many invoices are made at once, and of these every fourth is rolled back. */
const together = 200

for (const engine of engines)
  describe(`the numbers of invoices, on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    it(`follow each other without a gap when ${together} are made at once and some are rolled back`, async () => {
      await server.ask(200, 'PATCH', '/settings/', { invoice_generate: 'admin' })
      const { organizer, event: id, running } = server
      const event = await eventById(running.transactions.database, organizer, id)
      assert.ok(event)
      const place = { organizer, event: id }
      const body = { force: true, positions: [{ item: server.shop.ticket }] }
      const codes: string[] = []
      for (let made = 0; made < together; made += 1) codes.push((await server.order(body)).code)
      const rolledBack = new Error('no, after all')
      const results = await Promise.allSettled(
        codes.map((code, index) =>
          running.transactions.write(async (tx) => {
            const at = { actor: commandActor, place, event }
            const { number } = await invoiceByHand(tx, at, await lockOrder(tx, place, code))
            if (index % 4 === 0) throw rolledBack
            return number
          }),
        ),
      )
      const reasons = results.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
      assert.deepEqual(new Set(reasons), new Set([rolledBack]))
      const stored = await running.transactions.database.all<{ number: string }>(
        sql`SELECT "number" AS number FROM invoice WHERE organizer = ${organizer}`,
      )
      const wanted = Array.from(
        { length: (together * 3) / 4 },
        (_, n) => `GALA-${String(n + 1).padStart(5, '0')}`,
      )
      assert.deepEqual(stored.map(({ number }) => number).toSorted(), wanted)
      const given = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
      assert.deepEqual(given.toSorted(), wanted)
    })
  })
