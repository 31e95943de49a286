import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { webhook } from '../../../schema/resources/notifications/webhook.ts'
import { webhookActionTypes } from '../../../schema/webhook-actions.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { type FaultyNetwork, faultyNetwork } from '../../support/servers/faulty-network.ts'
import {
  followed,
  makeDevice,
  openVenue,
  startNode,
  type TestNode,
  until,
  type Venue,
} from '../../support/servers/nodes.ts'
import { type Receiver, startReceiver } from '../../support/servers/receiver.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addRow } from '../../support/ticketing/orders.ts'

describe('webhooks upstream of a station', () => {
  let central: TestServer
  let venue: Venue
  let receiver: Receiver
  let station: TestNode
  let network: FaultyNetwork

  beforeEach(async () => {
    central = await startTestServer(undefined, null, { webhookNetworks: ['127.0.0.0/8'] })
    receiver = await startReceiver()
    venue = await openVenue(central, ['A', 'B'])
    const body = { target_url: receiver.url, all_events: true, action_types: webhookActionTypes }
    assert.equal((await central.call('POST', `${central.org}/webhooks/`, body)).status, 201)
    network = faultyNetwork()
    station = await startNode({ env: network.env })
    const device = await makeDevice(central, 'North')
    await station.join(central.url, String(device.initialization_token))
    await followed(station)
    await station.setUp(venue.list)
  })
  afterEach(async () => {
    await station.close()
    await central.close()
    await receiver.close()
  })

  const delivered = (): RowData[] => receiver.received.map(({ body }) => JSON.parse(body))
  const waitingAt = ({ transactions }: TestNode) =>
    transactions.database.all(sql`SELECT * FROM webhook_delivery`)

  it('hear once of what happened downstream, whether it was reported at once or later', async () => {
    await station.scan('A')
    await receiver.until(1)
    network.down = true
    await until('it is offline', async () => (await station.link()).state === 'alone')
    await station.scan('B')
    network.down = false
    await receiver.until(2)
    await until('all is reported', async () => (await station.link()).queue === 0)
    assert.deepEqual(
      delivered().map(({ action, orderposition_id }) => [action, orderposition_id]),
      venue.positions.map((position) => ['ticketsvc.event.checkin', position]),
    )
    const sent = await central.running.transactions.database.all(
      sql`SELECT id FROM audit WHERE action = 'ticketsvc.event.checkin'`,
    )
    assert.equal(sent.length, 2)
    assert.equal(receiver.received.length, 2)
  })

  it('hear from the server at the top only, also where a station knows of them', async () => {
    const place = { organizer: central.organizer, event: 0 }
    await station.transactions.write((tx) =>
      addRow(tx, webhook, place, {
        target_url: receiver.url,
        all_events: true,
        action_types: [...webhookActionTypes],
        signing_secret: 'whsec_',
      }),
    )
    await station.scan('A')
    await receiver.until(1)
    await until('all is reported', async () => (await station.link()).queue === 0)
    assert.deepEqual(await waitingAt(station), [])
    assert.equal(receiver.received.length, 1)
  })

  it('hear of contradictions', async () => {
    network.down = true
    await until('it is offline', async () => (await station.link()).state === 'alone')
    await station.scan('A')
    const body = { secret: 'A', lists: [venue.list] }
    assert.equal((await central.call('POST', `${central.org}/checkinrpc/redeem/`, body)).status, 201)
    network.down = false
    await receiver.until(3)
    const found = delivered().find(({ action }) => action === 'ticketsvc.event.conflict.added')
    assert.ok(found, JSON.stringify(delivered()))
    const path = `${central.org}/conflicts/${found.conflict}/`
    const changed = await central.call('PATCH', path, { state: 'resolved', note: 'twins' })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    await receiver.until(4)
    assert.deepEqual(
      delivered()
        .map(({ action }) => String(action))
        .sort(),
      [
        'ticketsvc.event.checkin',
        'ticketsvc.event.checkin',
        'ticketsvc.event.conflict.added',
        'ticketsvc.event.conflict.changed',
      ],
    )
  })
})
