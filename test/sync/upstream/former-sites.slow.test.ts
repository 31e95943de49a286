import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { createDevice } from '../../../server/services/devices/devices.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import { countOf, followed, makeDevice, openVenue, startNode, until } from '../../support/servers/nodes.ts'
import { startTestServer } from '../../support/servers/servers.ts'

describe('a hub that gets other numbers than before', () => {
  it('goes on with its own stations, under the numbers that they had from it', async () => {
    const network = faultyNetwork()
    const central = await startTestServer()
    const venue = await openVenue(central, ['A', 'B', 'C'])
    const device = await makeDevice(central, 'Hub')
    const hub = await startNode({ env: network.env })
    const station = await startNode()
    try {
      await hub.join(central.url, String(device.initialization_token), 'hub')
      await followed(hub)
      await hub.setUp(venue.list)
      const scope = {
        ...{ actor: commandActor, place: { organizer: central.organizer, event: 0 } },
        ...{ organizer: { id: central.organizer, slug: 'acme' }, event: null },
      }
      const own = await hub.transactions.write((tx) =>
        createDevice(tx, scope, { name: 'North', all_events: true }),
      )
      await station.join(hub.url, String(own.initialization_token))
      await followed(station)
      await station.setUp(venue.list)
      await hub.scan('A')
      await until('central hears of it', async () => (await countOf(central.running, 'checkin')) === 1)
      const [siteOfHub, siteOfStation] = [hub.transactions.site, station.transactions.site]

      // As of a disk that was put back: central was told more than the hub knows of.
      network.down = true
      await until('the hub is offline', async () => (await hub.link()).state === 'alone')
      await station.scan('B')
      await until('the hub hears of it', async () => (await countOf(hub, 'checkin')) === 2)
      await hub.transactions.database.run(sql`DELETE FROM outbox WHERE site = ${siteOfHub}`)
      await central.running.transactions.database.run(sql`UPDATE node SET epoch = epoch || 'x'`)
      network.down = false
      await until('the hub has other numbers', () => hub.transactions.site > siteOfHub)
      await followed(hub)
      await followed(station)
      assert.equal(station.transactions.site, siteOfStation)
      assert.equal((await station.scan('C')).status, 'ok')
      await until(
        'central knows of everything',
        async () => (await countOf(central.running, 'checkin')) === 3,
      )
      const rows = await central.running.transactions.database.all<{ site: number; name: string }>(
        sql`SELECT checkin.site, device.name FROM checkin JOIN device ON device.id = checkin.device
            ORDER BY checkin.datetime, checkin.id`,
      )
      assert.deepEqual(
        rows.map(({ site, name }) => [site, name]),
        [
          [siteOfHub, 'Hub'],
          [siteOfStation, 'North'],
          [siteOfStation, 'North'],
        ],
      )
      await until('nothing waits', async () => (await station.link()).queue === 0)
      assert.equal((await station.link()).parked, 0)
      // A device made now has numbers of the new range.
      const later = await hub.transactions.write((tx) =>
        createDevice(tx, scope, { name: 'South', all_events: true }),
      )
      const south = await startNode()
      try {
        await south.join(hub.url, String(later.initialization_token))
        await followed(south)
        assert.ok(south.transactions.site > hub.transactions.site)
      } finally {
        await south.close()
      }
    } finally {
      await station.close()
      await hub.close()
      await central.close()
    }
  })
})
