import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import { openHubOnDisk } from '../../support/servers/hub-on-disk.ts'
import {
  countOf,
  followed,
  makeDevice,
  makeDeviceAt,
  openVenue,
  sell,
  startNode,
  type TestNode,
  until,
} from '../../support/servers/nodes.ts'
import { startTestServer } from '../../support/servers/servers.ts'

const stateOf = async (node: TestNode): Promise<string> => (await node.link()).state

describe('a hub between a station and central', () => {
  it('passes everything on, both ways, also what happened while one of them was gone', async () => {
    const [ofHub, ofStation] = [faultyNetwork(), faultyNetwork()]
    const central = await startTestServer()
    const venue = await openVenue(central, ['A', 'B', 'C'])
    const device = await makeDevice(central, 'Hub')
    const hub = await startNode({ env: ofHub.env })
    const station = await startNode({ env: ofStation.env })
    try {
      await hub.join(central.url, String(device.initialization_token), 'hub')
      await followed(hub)
      const own = await makeDeviceAt(hub, central.organizer, 'North')
      await station.join(hub.url, String(own.initialization_token))
      await followed(station)
      assert.ok(station.transactions.site > hub.transactions.site)
      await station.setUp(venue.list)
      await hub.setUp(venue.list)
      await until(
        'the station knows that central is there',
        async () => (await stateOf(station)) === 'online',
      )

      assert.equal((await station.scan('A')).status, 'ok')
      await until('central hears of it', async () => (await countOf(central.running, 'checkin')) === 1)
      const [row] = await central.running.transactions.database.all<{ name: string; site: number }>(
        sql`SELECT device.name, checkin.site FROM checkin JOIN device ON device.id = checkin.device`,
      )
      assert.deepEqual(row, { name: 'North', site: station.transactions.site })
      assert.equal((await hub.scan('A')).reason, 'already_redeemed')

      ofHub.down = true
      await until(
        'the station knows that only the hub is there',
        async () => (await stateOf(station)) === 'hub only',
      )
      assert.equal((await hub.scan('B')).status, 'ok')
      await until(
        'the station hears of it',
        async () => (await countOf(station, 'checkin', 'successful = 1')) === 2,
      )
      assert.equal((await station.scan('B')).reason, 'already_redeemed')

      ofStation.down = true
      await until('the station knows that it is offline', async () => (await stateOf(station)) === 'alone')
      assert.equal((await station.scan('C')).status, 'ok')

      ofHub.down = false
      ofStation.down = false
      const admitted = () => countOf(central.running, 'checkin', 'successful = 1')
      await until('central hears of everything', async () => (await admitted()) === 3)
      await central.running.transactions.write((tx) =>
        sell(tx, central.organizer, central.event, venue.item, ['D']),
      )
      await until('a new ticket arrives', async () => (await countOf(station, 'order_position')) === 4)
      assert.equal(await countOf(central.running, 'conflict'), 0)
    } finally {
      await station.close()
      await hub.close()
      await central.close()
    }
  })

  it('whose disk was put back is loaded anew from, though it has lost nothing and counts further by now', async () => {
    const place = await openHubOnDisk(['A', 'B'])
    const { central, venue, station, folder, toHub } = place
    const kept = await mkdtemp(join(tmpdir(), 'gatehouse-hub-kept-'))
    const sellAtCentral = (codes: readonly string[]) =>
      central.running.transactions.write((tx) =>
        sell(tx, central.organizer, central.event, venue.item, codes),
      )
    const again = async (between: () => Promise<void>): Promise<void> => {
      await place.again(between)
      await followed(place.hub)
    }
    try {
      await again(() => cp(folder, kept, { recursive: true }))
      await sellAtCentral(['C', 'D', 'E'])
      await until('they arrive', async () => (await countOf(station, 'order_position')) === 5)
      toHub.down = true
      await again(async () => {
        await rm(folder, { recursive: true })
        await cp(kept, folder, { recursive: true })
        // The hub gives this a number that it had given to something else.
        const item = { name: { en: 'Evening' } }
        assert.equal((await central.call('PATCH', `${central.ev}/items/${venue.item}/`, item)).status, 200)
      })
      await sellAtCentral(['F', 'G', 'H', 'I', 'J', 'K'])
      await until('the hub has them', async () => (await countOf(place.hub, 'order_position')) === 11)
      toHub.down = false
      // Asked in the moment in which it puts the new copy in place, it does not answer.
      const stationHas = (count: number, table: string, where?: string): Promise<boolean> =>
        countOf(station, table, where).then(
          (found) => found === count,
          () => false,
        )
      await until('so has the station', () => stationHas(11, 'order_position'))
      await until('nothing was missed', () => stationHas(1, 'item', "name LIKE '%Evening%'"))
    } finally {
      await place.close()
      await rm(kept, { recursive: true })
    }
  })
})
