import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { faultyNetwork } from '../../support/servers/faulty-network.ts'
import {
  followed,
  makeDevice,
  openVenue,
  sell,
  startNode,
  type TestNode,
  until,
} from '../../support/servers/nodes.ts'
import { addEvent, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addItem, addList } from '../../support/ticketing/tickets.ts'

describe('a station for lists of two events, away from its server', function () {
  this.timeout(90_000)
  const network = faultyNetwork()
  let central: TestServer
  let station: TestNode
  let device: RowData
  let doors: number
  let hall: { readonly event: number; readonly list: number }

  before(async () => {
    central = await startTestServer()
    doors = (await openVenue(central, ['DAY1', 'DAY2'])).list
    const { organizer } = central
    hall = await central.running.transactions.write(async (tx) => {
      const place = { organizer, event: await addEvent(tx, organizer, 'hall') }
      await sell(tx, organizer, place.event, await addItem(tx, place, 'Seat'), ['SEAT1', 'SEAT2'])
      return { event: place.event, list: await addList(tx, place, 'Hall') }
    })
    device = await makeDevice(central, 'Foyer', { all_events: false, limit_events: ['gala', 'hall'] })
    station = await startNode({ env: network.env })
    await station.join(central.url, String(device.initialization_token))
    await followed(station)
    const place = { organizer: 'acme', event: 'gala', list: doors, lists: [doors, hall.list] }
    const settings = { ...place, direction: 'entry', name: 'Foyer' }
    const answer = await station.call('PUT', '/api/v1/station/settings/', settings)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  })

  after(async () => {
    await station?.close()
    await central?.close()
  })

  const state = async () =>
    (await station.call('GET', '/api/v1/station/')).body as {
      ready: boolean
      settings: { missing_lists: string[]; lists: { name: string }[] }
      counts: { position_count: number; checkin_count: number; capacities?: RowData[] }
    }

  it('judges tickets of both on its own copy, and reports each to its event', async () => {
    network.down = true
    for (const [code, list] of [
      ['DAY1', 'Doors'],
      ['SEAT1', 'Hall'],
    ]) {
      const { status, list: judged } = await station.scan(String(code))
      assert.deepEqual([status, (judged as RowData).name], ['ok', list])
    }
    const { counts } = await state()
    assert.deepEqual([counts.checkin_count, counts.position_count], [2, 4])
    network.down = false
    await until('both are reported', async () => (await station.link()).queue === 0)
    const reported = await central.running.transactions.database.all<{ event: number; list: number }>(
      sql`SELECT event, list FROM checkin WHERE successful = 1 ORDER BY event`,
    )
    assert.deepEqual(
      reported.map(({ event, list }) => [event, list]),
      [
        [central.event, doors],
        [hall.event, hall.list],
      ].toSorted(([a = 0], [b = 0]) => a - b),
    )
  })

  it('has the capacity that its list was given at the server', async () => {
    const path = `${central.org}/events/hall/checkinlists/${hall.list}/`
    assert.equal((await central.call('PATCH', path, { capacity: 1 })).status, 200)
    await until('the capacity is here', async () => (await state()).counts.capacities !== undefined)
    assert.deepEqual((await state()).counts.capacities, [
      { list: hall.list, name: 'Hall', inside: 1, capacity: 1, fullness: 'full' },
    ])
  })

  it('goes on with what is left where its device may not enter one of the events any more', async () => {
    const path = `${central.org}/devices/${device.device_id}/`
    assert.equal((await central.call('PATCH', path, { limit_events: ['gala'] })).status, 200)
    await until('the list is gone', async () => (await state()).settings?.missing_lists.length === 1)
    const { ready, settings } = await state()
    assert.deepEqual(
      [ready, settings.missing_lists, settings.lists.map(({ name }) => name)],
      [true, ['Hall'], ['Doors']],
    )
    assert.equal((await station.scan('DAY2')).status, 'ok')
    assert.deepEqual((await station.scan('SEAT2')).reason, 'invalid')
  })
})
