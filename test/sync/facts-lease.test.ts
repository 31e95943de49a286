import assert from 'node:assert/strict'
import { device } from '../../schema/resources/device.ts'
import { quota } from '../../schema/resources/quota.ts'
import { quotaLease } from '../../schema/resources/quota-lease.ts'
import { blankRow } from '../../server/resource/defaults.ts'
import { findRow, insertRow, updateRow } from '../../server/resource/store.ts'
import { engines } from '../support/engines.ts'
import { type Above, dayAt, openAbove } from './told.ts'

for (const engine of engines)
  describe(`a part of a lease, on ${engine.name}`, () => {
    let above: Above
    let part: Readonly<Record<string, unknown>>
    /** The hub as it was, and as it is since it has joined anew. */
    const former = () => ({ device: above.north.device, site: 1000 })
    const anew = () => ({ device: above.north.device, site: 3000 })

    beforeEach(async () => {
      above = await openAbove(await engine.open())
      const { transactions, place, north, south } = above
      await transactions.write(async (tx) => {
        const id = tx.nextId()
        await insertRow(tx, quota, place, { ...blankRow(quota), id, name: 'House', size: 9 })
        const times = { created: dayAt('10:00'), until: dayAt('14:00') }
        const lease = { ...times, quota: id, used: 0, state: 'open' }
        const whole = { ...lease, id: 70, device: north.device, site: 1000, parent: null, size: 5 }
        part = { ...lease, id: 71, device: south.device, site: 1001, parent: 70, size: 2 }
        await insertRow(tx, quotaLease, place, whole)
        await insertRow(tx, quotaLease, place, part)
        const sites = { site: 3000, site_end: 4000, former_sites: [[1000, 2000]] }
        await updateRow(tx, device, { ...place, event: 0 }, north.device, sites)
      })
    })
    afterEach(() => above.close())

    const end = async (who: { device: number; site: number }) => {
      const applied = await above.apply(above.fact('lease', who, { row: { ...part, state: 'expired' } }))
      const row = await above.transactions.write((tx) => findRow(tx, quotaLease, above.place, 'id', 71))
      return [applied.status, row?.state]
    }

    it('is ended by the hub that gave it', async () => {
      assert.deepEqual(await end(former()), ['applied', 'expired'])
    })

    it('is ended by that hub also after it has joined anew', async () => {
      assert.deepEqual(await end(anew()), ['applied', 'expired'])
    })

    it('is not ended by another one', async () => {
      assert.deepEqual(await end({ device: above.south.device, site: 102 }), ['rejected', 'open'])
    })
  })
