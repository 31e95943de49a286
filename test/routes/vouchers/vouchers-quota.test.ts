import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { addUsedVoucher, type ShownVoucher } from '../../support/ticketing/vouchers.ts'

const over = '2020-01-01T00:00:00Z'

for (const engine of engines)
  describe(`vouchers that block quota, on ${engine.name}`, () => {
    let server: ShopServer
    let product: number
    let limit: number
    const make = (body: RowData, status = 201): Promise<ShownVoucher> =>
      server.ask(status, 'POST', '/vouchers/', body)
    const change = (id: number, body: RowData, status = 200): Promise<ShownVoucher> =>
      server.ask(status, 'PATCH', `/vouchers/${id}/`, body)
    const left = async (quota = limit): Promise<unknown> =>
      (await server.ask<RowData>(200, 'GET', `/quotas/${quota}/availability/`)).available_number
    const blocking = (max_usages: number, more: RowData = {}): RowData => ({
      ...{ item: product, block_quota: true, max_usages },
      ...more,
    })
    const addQuota = async (size: number, items: readonly number[]): Promise<number> =>
      (await server.ask<{ id: number }>(201, 'POST', '/quotas/', { name: 'Q', size, items })).id

    before(async () => {
      server = await startShop(await engine.open())
    })
    after(() => server.close())

    beforeEach(async () => {
      const body = { name: 'Blocked', default_price: '5.00' }
      product = (await server.ask<{ id: number }>(201, 'POST', '/items/', body)).id
      limit = await addQuota(5, [product])
    })

    it('take what they need, and are refused when there is not enough', async () => {
      await make(blocking(3))
      assert.equal(await left(), 2)
      assert.deepEqual(Object.keys(await make(blocking(3), 400)), ['non_field_errors'])
      assert.equal(await left(), 2)
      await make(blocking(2))
      assert.equal(await left(), 0)
      await make(blocking(1), 400)
      await server.ask(400, 'POST', '/orders/', { positions: [{ item: product }] })
    })

    it('take of their own quota as well as of that of their product', async () => {
      await make({ quota: limit, block_quota: true, max_usages: 4 })
      assert.equal(await left(), 1)
      await make({ quota: limit, block_quota: true, max_usages: 2 }, 400)
      await make(blocking(2), 400)
      await make(blocking(1))
      assert.equal(await left(), 0)
    })

    it('take nothing that they may ignore, that they do not block, or once they are over', async () => {
      await make(blocking(9, { allow_ignore_quota: true }))
      assert.equal(await left(), 0)
      await make(blocking(9, { block_quota: false }))
      await make(blocking(9, { valid_until: over }))
      assert.equal(await left(), 0)
    })

    it('need room in every quota of their product', async () => {
      const narrow = await addQuota(1, [product])
      await make(blocking(2), 400)
      await make(blocking(1))
      assert.deepEqual([await left(), await left(narrow)], [4, 0])
    })

    it('need none where their product has no quota', async () => {
      await server.ask(204, 'DELETE', `/quotas/${limit}/`)
      await make(blocking(9))
    })

    it('keep free what is left of their uses only', async () => {
      await addUsedVoucher(server, { code: `USED-${product}`, ...blocking(4), redeemed: 3 })
      assert.equal(await left(), 4)
    })

    it('are checked again when they begin to block, come back to life, or are for something else', async () => {
      const other = await server.ask<{ id: number }>(201, 'POST', '/items/', {
        name: 'O',
        default_price: '1',
      })
      await addQuota(2, [other.id])
      const quiet = await make(blocking(6, { block_quota: false }))
      await change(quiet.id, { block_quota: true }, 400)
      await change(quiet.id, { max_usages: 5, block_quota: true })
      await change(quiet.id, { item: other.id }, 400)
      await change(quiet.id, { item: other.id, max_usages: 2 })
      assert.equal(await left(), 5)
      const late = await make(blocking(6, { valid_until: over }))
      await change(late.id, { valid_until: null }, 400)
      await change(late.id, { valid_until: null, max_usages: 5 })
      assert.equal(await left(), 0)
    })

    it('are not checked for more uses while they block, nor for what they blocked before', async () => {
      const { id } = await make(blocking(5))
      await change(id, { comment: 'sold out' })
      await change(id, { item: null, quota: limit })
      await change(id, { max_usages: 7 })
      assert.equal(await left(), 0)
      await change(id, { item: product, quota: null, max_usages: 5 })
    })

    it('give back what they block when they are deleted or let go of it', async () => {
      const first = await make(blocking(2))
      const second = await make(blocking(2))
      assert.equal(await left(), 1)
      await server.ask(204, 'DELETE', `/vouchers/${first.id}/`)
      assert.equal(await left(), 3)
      await change(second.id, { block_quota: false })
      assert.equal(await left(), 5)
    })

    it('do not share the last place when they are made at once', async () => {
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => server.call('POST', `${server.ev}/vouchers/`, blocking(1))),
      )
      const statuses = answers.map(({ status }) => status).sort()
      assert.deepEqual(statuses, [...Array(5).fill(201), ...Array(7).fill(400)])
      assert.equal(await left(), 0)
    })

    it('have their codes once, also when they are made at once', async () => {
      const body = { code: `ONCE-${product}` }
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => server.call('POST', `${server.ev}/vouchers/`, body)),
      )
      assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(400)])
      const rows = await server.running.transactions.database.all(
        sql`SELECT id FROM voucher WHERE code = ${body.code}`,
      )
      assert.equal(rows.length, 1)
    })
  })
