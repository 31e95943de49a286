import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { findRow } from '../../../server/resource/store.ts'
import type { Place } from '../../../server/resource/transactions.ts'
import { blockedByVouchers } from '../../../server/services/quotas/quota-counts.ts'
import {
  addVoucher,
  lockVouchers,
  type RedeemFailure,
  redeemVoucher,
  releaseVoucher,
} from '../../../server/services/vouchers/voucher-redeem.ts'
import { engines } from '../../support/engines/engines.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'
import { addUsedVoucher } from '../../support/ticketing/vouchers.ts'

const actor: Actor = {
  kind: 'command',
  id: 0,
  name: 'test',
  organizer: null,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
}

const times = <T>(count: number, work: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => work(n))

for (const engine of engines)
  describe(`the uses of a voucher, on ${engine.name}`, () => {
    let server: ShopServer
    let place: Place
    let made = 0

    const add = (values: RowData): Promise<number> => {
      made += 1
      return addUsedVoucher(server, { code: `USES-${made}`, ...values })
    }
    const redeem = (id: number, count = 1, saving = 0): Promise<RedeemFailure | null> =>
      server.running.transactions.write((tx) =>
        redeemVoucher(tx, { actor, place }, id, { order: 'ABCDE', count, saving }),
      )
    const release = (id: number, count = 1, saving = 0): Promise<void> =>
      server.running.transactions.write((tx) =>
        releaseVoucher(tx, { actor, place }, id, { order: 'ABCDE', count, saving }),
      )
    const stored = async (id: number): Promise<unknown[]> => {
      const row = await findRow(server.running.transactions.database, voucher, place, { id })
      return [row?.redeemed, row?.budget_used]
    }

    before(async () => {
      server = await startShop(await engine.open())
      place = { organizer: server.organizer, event: server.event }
    })
    after(() => server.close())

    it('are counted up to what is allowed', async () => {
      const id = await add({ max_usages: 3 })
      assert.equal(await redeem(id, 2), null)
      assert.equal(await redeem(id, 2), 'used up')
      assert.deepEqual(await stored(id), [2, '0.00'])
      assert.equal(await redeem(id), null)
      assert.equal(await redeem(id), 'used up')
      assert.equal(await redeem(999_999_999), 'unknown')
    })

    it('are given back, and never more than there were', async () => {
      const id = await add({ max_usages: 3, redeemed: 2, budget: '10.00', budget_used: '4.00' })
      await release(id, 1, 150)
      assert.deepEqual(await stored(id), [1, '2.50'])
      await release(id, 5, 9999)
      assert.deepEqual(await stored(id), [0, '0.00'])
      await release(999_999_999)
    })

    it('stay within the budget', async () => {
      const id = await add({ max_usages: 9, budget: '10.00' })
      assert.equal(await redeem(id, 1, 600), null)
      assert.equal(await redeem(id, 1, 401), 'budget used up')
      assert.equal(await redeem(id, 1, 400), null)
      assert.equal(await redeem(id, 1, 0), null)
      assert.deepEqual(await stored(id), [3, '10.00'])
      const free = await add({ max_usages: 9 })
      assert.equal(await redeem(free, 1, 1_000_000), null)
      assert.deepEqual(await stored(free), [1, '10000.00'])
    })

    it('are never more than allowed, with 32 at once', async () => {
      const id = await add({ max_usages: 10 })
      const answers = await Promise.all(times(32, () => redeem(id)))
      assert.equal(answers.filter((answer) => answer === null).length, 10)
      assert.equal(answers.filter((answer) => answer === 'used up').length, 22)
      assert.deepEqual(await stored(id), [10, '0.00'])
    })

    it('are never more than allowed, with 32 at once that want several', async () => {
      const id = await add({ max_usages: 25, budget: '100.00' })
      const answers = await Promise.all(times(32, (n) => redeem(id, (n % 3) + 1, 100)))
      const used = answers.reduce<number>((sum, answer, n) => (answer === null ? sum + (n % 3) + 1 : sum), 0)
      const savings = answers.filter((answer) => answer === null).length
      assert.deepEqual(await stored(id), [used, `${savings}.00`])
      assert.ok(used <= 25 && used > 22, String(used))
    })

    it('come out even when 32 at once take and give back', async () => {
      const id = await add({ max_usages: 40, redeemed: 8 })
      await Promise.all(times(32, (n) => (n % 4 === 0 ? release(id) : redeem(id))))
      assert.deepEqual(await stored(id), [8 + 24 - 8, '0.00'])
    })

    it('of two vouchers do not wait for each other, in whatever order they are asked for', async () => {
      const both = [await add({ max_usages: 32 }), await add({ max_usages: 32 })]
      const { transactions } = server.running
      const seen = await Promise.all(
        times(32, (n) =>
          transactions.write(async (tx) => {
            const locked = await lockVouchers(tx, place, n % 2 === 0 ? both : [...both].reverse())
            for (const id of both) await redeemVoucher(tx, { actor, place }, id, { order: 'ABCDE', count: 1 })
            return locked.size
          }),
        ),
      )
      assert.deepEqual(new Set(seen), new Set([2]))
      for (const id of both) assert.deepEqual(await stored(id), [32, '0.00'])
    })

    it('reach the copies of the data and to the audit trail', async () => {
      const id = await add({ max_usages: 3 })
      await redeem(id, 2)
      await release(id, 1)
      const { database } = server.running.transactions
      const entries = await database.all<{ action: string }>(
        sql`SELECT action FROM audit WHERE resource = 'voucher' AND row_id = ${id} ORDER BY id`,
      )
      assert.deepEqual(
        entries.map(({ action }) => action.split('.').at(-1)),
        ['redeemed', 'released'],
      )
      const [change] = await database.all<{ seq: number }>(
        sql`SELECT seq FROM change WHERE resource = 'voucher' AND row_id = ${id}`,
      )
      assert.ok(Number(change?.seq) > 0)
    })

    it('that are left are kept free of the quotas that the vouchers block', async () => {
      const { database } = server.running.transactions
      const { ticket, dinner, adult, child } = server.shop
      const quota = { name: '', size: 100, closed: false, subevent: null }
      const quotas = [
        { ...quota, id: 1, items: [ticket], variations: [] },
        { ...quota, id: server.shop.rareQuota, items: [dinner], variations: [adult] },
        { ...quota, id: 3, items: [ticket, dinner], variations: [adult, child] },
        { ...quota, id: 4, items: [ticket], variations: [], subevent: 7 },
      ]
      const now = '2030-06-01T12:00:00.000000Z'
      const blocked = async (): Promise<unknown[]> => [
        ...(await blockedByVouchers(database, place, quotas, now)).values(),
      ]
      assert.deepEqual(await blocked(), [0, 0, 0, 0])
      await add({ block_quota: true, item: ticket, max_usages: 5, redeemed: 1 })
      await add({ block_quota: true, item: dinner, variation: adult, valid_until: now })
      await add({ block_quota: true, quota: server.shop.rareQuota, max_usages: 10 })
      await add({ item: ticket, max_usages: 100 })
      await add({ block_quota: true, item: ticket, redeemed: 1 })
      await add({ block_quota: true, item: ticket, valid_until: '2030-06-01T11:59:59.999999Z' })
      assert.deepEqual(await blocked(), [4, 11, 5, 0])
      const id = await add({ block_quota: true, item: ticket, max_usages: 2 })
      assert.deepEqual(await blocked(), [6, 11, 7, 0])
      await redeem(id, 2)
      assert.deepEqual(await blocked(), [4, 11, 5, 0])
      assert.deepEqual(await blockedByVouchers(database, place, [], now), new Map())
    })

    it('begin with a new code where the server makes the voucher itself', async () => {
      const row = await server.running.transactions.write((tx) =>
        addVoucher(tx, place, { item: server.shop.ticket, block_quota: true, tag: 'waiting-list' }),
      )
      const shown = await server.ask<RowData>(200, 'GET', `/vouchers/${row.id}/`)
      assert.match(String(shown.code), /^[A-Z2-9]{16}$/)
      assert.deepEqual([shown.tag, shown.max_usages, shown.redeemed], ['waiting-list', 1, 0])
    })
  })
