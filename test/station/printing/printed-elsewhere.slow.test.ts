import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import { resultsOf } from '../../support/servers/asking.ts'
import {
  followed,
  makeDevice,
  openVenue,
  startNode,
  type TestNode,
  until,
  type Venue,
} from '../../support/servers/nodes.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { type PrinterSimulator, startPrinter } from './printer-simulator.ts'

const prints = '/api/v1/station/prints/'

describe('a badge that another station has printed', function () {
  this.timeout(60_000)
  let central: TestServer
  let venue: Venue
  let printer: PrinterSimulator
  const stations: TestNode[] = []

  before(async () => {
    printer = await startPrinter()
    central = await startTestServer()
    venue = await openVenue(central, ['A', 'B'])
    const layout = { name: 'Badge', layout: [], default: true }
    assert.equal((await central.call('POST', `${central.ev}/badgelayouts/`, layout)).status, 201)
    for (const name of ['North', 'South']) {
      const device = await makeDevice(central, name)
      const station = await startNode()
      stations.push(station)
      await station.join(central.url, String(device.initialization_token))
      await followed(station)
      await setUp(station, [])
    }
  })
  after(async () => {
    for (const station of stations) await station.close()
    await central?.close()
    await printer?.close()
  })

  async function setUp(station: TestNode, at_entry: readonly string[]): Promise<void> {
    const answer = await station.call('PUT', '/api/v1/station/settings/', {
      ...{ organizer: 'acme', event: 'gala', list: venue.list, direction: 'entry' },
      printing: { at_entry, at_sale: [] },
      printers: [{ address: `127.0.0.1:${printer.port}`, documents: ['badge'] }],
    })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
  }
  const stationAt = (index: number): TestNode => stations[index] ?? assert.fail('no station')
  const print = (station: TestNode, id: string, more: RowData = {}, headers = {}) =>
    station.call('POST', prints, { id, document: 'badge', subject: venue.positions[0], ...more }, headers)
  const printed = (station: TestNode, id: string) =>
    until(`${id} is printed`, async () => {
      const { body } = await station.call('GET', `${prints}${id}/`)
      return (body as RowData).state === 'printed'
    })
  async function logOf(server: TestNode | TestServer, code = 'A'): Promise<readonly RowData[]> {
    const position = venue.positions[venue.codes.indexOf(code)]
    const { body } = await server.call('GET', `${central.ev}/orderpositions/${position}/printlog/`)
    return resultsOf(body as RowData)
  }

  it('is refused here, with when and where it was, once that was reported', async () => {
    const [north, south] = [stationAt(0), stationAt(1)]
    assert.equal((await print(north, 'north-01')).status, 200)
    await printed(north, 'north-01')
    await until('it is known at the other station', async () => (await logOf(south)).length === 1)
    const refused = await print(south, 'south-01')
    assert.equal(refused.status, 409)
    const { reason, printed: earlier } = refused.body as { reason: string; printed: RowData }
    const [logged] = await logOf(central)
    assert.deepEqual([reason, earlier], ['already_printed', { datetime: logged?.datetime, device: 'North' }])
    assert.equal(printer.papers.length, 1)
  })

  it('comes by itself at one door alone, where the guest goes through both', async () => {
    for (const station of stations) await setUp(station, ['badge'])
    const [north, south] = [stationAt(0), stationAt(1)]
    assert.equal((await north.scan('B')).status, 'ok')
    await until('it is on paper', () => printer.papers.length === 2)
    await until('it is known at the other station', async () => (await logOf(south, 'B')).length === 1)
    const forced = { code: 'B', source: 'hand', force: true }
    const { body } = await south.call('POST', '/api/v1/station/scan/', forced)
    assert.equal((body as RowData).status, 'ok', JSON.stringify(body))
    // What is asked for afterwards comes after what is printed by itself.
    assert.equal((await print(south, 'south-test', { document: 'test' })).status, 200)
    await printed(south, 'south-test')
    assert.equal(printer.papers.length, 3)
    for (const station of stations) await setUp(station, [])
  })

  it('is printed here again only by who may, where staff are asked', async () => {
    const south = stationAt(1)
    const staff = `${central.org}/staff/`
    const { body } = await central.call('POST', staff, { name: 'Bob', role: 'supervisor' })
    const bob = Number((body as RowData).id)
    assert.equal((await central.call('POST', `${staff}${bob}/set_pin/`, { pin: '123456' })).status, 200)
    const again = { again: true }
    const settings = async () =>
      ((await south.call('GET', '/api/v1/station/')).body as { settings: RowData }).settings
    const set = await central.call('PATCH', `${central.org}/settings/`, { entrance_staff_asked: true })
    assert.equal(set.status, 200)
    await until('the station asks for staff', async () => (await settings()).asks_staff === true)
    // Nobody signs in to print for the first time.
    assert.equal((await print(south, 'south-test-2', { document: 'test' })).status, 200)
    const refused = await print(south, 'south-02', again)
    assert.deepEqual((refused.body as RowData).right, 'reprint')
    const leave = await south.call('POST', `${central.org}/pos/step_up/`, {
      ...{ staff: bob, pin: '123456', act: 'reprint', reason: 'Torn' },
    })
    assert.equal(leave.status, 201, JSON.stringify(leave.body))
    const token = String((leave.body as RowData).token)
    assert.equal((await print(south, 'south-03', again, { 'X-Step-Up': token })).status, 200)
    await printed(south, 'south-03')
    await printed(south, 'south-test-2')
    assert.equal(printer.papers.length, 5)
    await until('both are known', async () => (await logOf(stationAt(0))).length === 2)
    const [, second] = (await logOf(central)).toSorted((a, b) =>
      String(a.datetime).localeCompare(String(b.datetime)),
    )
    assert.equal((second?.info as RowData | undefined)?.job, 'south-03')
  })
})
