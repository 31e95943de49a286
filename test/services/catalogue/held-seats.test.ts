import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import { eventById } from '../../../server/services/events/events.ts'
import { saleSeats } from '../../../server/services/pricing/sale-seats.ts'
import type { Database } from '../../../server/storage/database.ts'
import { overheard, type Said } from '../../bench/statements.ts'
import { bothEngines } from '../../support/engines/engines.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { sellBySeat } from '../../support/ticketing/seats.ts'

const now = '2030-01-01T00:00:00.000000Z'
const guids = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => `S${from + n}`)

describe('who holds seats, on SQLite', () => {
  it('is looked up by the seat, never by a walk through all tickets, carts or vouchers', async () => {
    const { database, listen } = overheard(await openMemory())
    const server = await startShop(database)
    await sellBySeat(server, server.shop.ticket, guids(0, 4))
    const said: Said[] = []
    for (const query of ['', '?is_available=true', '?is_available=false'])
      said.push(
        ...(await listen(async () => {
          await server.ask(200, 'GET', `/seats/${query}`)
        })),
      )
    const steps: string[] = []
    for (const { text, values } of said.filter((one) => / seat /.test(one.text))) {
      const filled = values.reduce<string>(
        (sum, value) => sum.replace('?', () => (typeof value === 'number' ? `${value}` : `'${value}'`)),
        text,
      )
      const rows = await database.all<{ detail: string }>(sql`${raw(`EXPLAIN QUERY PLAN ${filled}`)}`)
      steps.push(...rows.map(({ detail }) => detail))
    }
    await server.close()
    const ways = { p: /INDEX position_of_seat/, c: /INDEX cart_of_seat/, v: /INDEX voucher_seat/ }
    for (const [name, way] of Object.entries(ways)) {
      const found = steps.filter((step) => new RegExp(`^(SEARCH|SCAN) ${name}\\b`).test(step))
      assert.ok(found.length >= 3, `${name}: ${steps.join('\n')}`)
      for (const step of found) assert.match(step, way)
    }
  })
})

for (const engine of bothEngines)
  describe(`seats with their holders on ${engine.name}`, () => {
    let server: ShopServer
    let database: Database
    let listen: (work: () => Promise<void>) => Promise<readonly Said[]>
    before(async () => {
      const heard = overheard(await engine.open())
      ;({ database, listen } = heard)
      server = await startShop(database)
      await sellBySeat(server, server.shop.ticket, guids(0, 4))
    })
    after(() => server.close())

    /** How many statements each way of reading the seats takes. */
    async function statements(): Promise<number[]> {
      const { organizer, event: id } = server
      const event = await eventById(database, organizer, id)
      assert.ok(event)
      const reads: (() => Promise<unknown>)[] = [
        () => server.ask(200, 'GET', '/seats/?page_size=50'),
        () => server.ask(200, 'GET', '/seats/?is_available=true'),
        () => saleSeats(database, { organizer, event: id }, { event, date: null, now, voucher: '' }),
      ]
      const counts: number[] = []
      for (const read of reads)
        counts.push(
          (
            await listen(async () => {
              await read()
            })
          ).length,
        )
      return counts
    }

    it('are read in as many statements however many there are, and name who holds each', async () => {
      // What a request has to know of the event is read again after each change.
      await statements()
      const few = await statements()
      await sellBySeat(server, server.shop.ticket, guids(4, 44))
      for (const seat of guids(0, 5)) {
        const positions = [{ item: server.shop.ticket, seat }]
        await server.order({ positions })
      }
      await statements()
      assert.deepEqual(await statements(), few)
      const { results } = await server.ask<{ results: { orderposition: number | null }[] }>(
        200,
        'GET',
        '/seats/?page_size=50',
      )
      const held = results.map(({ orderposition }) => orderposition !== null)
      assert.equal(held.length, 44)
      assert.equal(held.filter(Boolean).length, 5)
    })
  })
