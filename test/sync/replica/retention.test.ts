import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { forgetGuests, wipe } from '../../../server/sync/replica/retention.ts'
import { countOf, sell, startPair, until } from '../../support/servers/nodes.ts'

const day = 86_400_000
/** The event of the tests is on the first of June 2030. */
const end = Date.UTC(2030, 5, 1, 10)

describe('what stays on a station', () => {
  it('is nobody once an event has been over for a fortnight, but the event itself', async () => {
    const { central, station, venue } = await startPair(['A', 'B'])
    try {
      await station.scan('A')
      await until('everything is reported', async () => (await station.link()).queue === 0)
      assert.deepEqual((await forgetGuests(station.transactions, end + 13 * day)).cleared, [])
      assert.equal(await countOf(station, 'order_position'), 2)
      assert.deepEqual((await forgetGuests(station.transactions, end + 15 * day)).cleared, [central.event])
      for (const table of ['orders', 'order_position', 'checkin', 'position_search', 'outbox'])
        assert.equal(await countOf(station, table), 0, table)
      assert.equal(await countOf(station, 'checkin_list'), 1)
      assert.deepEqual((await forgetGuests(station.transactions, end + 16 * day)).cleared, [])
      assert.equal((await forgetGuests(station.transactions, end)).back, true)
      assert.equal(venue.codes.length, 2)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('is who has not been reported yet, however long ago it was', async () => {
    const { central, station } = await startPair(['A'])
    try {
      await station.transactions.write(async (tx) =>
        tx.fact({ organizer: central.organizer, event: central.event }, null, {
          kind: 'unheard_of',
          payload: {},
        }),
      )
      assert.deepEqual((await forgetGuests(station.transactions, end + 99 * day)).cleared, [])
      assert.equal(await countOf(station, 'order_position'), 1)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('is not found on the disk any more after it was wiped', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-wipe-'))
    try {
      const { central, station, venue } = await startPair(['A'], { database: folder })
      await central.running.transactions.write((tx) =>
        sell(tx, central.organizer, central.event, venue.item, ['veryrarecode']),
      )
      await until('the ticket arrives', async () => (await countOf(station, 'order_position')) === 2)
      const isThere = async () => {
        const files = ['gatehouse.sqlite', 'gatehouse.sqlite-wal'].map((name) =>
          readFile(join(folder, name)).catch(() => Buffer.alloc(0)),
        )
        return Buffer.concat(await Promise.all(files)).includes('veryrarecode')
      }
      assert.equal(await isThere(), true)
      await station.running.sync.leave(true)
      await wipe(station.transactions)
      assert.equal(await isThere(), false)
      assert.deepEqual(await station.transactions.database.all(sql`SELECT id FROM orders`), [])
      await station.close()
      await central.close()
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
