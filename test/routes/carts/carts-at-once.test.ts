import assert from 'node:assert/strict'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { type Database, StorageError } from '../../../server/storage/database.ts'
import { engines } from '../../support/engines/engines.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { amount } from '../../support/mocha/amount.ts'
import { addRow, type ShopServer, startShop } from '../../support/ticketing/orders.ts'

const buyers = 32
const places = 100
const rounds = amount(10, 2)

for (const engine of engines)
  describe(`many buyers at once on ${engine.name}`, () => {
    let server: ShopServer
    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    const addItems = (count: number, size: number): Promise<{ items: number[]; quotas: number[] }> =>
      server.running.transactions.write(async (tx) => {
        const place = { organizer: server.organizer, event: server.event }
        const items: number[] = []
        const quotas: number[] = []
        for (let n = 0; n < count; n += 1) {
          const id = await addRow(tx, item, place, { name: { en: 'Hot' }, default_price: '1.00' })
          items.push(id)
          quotas.push(await addRow(tx, quota, place, { name: 'Hot', size, items: [id] }))
        }
        return { items, quotas }
      })
    const taken = async (id: number): Promise<unknown[]> => {
      const shown = await server.ask<RowData>(200, 'GET', `/quotas/${id}/availability/`)
      return [shown.available_number, Number(shown.cart_positions) + Number(shown.pending_orders)]
    }
    const post = (path: string, body: unknown) => server.call('POST', `${server.ev}${path}`, body)

    /** Buys until there is nothing left; how much. */
    async function buy(id: number, index: number): Promise<number> {
      for (let bought = 0; ; ) {
        const one = { item: id, price: '1.00' }
        if (index % 4 === 3) {
          const answer = await post('/cartpositions/bulk_create/', [one, one, one])
          assert.equal(answer.status, 200)
          const { results } = answer.body as { results: { success: boolean }[] }
          const count = results.filter(({ success }) => success).length
          bought += count
          if (count < results.length) return bought
        } else {
          const answer =
            index % 4 === 2
              ? await post('/orders/', { positions: [{ item: id }] })
              : await post('/cartpositions/', one)
          if (answer.status !== 201) {
            assert.equal(answer.status, 400, JSON.stringify(answer.body))
            return bought
          }
          bought += 1
        }
      }
    }

    it('get all of the last places and not one more', async function () {
      this.timeout(300_000)
      for (let round = 0; round < rounds; round += 1) {
        const { items, quotas } = await addItems(1, places)
        const bought = await Promise.all(
          Array.from({ length: buyers }, (_, index) => buy(items[0] ?? 0, index)),
        )
        assert.equal(
          bought.reduce((sum, count) => sum + count, 0),
          places,
        )
        assert.deepEqual(await taken(quotas[0] ?? 0), [0, places])
      }
    })

    it('do not wait for each other in a circle, whatever the order of what they want', async function () {
      this.timeout(180_000)
      const { items, quotas } = await addItems(2, buyers)
      const answers = await Promise.all(
        Array.from({ length: buyers }, (_, index) => {
          const wanted = index % 2 === 0 ? items : items.toReversed()
          return post(
            '/cartpositions/bulk_create/',
            wanted.map((id) => ({ item: id, price: '1.00' })),
          )
        }),
      )
      assert.deepEqual(
        answers.map(({ status }) => status),
        Array(buyers).fill(200),
      )
      for (const id of quotas) assert.deepEqual(await taken(id), [0, buyers])
    })
  })

describe('a buyer', () => {
  it('is asked to come back when others keep the quota for too long', async () => {
    const database = await openMemory()
    let isLocked = false
    const locked: Database = {
      engine: 'sqlite',
      all: (statement) => database.all(statement),
      get: (statement) => database.get(statement),
      run: (statement) => database.run(statement),
      remembered: (key, load) => database.remembered(key, load),
      script: (text) => database.script(text),
      close: () => database.close(),
      transaction: (work, turn) =>
        isLocked
          ? Promise.reject(new StorageError('busy', new Error('canceling statement due to lock timeout')))
          : database.transaction(work, turn),
    }
    const server = await startShop(locked)
    const cart = { item: server.shop.ticket, price: '1.00' }
    isLocked = true
    for (const [path, body] of [
      ['/cartpositions/', cart],
      ['/cartpositions/bulk_create/', [cart]],
    ] as const) {
      const answer = await server.call('POST', server.ev + path, body)
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [409, '5'])
      assert.deepEqual(Object.keys(answer.body as RowData), ['detail'])
    }
    isLocked = false
    await server.ask(201, 'POST', '/cartpositions/', cart)
    await server.close()
  })
})
