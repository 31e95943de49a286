import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { type Database, StorageError } from '../../../server/storage/database.ts'
import { engines } from '../../support/engines/engines.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import type { ShownVoucher } from '../../support/ticketing/vouchers.ts'

for (const engine of engines)
  describe(`many vouchers at once, on ${engine.name}`, () => {
    let server: ShopServer
    const batch = <T = ShownVoucher[]>(body: unknown, status = 201): Promise<T> =>
      server.ask(status, 'POST', '/vouchers/batch_create/', body)
    const count = async (): Promise<number> =>
      (await server.ask<{ count: number }>(200, 'GET', '/vouchers/')).count
    /** What is wrong with each entry: the fields that are spoken of. */
    const keysOf = async (answer: Promise<RowData[]>): Promise<string[]> =>
      (await answer).map((errors) => Object.keys(errors).join())

    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    it('are answered as they were asked for, with codes for those that have none', async () => {
      const made = await batch([
        { code: 'first', tag: 'a' },
        { tag: 'b' },
        { tag: 'c', item: server.shop.ticket },
      ])
      assert.deepEqual(
        made.map(({ tag }) => tag),
        ['a', 'b', 'c'],
      )
      const [first, ...others] = made.map(({ code }) => code)
      assert.equal(first, 'FIRST')
      for (const code of others) assert.match(code, /^[ABCDEFGHKLMNPQRSTUVWXYZ2-9]{16}$/)
      for (const voucher of made)
        assert.deepEqual(await server.ask(200, 'GET', `/vouchers/${voucher.id}/`), voucher)
      const rows = await server.running.transactions.database.all(
        sql`SELECT id FROM audit WHERE action = 'ticketsvc.event.voucher.added'`,
      )
      assert.equal(rows.length, 3)
    })

    it('may be none', async () => {
      const before = await count()
      assert.deepEqual(await batch([]), [])
      assert.equal(await count(), before)
    })

    it('are all refused when one is, each with its own errors', async () => {
      await batch([{ code: 'TAKEN-1' }])
      const before = await count()
      const { ticket, rareQuota } = server.shop
      const asked = [
        {},
        { code: 'four', value: 'much' },
        { code: 'NEW-1' },
        { code: 'new-1' },
        { code: 'Taken-1' },
        { item: ticket, quota: rareQuota },
        { item: 4711 },
        7,
        { max_usages: 0 },
      ]
      const readable = asked.filter(
        (one) => typeof one === 'object' && !('max_usages' in one) && !('value' in one),
      )
      assert.deepEqual(await keysOf(batch(asked, 400)), [
        '',
        'code,value',
        '',
        '',
        '',
        '',
        '',
        'non_field_errors',
        'max_usages',
      ])
      assert.deepEqual(await keysOf(batch(readable, 400)), [
        '',
        '',
        'code',
        'code',
        'non_field_errors',
        'item',
      ])
      assert.equal(await count(), before)
    })

    it('share a quota with each other', async () => {
      const product = await server.ask<{ id: number }>(201, 'POST', '/items/', {
        name: 'B',
        default_price: '1',
      })
      const quota = { name: 'B', size: 5, items: [product.id] }
      const { id } = await server.ask<{ id: number }>(201, 'POST', '/quotas/', quota)
      const blocking = (max_usages: number): RowData => ({ item: product.id, block_quota: true, max_usages })
      const before = await count()
      assert.deepEqual(await keysOf(batch([2, 2, 2].map(blocking), 400)), ['', '', 'non_field_errors'])
      const ofQuota = { quota: id, block_quota: true, max_usages: 3 }
      assert.deepEqual(await keysOf(batch([blocking(3), ofQuota], 400)), ['', 'non_field_errors'])
      assert.equal(await count(), before)
      await batch([blocking(2), blocking(2), { ...ofQuota, max_usages: 1 }])
      const { available_number } = await server.ask<RowData>(200, 'GET', `/quotas/${id}/availability/`)
      assert.equal(available_number, 0)
    })

    it('have to be a list', async () => {
      for (const body of [{}, 7, 'text'])
        assert.deepEqual(Object.keys(await batch<RowData>(JSON.stringify(body), 400)), ['non_field_errors'])
      await batch('[{', 400)
      await server.ask(405, 'GET', '/vouchers/batch_create/')
      await server.ask(405, 'PATCH', '/vouchers/batch_create/', {})
    })

    it('are up to a thousand', async () => {
      const before = await count()
      const many = Array.from({ length: 1000 }, (_, n) => ({ tag: `n${n}`, item: server.shop.ticket }))
      const made = await batch(many)
      assert.equal(new Set(made.map(({ code }) => code)).size, 1000)
      assert.equal(made.at(-1)?.tag, 'n999')
      assert.equal(await count(), before + 1000)
      await batch([...many, {}], 400)
      assert.equal(await count(), before + 1000)
    })
  })

describe('vouchers that cannot be locked', () => {
  it('are answered with 409 and when to try again, and nothing is stored', async () => {
    const inner = await openMemory()
    let isHeld = false
    const held: Database = {
      engine: inner.engine,
      all: (statement) => inner.all(statement),
      get: (statement) => inner.get(statement),
      run: (statement) => inner.run(statement),
      remembered: (key, load) => inner.remembered(key, load),
      transaction: (work, turn) =>
        isHeld ? Promise.reject(new StorageError('busy', 'held by another')) : inner.transaction(work, turn),
      script: (text) => inner.script(text),
      close: () => inner.close(),
    }
    const server = await startShop(held)
    const { id } = await server.ask<ShownVoucher>(201, 'POST', '/vouchers/', { code: 'FIRST-1' })
    isHeld = true
    for (const [method, path, body] of [
      ['POST', '/vouchers/', {}],
      ['POST', '/vouchers/batch_create/', [{}, {}]],
      ['PATCH', `/vouchers/${id}/`, { max_usages: 2 }],
      ['PUT', `/vouchers/${id}/`, {}],
    ] as const) {
      const answer = await server.call(method, server.ev + path, body)
      assert.equal(answer.status, 409)
      assert.equal(answer.headers.get('retry-after'), '5')
      assert.deepEqual(Object.keys(answer.body as object), ['detail'])
    }
    isHeld = false
    const { count, results } = await server.ask<{ count: number; results: ShownVoucher[] }>(
      200,
      'GET',
      '/vouchers/',
    )
    assert.deepEqual([count, results[0]?.max_usages], [1, 1])
    await server.close()
  })
})
