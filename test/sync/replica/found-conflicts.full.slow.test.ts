import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { recordConflict } from '../../../server/services/checkin/conflict-rows.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import { startPair, type TestNode, until } from '../../support/servers/nodes.ts'

const counts = async ({ transactions: { database } }: { transactions: TestNode['transactions'] }) => {
  const row = await database.get<{ kept: number; found: number }>(
    sql`SELECT (SELECT count(*) FROM conflict) AS kept, (SELECT count(*) FROM found_conflict) AS found`,
  )
  return { kept: Number(row?.kept), found: Number(row?.found) }
}

describe('a contradiction that a station has found by itself', () => {
  it('goes once the upstream server knows everything and does not see it', async () => {
    const network = faultyNetwork()
    const { central, station, venue } = await startPair(['A'], { env: network.env })
    try {
      network.down = true
      await until('it knows that it is offline', async () => (await station.link()).state === 'alone')
      assert.equal((await station.scan('A')).status, 'ok')
      const row = await station.transactions.database.get<{ organizer: number; event: number; id: number }>(
        sql`SELECT organizer, event, id FROM checkin`,
      )
      assert.ok(row)
      await station.transactions.write((tx) =>
        recordConflict(
          tx,
          { organizer: row.organizer, event: row.event },
          {
            key: 'by mistake',
            kind: 'canceled_used',
            severity: 'critical',
            position: venue.positions[0] ?? null,
            list: venue.list,
            checkin: row.id,
            other_checkin: null,
            device: null,
            other_device: null,
            datetime: '2030-06-01T10:00:00.000000Z',
            other_datetime: null,
            data: { reason: 'canceled', cause: 'state' },
          },
        ),
      )
      assert.deepEqual(await counts(station), { kept: 1, found: 1 })
      network.down = false
      await until('it is gone', async () => (await counts(station)).kept === 0)
      assert.deepEqual(await counts(station), { kept: 0, found: 0 })
      assert.deepEqual(await counts(central.running), { kept: 0, found: 0 })
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('stays where the upstream server sees it as well', async () => {
    const network = faultyNetwork()
    const { central, station, venue } = await startPair(['A', 'B'], { env: network.env })
    try {
      network.down = true
      await until('it knows that it is offline', async () => (await station.link()).state === 'alone')
      assert.equal((await station.scan('A')).status, 'ok')
      const redeemed = await central.call('POST', `${central.org}/checkinrpc/redeem/`, {
        secret: 'A',
        lists: [venue.list],
      })
      assert.equal(redeemed.status, 201)
      network.down = false
      await until('both know of it', async () => {
        const [upstream, here] = [await counts(central.running), await counts(station)]
        return upstream.kept === 1 && here.kept === 1 && here.found === 0
      })
      // What the station asks for after this is complete as well.
      assert.equal((await station.scan('B')).status, 'ok')
      await until('the scan is reported', async () => (await station.link()).queue === 0)
      assert.deepEqual(await counts(station), { kept: 1, found: 0 })
    } finally {
      await station.close()
      await central.close()
    }
  })
})
