import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { createDevice } from '../../../server/services/devices/devices.ts'
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
  type Venue,
} from '../../support/servers/nodes.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

const addQuota = async (central: TestServer, venue: Venue, size: number): Promise<number> => {
  const body = { name: 'House', size, items: [venue.item], variations: [] }
  const answer = await central.call('POST', `${central.ev}/quotas/`, body)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return Number((answer.body as RowData).id)
}

const sell = (
  node: Pick<TestNode, 'call'>,
  central: TestServer,
  venue: Venue,
  count: number,
  more: RowData = {},
) =>
  node.call('POST', `${central.ev}/orders/`, {
    ...{ status: 'p', payment_provider: 'manual', ...more },
    positions: Array.from({ length: count }, () => ({ item: venue.item })),
  })

const secretsOf = (body: unknown): string[] =>
  (body as { positions: readonly { secret: string }[] }).positions.map(({ secret }) => secret)

describe('a till that loses its network', () => {
  it('sells a group by asking, goes on offline within its lease, and reports all of it', async () => {
    const network = faultyNetwork()
    const { central, station, venue } = await startPair(['A'], { env: network.env })
    const { initialization_token: token } = await makeDevice(central, 'South')
    const south = await startNode()
    try {
      const quota = await addQuota(central, venue, 12)
      const leased = () => countOf(station, 'quota_lease', `quota = ${quota}`)
      await until('the station knows of the quota', async () => (await countOf(station, 'quota')) === 1)
      const priced = await sell(station, central, venue, 6, { simulate: true })
      assert.equal(priced.status, 201, JSON.stringify(priced.body))
      const group = await sell(station, central, venue, 6)
      assert.equal(group.status, 201, JSON.stringify(group.body))
      await until('it has some more at hand', async () => (await leased()) > 1)
      await until('all is reported', async () => (await station.link()).queue === 0)
      network.down = true
      await until('it knows that it is offline', async () => (await station.link()).state === 'alone')
      const soldOffline = await sell(station, central, venue, 1)
      assert.equal(soldOffline.status, 201, JSON.stringify(soldOffline.body))
      const [secret = ''] = secretsOf(soldOffline.body)
      assert.equal((await station.scan(secret)).status, 'ok')
      const refused = await sell(station, central, venue, 6)
      assert.equal(refused.status, 400)
      assert.match(JSON.stringify(refused.body), /Connect it to get more/)
      const web = await sell(central, central, venue, 6)
      assert.equal(web.status, 400, 'what is leased is not sold elsewhere')
      network.down = false
      await until('all is reported', async () => (await station.link()).queue === 0)
      assert.equal(await countOf(central.running, 'order_position', `item = ${venue.item}`), 8)
      assert.equal(await countOf(central.running, 'conflict'), 0)

      await south.join(central.url, String(token))
      await followed(south)
      await south.setUp(venue.list)
      const [known = ''] = secretsOf(group.body)
      assert.equal((await south.scan(known)).status, 'ok')
      assert.equal((await south.scan(secret)).reason, 'already_redeemed')
    } finally {
      await south.close()
      await station.close()
      await central.close()
    }
  })

  it('sells under a hub, whose other station lets the buyer in', async () => {
    const central = await startTestServer()
    const venue = await openVenue(central, ['A'])
    await addQuota(central, venue, 20)
    const device = await makeDevice(central, 'Hub')
    const [hub, till, door] = [await startNode(), await startNode(), await startNode()]
    try {
      await hub.join(central.url, String(device.initialization_token), 'hub')
      await followed(hub)
      const scope = {
        actor: commandActor,
        place: { organizer: central.organizer, event: 0 },
        organizer: { id: central.organizer, slug: 'acme' },
        event: null,
      }
      const joinHub = async (node: TestNode, name: string): Promise<void> => {
        const made = await hub.transactions.write((tx) => createDevice(tx, scope, { name, all_events: true }))
        await node.join(hub.url, String(made.initialization_token))
        await followed(node)
        await node.setUp(venue.list)
      }
      await hub.setUp(venue.list)
      await joinHub(till, 'Till')
      await joinHub(door, 'Door')
      const sold = await sell(till, central, venue, 3)
      assert.equal(sold.status, 201, JSON.stringify(sold.body))
      const [secret = ''] = secretsOf(sold.body)
      await until('the door knows the order', async () => (await countOf(door, 'order_position')) === 4)
      assert.equal((await door.scan(secret)).status, 'ok')
      await until('central knows it', async () => (await countOf(central.running, 'order_position')) === 4)
      await until(
        'the parts are known there',
        async () => (await countOf(central.running, 'quota_lease', 'parent IS NOT NULL AND used = 3')) === 1,
      )
      assert.equal(await countOf(central.running, 'quota_lease', 'parent IS NULL AND used > 0'), 1)
    } finally {
      for (const node of [door, till, hub]) await node.close()
      await central.close()
    }
  })
})
