import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { siteSpan } from '../../../schema/sites.ts'
import { outstandingOf } from '../../../server/domain/quotas/leases.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { findRow, insertRow, updateRow } from '../../../server/resource/store.ts'
import { countSales } from '../../../server/services/quotas/lease-counting.ts'
import { readOutboxTotals } from '../../../server/services/quotas/lease-outbox.ts'
import { leasesWhere } from '../../../server/services/quotas/lease-rows.ts'
import { TakenBack } from '../../../server/sync/receive/applier.ts'
import { engines } from '../../support/engines/engines.ts'
import { dayAt, openUpstreamNode, type UpstreamNode } from './upstream-node.ts'

function* permutations<T>(of: readonly T[]): Generator<T[]> {
  if (of.length === 0) yield []
  for (const [index, first] of of.entries())
    for (const rest of permutations(of.toSpliced(index, 1))) yield [first, ...rest]
}

for (const engine of engines)
  describe(`a part of a lease, on ${engine.name}`, () => {
    let upstream: UpstreamNode
    let part: StoredRow<typeof quotaLease>
    /** A device that the hub has made. */
    let below: number
    /** The hub as it was, and as it is since it has joined anew. */
    const former = () => ({ device: upstream.north.device, site: 1000 })
    const anew = () => ({ device: upstream.north.device, site: 3000 })

    beforeEach(async () => {
      upstream = await openUpstreamNode(await engine.open())
      const { transactions, place, north } = upstream
      await transactions.write(async (tx) => {
        const id = tx.nextId()
        await insertRow(tx, quota, place, { ...blankRow(quota), id, name: 'House', size: 9 })
        const times = { created: dayAt('10:00'), until: dayAt('14:00') }
        const lease = { ...blankRow(quotaLease), ...times, quota: id, used: 0, state: 'open' as const }
        const whole = { ...lease, id: 70, device: north.device, site: 1000, parent: null, size: 5 }
        below = 1000 * siteSpan + 9
        const made = { device_id: 9, unique_serial: 'below', name: 'Tablet', created: dayAt('09:00') }
        const byHub = { ...blankRow(device), ...made, id: below, site: 1001 }
        await insertRow(tx, device, { ...place, event: 0 }, byHub)
        part = { ...lease, id: 71, device: below, site: 1001, parent: 70, size: 2 }
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

    const rowOf = (id: number) =>
      upstream.transactions.write((tx) => findRow(tx, quotaLease, upstream.place, { id }))
    /** What becomes of a lease by what the hub reports of it. */
    async function report(row: Partial<StoredRow<typeof quotaLease>>): Promise<string> {
      const fact = upstream.fact('lease', former(), { row: { ...part, ...row } })
      const { status, reason } = await upstream.apply(fact).catch((cause: unknown) => {
        if (cause instanceof TakenBack) return cause.result
        throw cause
      })
      return reason === undefined ? status : `${status} ${reason}`
    }

    it('waits as long as all of them would be more than the whole', async () => {
      assert.equal(await report({ id: 73, size: 240 }), 'retry lease_used_up')
      assert.equal(await report({ id: 73, size: 3 }), 'applied')
      assert.equal(await report({ id: 74, size: 1 }), 'retry lease_used_up')
      assert.equal(await rowOf(74), undefined)
      assert.equal(await report({ id: 73, size: 2, state: 'returned' }), 'applied')
      assert.equal(await report({ id: 74, size: 1 }), 'applied')
      assert.equal(await report({ id: 74, size: 1 }), 'applied')
      assert.equal(await report({ id: 75, size: 1 }), 'retry lease_used_up')
    })

    it('waits for what was sold of the whole itself', async () => {
      const { transactions, place } = upstream
      await transactions.write((tx) =>
        countSales(tx, place, [{ lease: 70, parent: null, count: 2 }], upstream.north.site),
      )
      await transactions.write((tx) => updateRow(tx, quotaLease, place, { id: 70, used: 2 }))
      assert.equal(await report({ id: 73, size: 2 }), 'retry lease_used_up')
      assert.equal(await report({ id: 73, size: 1 }), 'applied')
    })

    it('comes to the same in every order, and all of them are never more than the whole', async () => {
      const { transactions, place } = upstream
      const day = [
        { id: 81, size: 3 },
        { id: 81, size: 1, state: 'returned' as const },
        { id: 82, size: 2 },
        { id: 82, size: 2, state: 'expired' as const },
      ]
      const ends = new Set<string>()
      for (const order of permutations(day)) {
        await transactions.write((tx) => tx.run(sql`DELETE FROM quota_lease WHERE id > 80`))
        for (let waiting = order; waiting.length > 0; ) {
          const again: typeof day = []
          for (const row of waiting) {
            if ((await report(row)).startsWith('retry')) again.push(row)
            const rows = await leasesWhere(transactions.database, place.organizer, sql`parent = 70`)
            const all = rows.reduce((sum, one) => sum + one.used + outstandingOf(one), 0)
            assert.ok(all <= 5, `${all} are promised of 5`)
          }
          assert.ok(again.length < waiting.length, 'something waits for ever')
          waiting = again
        }
        ends.add(JSON.stringify(await leasesWhere(transactions.database, place.organizer, sql`id > 80`)))
      }
      assert.deepEqual(
        [...ends].map((end) => JSON.parse(end).map(({ size, state }: typeof part) => `${size} ${state}`)),
        [['1 returned', '2 expired']],
      )
    })

    it('ends with the whole at the latest, also where it is prolonged', async () => {
      assert.equal(await report({ id: 73, size: 1, until: dayAt('23:00') }), 'applied')
      assert.equal((await rowOf(73))?.until, '2030-06-01T14:00:00Z')
      assert.equal(await report({ until: dayAt('22:00') }), 'applied')
      assert.equal((await rowOf(71))?.until, '2030-06-01T14:00:00Z')
    })

    it('of a whole that is over is over', async () => {
      const { transactions, place } = upstream
      await transactions.write((tx) => updateRow(tx, quotaLease, place, { id: 70, state: 'expired' }))
      assert.equal(await report({ id: 73, size: 2 }), 'applied')
      assert.equal((await rowOf(73))?.state, 'expired')
    })

    it('keeps its share of a whole that is given back', async () => {
      const whole = await rowOf(70)
      assert.equal(await report({ ...whole, size: 0, state: 'returned' }), 'applied')
      assert.deepEqual([(await rowOf(70))?.size, (await rowOf(70))?.state], [2, 'returned'])
    })

    it('is held by a device of that hub, and by no other', async () => {
      const { north, south } = upstream
      for (const holder of [
        { device: south.device, site: 102 },
        { device: south.device, site: 1001 },
        { device: north.device, site: 1001 },
        { device: below, site: 102 },
        { device: below, site: 1000 },
      ])
        assert.equal(await report({ id: 73, size: 1, ...holder }), 'rejected not_theirs')
      assert.equal(await report({ id: 73, size: 1, site: 1002 }), 'applied')
    })

    it('is not ended by another one', async () => {
      assert.deepEqual(await end({ device: upstream.south.device, site: 102 }), ['rejected', 'open'])
    })
  })
