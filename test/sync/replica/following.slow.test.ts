import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { realEnv } from '../../../server/env.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import {
  countOf,
  followed,
  makeDevice,
  openVenue,
  startNode,
  startPair,
  type TestNode,
  until,
} from '../../support/servers/nodes.ts'
import { addEvent, startTestServer, type TestServer } from '../../support/servers/servers.ts'

const epochOf = async (server: TestServer): Promise<string> =>
  String(
    (
      await server.running.transactions.database.get<{ epoch: string }>(
        sql`SELECT epoch FROM node WHERE id = 1`,
      )
    )?.epoch,
  )

/** Everything that was ever scanned at a node, by the code's position. */
const admitted = async (node: { transactions: TestNode['transactions'] }): Promise<number[]> =>
  (
    await node.transactions.database.all<{ position: number }>(
      sql`SELECT "position" AS position FROM checkin WHERE successful = 1 ORDER BY "position"`,
    )
  ).map((row) => row.position)

describe('a station that follows', () => {
  it('scans while it is offline, and tells of it when it is back', async () => {
    const network = faultyNetwork()
    const { central, station, venue } = await startPair(['A', 'B', 'C'], { env: network.env })
    try {
      network.down = true
      await until('it knows that it is offline', async () => (await station.link()).state === 'alone')
      for (const code of venue.codes) assert.equal((await station.scan(code)).status, 'ok')
      assert.equal((await station.scan('A')).reason, 'already_redeemed')
      const link = await station.link()
      assert.equal(link.queue, 4)
      assert.equal(link.readiness.find((one) => one.name === 'upstream')?.ok, false)
      network.down = false
      await until('everything is reported', async () => (await station.link()).queue === 0)
      assert.deepEqual(await admitted(central.running), [...venue.positions])
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('hears within a moment of what another one has let in', async () => {
    const { central, station, venue } = await startPair(['A', 'B'])
    const device = await makeDevice(central, 'South')
    const other = await startNode()
    try {
      await other.join(central.url, String(device.initialization_token))
      await followed(other)
      await other.setUp(venue.list)
      assert.equal((await other.scan('A')).status, 'ok')
      await until('the first station hears of it', async () => (await admitted(station)).length === 1)
      assert.equal((await station.scan('A')).reason, 'already_redeemed')
    } finally {
      await other.close()
      await station.close()
      await central.close()
    }
  })

  it('forgets what is deleted upstream, and what goes with it', async () => {
    const { central, station } = await startPair(['A', 'B'])
    try {
      const made = await central.call('POST', `${central.ev}/checkinlists/`, {
        name: 'Backstage',
        all_products: true,
      })
      const list = (made.body as { id: number }).id
      await until('the list arrives', async () => (await countOf(station, 'checkin_list')) === 2)
      await station.setUp(list)
      await station.scan('A')
      await until('central knows of the scan', async () => (await countOf(central.running, 'checkin')) === 1)
      const gone = await central.call('DELETE', `${central.ev}/checkinlists/${list}/`)
      assert.equal(gone.status, 204)
      await until('the list is gone', async () => (await countOf(station, 'checkin_list')) === 1)
      assert.equal(await countOf(station, 'checkin'), 0)
      assert.deepEqual(await station.transactions.database.all(sql`PRAGMA foreign_key_check`), [])
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('keeps what was decided here when a list is deleted upstream meanwhile', async () => {
    const network = faultyNetwork()
    const { central, station } = await startPair(['A'], { env: network.env })
    try {
      const made = await central.call('POST', `${central.ev}/checkinlists/`, {
        name: 'Backstage',
        all_products: true,
      })
      const list = (made.body as { id: number }).id
      await until('the list arrives', async () => (await countOf(station, 'checkin_list')) === 2)
      await station.setUp(list)
      network.down = true
      await station.scan('A')
      await central.call('DELETE', `${central.ev}/checkinlists/${list}/`)
      network.down = false
      await until('the list is gone', async () => (await countOf(station, 'checkin_list')) === 1)
      assert.equal(await countOf(station, 'outbox', "kind = 'checkin'"), 1)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('loses an event that its device may not enter any more, and only that', async () => {
    const central = await startTestServer()
    const venue = await openVenue(central, ['A', 'B'])
    await central.running.transactions.write((tx) => addEvent(tx, central.organizer, 'ball'))
    const device = await makeDevice(central, 'North', { all_events: false, limit_events: ['gala', 'ball'] })
    const station = await startNode()
    try {
      await station.join(central.url, String(device.initialization_token))
      await followed(station)
      await station.setUp(venue.list)
      assert.equal(await countOf(station, 'event'), 2)
      await station.scan('A')
      const path = `${central.org}/devices/${device.device_id}/`
      assert.equal((await central.call('PATCH', path, { limit_events: ['ball'] })).status, 200)
      await until('the event is gone', async () => (await countOf(station, 'event')) === 1)
      for (const table of ['orders', 'order_position', 'checkin', 'checkin_list', 'item', 'position_search'])
        assert.equal(await countOf(station, table), 0, table)
      assert.equal((await station.call('GET', '/api/v1/station/')).status, 200)
      assert.equal((await central.call('PATCH', path, { limit_events: ['ball', 'gala'] })).status, 200)
      await until('the event is back', async () => (await countOf(station, 'order_position')) === 2)
      assert.equal((await station.scan('B')).status, 'ok')
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('takes a new copy after a restore upstream, scans on meanwhile and loses nothing of its own', async () => {
    const network = faultyNetwork()
    const codes = Array.from({ length: 40 }, (_, index) => `C${index}`)
    const { central, station, venue } = await startPair(codes, { env: network.env })
    try {
      await station.scan('C0')
      await until('central knows of the scan', async () => (await station.link()).queue === 0)
      const before = await epochOf(central)
      // A backup from before the scan is put back.
      await central.running.transactions.write(async (tx) => {
        await tx.run(sql`DELETE FROM checkin`)
        await tx.run(sql`DELETE FROM seen_fact`)
        await tx.run(sql`UPDATE node SET epoch = ${`${before}-restored`} WHERE id = 1`)
      })
      const old = station.transactions
      let scanned = 1
      await until('another copy is in use', async () => {
        const code = codes[scanned]
        if (code !== undefined && scanned < 30) {
          assert.equal((await station.scan(code)).status, 'ok')
          scanned += 1
        }
        return station.transactions !== old
      })
      await followed(station)
      assert.equal((await station.scan('C0')).reason, 'already_redeemed')
      await until('everything is reported again', async () => (await station.link()).queue === 0)
      assert.deepEqual(await admitted(central.running), venue.positions.slice(0, scanned))
      assert.deepEqual(await admitted(station), venue.positions.slice(0, scanned))
      assert.equal((await station.call('GET', '/api/v1/station/')).status, 200)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('does not undo an annulment by what central knew before it', async () => {
    const network = faultyNetwork()
    const { central, station } = await startPair(['A'], { env: network.env })
    try {
      const scan = await station.scan('A')
      await until('central knows of the scan', async () => (await station.link()).queue === 0)
      network.instead = (url) =>
        url.pathname.endsWith('/push/') ? new Response('', { status: 502 }) : undefined
      const undone = await station.call('POST', '/api/v1/station/undo/', { nonce: scan.nonce })
      assert.equal(undone.status, 200)
      // The row is reported again by central for another reason.
      await central.running.transactions.write(async (tx) => {
        await tx.run(sql`UPDATE checkin SET created = ${tx.now}`)
        const row = await tx.get<{ id: number }>(sql`SELECT id FROM checkin`)
        tx.changed({ organizer: central.organizer, event: central.event }, 'checkin', Number(row?.id), 'put')
      })
      const created = await central.running.transactions.database.get<{ created: string }>(
        sql`SELECT created FROM checkin`,
      )
      await until(
        'the row arrives',
        async () => (await countOf(station, 'checkin', `created = '${created?.created}'`)) === 1,
      )
      assert.deepEqual(await admitted(station), [])
      assert.equal((await station.scan('A')).status, 'ok')
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('is not led astray by the login page of a network', async () => {
    const network = faultyNetwork()
    const { central, station, venue } = await startPair(['A', 'B'], { env: network.env })
    try {
      network.instead = () =>
        new Response('<html>Accept our terms</html>', { headers: { 'Content-Type': 'text/html' } })
      assert.equal((await station.scan('A')).status, 'ok')
      await until('it knows that it is offline', async () => (await station.link()).state === 'alone')
      assert.match(String((await station.link()).problem), /Somebody else answered/)
      assert.equal((await station.link()).queue, 1)
      network.instead = () => new Response('{"detail":"Device access has been revoked."}', { status: 401 })
      const probes = (): number => network.asked.get(`${central.org}/sync/ping/`) ?? 0
      const before = probes()
      // The third is sent once the answers to two have been understood.
      await until('it has heard that', () => probes() > before + 2)
      assert.equal((await station.link()).revoked, false)
      network.instead = () => undefined
      await until('everything is reported', async () => (await station.link()).queue === 0)
      assert.deepEqual(await admitted(central.running), venue.positions.slice(0, 1))
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('tells what it has not reported yet after its access was revoked, and keeps nothing then', async () => {
    const network = faultyNetwork()
    const { central, station } = await startPair(['A', 'B'], { env: network.env })
    try {
      network.instead = (url) =>
        url.pathname.endsWith('/push/') ? new Response('', { status: 502 }) : undefined
      await station.scan('A')
      const devices = (await central.call('GET', `${central.org}/devices/`)).body as {
        results: { device_id: number }[]
      }
      const path = `${central.org}/devices/${devices.results[0]?.device_id}/revoke/`
      assert.equal((await central.call('POST', path)).status, 200)
      await until('it knows', async () => (await station.link()).revoked)
      assert.equal(await countOf(station, 'order_position'), 2)
      assert.equal((await station.link()).queue, 1)
      network.instead = () => undefined
      await until('nothing is kept', async () => (await countOf(station, 'order_position')) === 0)
      for (const table of ['orders', 'checkin', 'position_search', 'outbox', 'event', 'device', 'station'])
        assert.equal(await countOf(station, table), 0, table)
      assert.equal(await countOf(central.running, 'quarantine'), 1)
      assert.equal((await station.link()).revoked, true)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('gives the upstream server up only when nothing waits, and keeps the data', async () => {
    const network = faultyNetwork()
    const { central, station } = await startPair(['A', 'B'], { env: network.env })
    try {
      network.down = true
      await station.scan('A')
      const refused = await station.call('POST', '/api/v1/station/leave/', {})
      assert.equal(refused.status, 409)
      const left = await station.call('POST', '/api/v1/station/leave/', { export_done: true })
      assert.equal(left.status, 200)
      assert.equal((left.body as { role: string }).role, 'alone_by_choice')
      assert.equal(await countOf(station, 'order_position'), 2)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('may join again as another device, and still holds what it had not reported when it left', async () => {
    const network = faultyNetwork()
    const { central, station, venue } = await startPair(['A', 'B'], { env: network.env })
    try {
      network.down = true
      await station.scan('A')
      await station.call('POST', '/api/v1/station/leave/', { export_done: true })
      network.down = false
      const device = await makeDevice(central, 'North again')
      const before = station.transactions.site
      await station.join(central.url, String(device.initialization_token))
      await until('it has another site', () => station.transactions.site !== before)
      await followed(station)
      await until('it was tried', async () => (await station.link()).queue === 0)
      // What another device has done is taken from a file only, which somebody vouches for.
      assert.equal((await station.link()).parked, 1)
      assert.deepEqual(await admitted(station), venue.positions.slice(0, 1))
      assert.equal((await station.scan('A')).reason, 'already_redeemed')
      assert.equal((await station.link()).upstream?.device_name, 'North again')
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('corrects the time of what happens by the time upstream', async () => {
    const network = faultyNetwork()
    const behind = { ...network.env, now: () => network.env.now() - 3_600_000 }
    const { central, station } = await startPair(['A'], { env: behind })
    try {
      const { clock } = await station.link()
      assert.ok(Math.abs(clock.offset - 3_600_000) < 5000, `offset ${clock.offset}`)
      assert.equal(clock.skewed, true)
      await station.scan('A')
      await until('central knows of the scan', async () => (await countOf(central.running, 'checkin')) === 1)
      const row = await central.running.transactions.database.get<{ datetime: string }>(
        sql`SELECT datetime FROM checkin`,
      )
      assert.ok(Math.abs(Date.parse(String(row?.datetime)) - network.env.now()) < 60_000, row?.datetime)
    } finally {
      await station.close()
      await central.close()
    }
  })

  it('follows again with its clock set back by an hour while it was off', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clock-'))
    const { central, station } = await startPair(['A'], { database: folder })
    await station.close()
    const behind = { ...realEnv, now: () => realEnv.now() - 3_600_000 }
    const again = await startNode({ database: folder, env: behind })
    try {
      await followed(again)
      await until('it knows the time', async () => (await again.link()).clock.skewed)
      await again.scan('A')
      await until('central knows of the scan', async () => (await countOf(central.running, 'checkin')) === 1)
      await makeDevice(central, 'Later')
      await until(
        'it hears of what is new',
        async () => (await countOf(again, 'device', "name = 'Later'")) === 1,
      )
    } finally {
      await again.close()
      await central.close()
      rmSync(folder, { recursive: true })
    }
  })
})
