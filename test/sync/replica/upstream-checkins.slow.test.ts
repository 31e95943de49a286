import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { rememberCheckin, upstreamCheckins } from '../../../server/services/checkin/scan-history.ts'
import { readUpstream } from '../../../server/sync/upstream/upstream.ts'
import { engines } from '../../support/engines/engines.ts'
import { countOf, startPair, type TestNode, until, type Venue } from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'
import { dayAt, openUpstreamNode } from '../receive/upstream-node.ts'

describe('somebody who was admitted before the upstream server was restored', () => {
  let central: TestServer
  let station: TestNode
  let venue: Venue
  beforeEach(async () => {
    const pair = await startPair(['A', 'B'])
    central = pair.central
    station = pair.station
    venue = pair.venue
  })
  afterEach(async () => {
    await station.close()
    await central.close()
  })

  /** Has somebody let in elsewhere, and waits until the station knows. */
  async function admitElsewhere(secret: string): Promise<void> {
    const path = `${central.org}/checkinrpc/redeem/`
    const { status } = await central.call('POST', path, { secret, lists: [venue.list] })
    assert.equal(status, 201)
    await until('the station knows of it', async () => (await countOf(station, 'checkin')) > 0)
  }

  /** Puts central back to what it was before anybody came, and waits until the station holds that. */
  async function restore(epoch: string): Promise<void> {
    const { database } = central.running.transactions
    await database.run(sql`DELETE FROM checkin`)
    await database.run(sql`UPDATE node SET epoch = ${epoch} WHERE id = 1`)
    // While one copy is replaced by another, the one asked may be closed.
    await until('the new copy is in use', async () => {
      const up = await readUpstream(station.transactions.database).catch(() => undefined)
      return up?.epoch === epoch
    })
  }

  it('does not come in a second time', async () => {
    await admitElsewhere('A')
    await restore('restored')
    assert.equal(await countOf(station, 'checkin'), 0)
    assert.equal((await station.scan('A')).reason, 'already_redeemed')
    assert.equal((await station.scan('B')).status, 'ok')
  })

  it('is still known when the upstream server is restored once more', async () => {
    await admitElsewhere('A')
    await restore('restored')
    await restore('restored once more')
    assert.equal((await station.scan('A')).reason, 'already_redeemed')
  })
})

for (const engine of engines)
  describe(`check-ins without rows, on ${engine.name}`, () => {
    it('count until their rows are here, annulled ones included', async () => {
      const upstream = await openUpstreamNode(await engine.open(), 100)
      const { transactions, place, list, north } = upstream
      const { id: position } = await upstream.sell('T')
      const pass = {
        id: 77,
        position,
        list,
        type: 'entry' as const,
        datetime: dayAt('09:30'),
        nonce: 'n',
        device: north.device,
        gate: null,
      }
      const keptBeside = (known: Parameters<typeof upstreamCheckins>[2]): Promise<number[]> =>
        transactions.write(async (tx) =>
          (await upstreamCheckins(tx, { organizer: place.organizer, position, list }, known)).map(
            ({ id }) => id,
          ),
        )
      for (let times = 0; times < 2; times += 1)
        await transactions.write((tx) => rememberCheckin(tx, place, pass))
      assert.deepEqual(await keptBeside([]), [77])
      assert.deepEqual(await keptBeside([{ ...pass, id: 78, nonce: 'other' }]), [77])
      assert.deepEqual(await keptBeside([{ ...pass, nonce: null }]), [])
      assert.deepEqual(await keptBeside([{ ...pass, id: 78 }]), [])
      await upstream.close()
    })
  })
