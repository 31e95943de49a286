import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { findRow, insertRow, updateRow } from '../../../server/resource/store.ts'
import { countSales } from '../../../server/services/quotas/lease-counting.ts'
import { readOutboxTotals } from '../../../server/services/quotas/lease-outbox.ts'
import { engines } from '../../support/engines/engines.ts'
import { dayAt, openUpstreamNode, type UpstreamNode } from './upstream-node.ts'

for (const engine of engines)
  describe(`a part of a lease, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    let part: StoredRow<typeof quotaLease>
    /** The hub as it was, and as it is since it has joined anew. */
    const former = () => ({ device: upstream.north.device, site: 1000 })
    const anew = () => ({ device: upstream.north.device, site: 3000 })

    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
      const { transactions, place, north, south } = upstream
      await transactions.write(async (tx) => {
        const id = tx.nextId()
        await insertRow(tx, quota, place, { ...blankRow(quota), id, name: 'House', size: 9 })
        const times = { created: dayAt('10:00'), until: dayAt('14:00') }
        const lease = { ...blankRow(quotaLease), ...times, quota: id, used: 0, state: 'open' as const }
        const whole = { ...lease, id: 70, device: north.device, site: 1000, parent: null, size: 5 }
        part = { ...lease, id: 71, device: south.device, site: 1001, parent: 70, size: 2 }
        await insertRow(tx, quotaLease, place, whole)
        await insertRow(tx, quotaLease, place, part)
        const sites = { site: 3000, site_end: 4000, former_sites: [[1000, 2000] as const] }
        await updateRow(tx, device, { ...place, event: 0 }, { id: north.device, ...sites })
      })
    })
    afterEach(() => upstream.close())

    const end = async (who: { device: number; site: number }) => {
      const applied = await upstream.apply(
        upstream.fact('lease', who, { row: { ...part, state: 'expired' } }),
      )
      const row = await upstream.transactions.write((tx) =>
        findRow(tx, quotaLease, upstream.place, { id: 71 }),
      )
      return [applied.status, row?.state]
    }

    it('is ended by the hub that gave it', async () => {
      assert.deepEqual(await end(former()), ['applied', 'expired'])
    })

    it('is ended by that hub also after it has joined anew', async () => {
      assert.deepEqual(await end(anew()), ['applied', 'expired'])
    })

    it('counts what was sold of it before it was reported, whatever is added up anew meanwhile', async () => {
      const { transactions, place, database } = upstream
      const sell = (site: number, event = place.event) =>
        transactions.write((tx) =>
          countSales(tx, { ...place, event }, [{ lease: 72, parent: 70, count: 1 }], site),
        )
      await sell(1001)
      await database.run(sql`INSERT INTO lease_ledger (kind, id, sold, state) VALUES ('read', 0, 5, 'gone')`)
      await transactions.write((tx) => readOutboxTotals(tx, [], []))
      await sell(1001)
      // Not by whom it belongs to.
      await sell(1002)
      await sell(1001, 999)
      await upstream.apply(upstream.fact('lease', former(), { row: { ...part, id: 72 } }))
      const used = async (id: number) =>
        (await transactions.write((tx) => findRow(tx, quotaLease, place, { id })))?.used
      assert.deepEqual([await used(72), await used(70)], [2, 3])
      await sell(1001)
      assert.deepEqual([await used(72), await used(70)], [3, 4])
    })

    it('is never larger than what it is a part of', async () => {
      const { transactions, place } = upstream
      for (const [id, size] of [
        [73, 5],
        [74, 240],
      ]) {
        const row = { ...part, id, size }
        assert.equal((await upstream.apply(upstream.fact('lease', former(), { row }))).status, 'applied')
        const stored = await transactions.write((tx) => findRow(tx, quotaLease, place, { id }))
        assert.equal(stored?.size, 5)
      }
    })

    it('is not ended by another one', async () => {
      assert.deepEqual(await end({ device: upstream.south.device, site: 102 }), ['rejected', 'open'])
    })
  })
