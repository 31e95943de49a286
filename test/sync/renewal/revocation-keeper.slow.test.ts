import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { fileIn } from '../../../server/data-address.ts'
import { upstreamRefusal } from '../../../server/services/checkin/upstream-refusals.ts'
import { positionsById } from '../../../server/services/orders/position-hits.ts'
import { ticketOf } from '../../../server/services/orders/positions.ts'
import type { Database } from '../../../server/storage/database.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { carryOver } from '../../../server/sync/renewal/swap.ts'
import { readUpstream } from '../../../server/sync/upstream/upstream.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { openHubOnDisk } from '../../support/servers/hub-on-disk.ts'
import { countOf, startPair, type TestNode, until } from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'
import { openUpstreamNode, type UpstreamNode } from '../receive/upstream-node.ts'

/** Has central give the ticket with a code another one, and waits until the station knows. */
async function revoke(central: TestServer, station: TestNode, code: string): Promise<void> {
  const { database } = central.running.transactions
  const found = await database.get<{ id: number }>(sql`SELECT id FROM order_position WHERE secret = ${code}`)
  const path = `${central.ev}/orderpositions/${found?.id}/regenerate_secrets/`
  assert.equal((await central.call('POST', path, {})).status, 200)
  await until('the station knows of it', async () => (await countOf(station, 'revoked_secret')) === 1)
  assert.equal((await station.scan(code)).reason, 'revoked')
}

/** Puts data back to what it was before a code was revoked; everybody below notices. */
async function putBack(database: Database, code: string): Promise<void> {
  await database.run(
    sql`UPDATE order_position SET secret = ${code}
        WHERE id = (SELECT "position" FROM revoked_secret WHERE secret = ${code})`,
  )
  await database.run(sql`DELETE FROM revoked_secret`)
  await database.run(sql`UPDATE node SET epoch = 'put back' WHERE id = 1`)
}

const loadedAnew = (station: TestNode): Promise<void> =>
  until('the new copy is in use', async () => {
    // While one copy is replaced by another, the one asked may be closed.
    const up = await readUpstream(station.transactions.database).catch(() => undefined)
    return up?.epoch === 'put back'
  })

describe('a code that a station knows as revoked', () => {
  it('stays so where a new copy comes from a hub with an old disk that has not reached its own server yet', async () => {
    const place = await openHubOnDisk(['A', 'B'])
    const { central, venue, station, folder, ofHub } = place
    try {
      await station.setUp(venue.list)
      await revoke(central, station, 'A')

      ofHub.down = true
      await place.again(async () => {
        const disk = openSqlite(fileIn(folder))
        await putBack(disk, 'A')
        await disk.close()
      })
      await loadedAnew(station)
      assert.equal(await countOf(station, 'revoked_secret'), 0)
      assert.equal((await station.scan('A')).reason, 'revoked')
      assert.equal((await station.scan('B')).status, 'ok')
    } finally {
      await place.close()
    }
  })

  it('is good again where central itself was put back to before that', async () => {
    const { central, station } = await startPair(['A'])
    try {
      await revoke(central, station, 'A')
      await putBack(central.running.transactions.database, 'A')
      await loadedAnew(station)
      assert.equal((await station.scan('A')).status, 'ok')
    } finally {
      await station.close()
      await central.close()
    }
  })
})

describe('what is kept of revoked codes', () => {
  const opened: UpstreamNode[] = []
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
  })

  /** A copy in which the same ticket has the code T. */
  async function openCopy(): Promise<UpstreamNode & { readonly position: number }> {
    const copy = await openUpstreamNode(await openMemory(), 100)
    opened.push(copy)
    const { id } = await copy.sell('T')
    return { ...copy, position: id }
  }

  const plan = { since: '2000-01-01T00:00:00.000000Z', reportAgain: false, mayBeOlder: true }

  const refusalOf = (copy: UpstreamNode & { readonly position: number }, code: string) =>
    copy.transactions.write(async (tx) => {
      const [cells] = await positionsById(tx, copy.place.organizer, [copy.position])
      assert.ok(cells)
      return upstreamRefusal(tx, copy.place.organizer, ticketOf(cells), { list: copy.list, code })
    })

  async function openNewest(): Promise<UpstreamNode & { readonly position: number }> {
    const newest = await openCopy()
    const { database, place, position } = newest
    await database.run(sql`UPDATE order_position SET secret = 'T2' WHERE id = ${position}`)
    await database.run(
      sql`INSERT INTO revoked_secret (organizer, event, id, secret, created, "position")
          VALUES (${place.organizer}, ${place.event}, 1, 'T', '2030-06-01T10:00:00.000000Z', ${position})`,
    )
    return newest
  }

  it('goes from one old copy to the next', async () => {
    const [newest, old, older] = [await openNewest(), await openCopy(), await openCopy()]
    await carryOver(newest.transactions, old.transactions, plan).finish()
    assert.equal(await refusalOf(old, 'T'), 'revoked')
    assert.equal(await refusalOf(old, 'another'), null)
    await carryOver(old.transactions, older.transactions, plan).finish()
    assert.equal(await refusalOf(older, 'T'), 'revoked')
  })

  it('ends with news of the ticket, and does not begin again with the next copy', async () => {
    const [newest, old, older] = [await openNewest(), await openCopy(), await openCopy()]
    await carryOver(newest.transactions, old.transactions, plan).finish()
    await old.database.run(sql`UPDATE order_position SET valid_until = '2031-01-01T00:00:00.000000Z'`)
    assert.equal(await refusalOf(old, 'T'), null)
    await carryOver(old.transactions, older.transactions, plan).finish()
    assert.equal(await refusalOf(older, 'T'), null)
  })

  it('is nothing where the new copy knows of it, where it is whole, or where the code is one of another event', async () => {
    const newest = await openNewest()
    const whole = await openCopy()
    await carryOver(newest.transactions, whole.transactions, { ...plan, mayBeOlder: false }).finish()
    assert.equal(await refusalOf(whole, 'T'), null)

    const knowing = await openNewest()
    await carryOver(newest.transactions, knowing.transactions, plan).finish()
    assert.deepEqual(await knowing.database.all(sql`SELECT code FROM kept_refusal`), [])

    const other = await openCopy()
    await newest.database.script('PRAGMA foreign_keys = OFF')
    await newest.database.run(sql`UPDATE revoked_secret SET event = event + 1`)
    await carryOver(newest.transactions, other.transactions, plan).finish()
    assert.equal(await refusalOf(other, 'T'), null)
  })
})
