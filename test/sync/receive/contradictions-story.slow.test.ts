import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { clearlyBefore } from '../../support/mocha/clearly-before.ts'
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
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

interface Entrance {
  readonly node: TestNode
  readonly network: FaultyNetwork
}

interface Conflict {
  readonly id: number
  readonly kind: string
}

describe('two entrances below one server', () => {
  let central: TestServer
  let venue: Venue
  let north: Entrance
  let south: Entrance
  const open = async (name: string): Promise<Entrance> => {
    const network = faultyNetwork()
    const node = await startNode({ env: network.env })
    const device = await makeDevice(central, name)
    await node.join(central.url, String(device.initialization_token))
    await followed(node)
    await node.setUp(venue.list)
    return { node, network }
  }
  beforeEach(async () => {
    central = await startTestServer()
    venue = await openVenue(central, ['A', 'B'])
    north = await open('North')
    south = await open('South')
  })
  afterEach(async () => {
    await north.node.close()
    await south.node.close()
    await central.close()
  })

  const conflictsOf = (database: TestServer['running']['transactions']['database']) =>
    database.all<Conflict>(sql`SELECT id, kind FROM conflict ORDER BY id`)
  const atCentral = () => conflictsOf(central.running.transactions.database)
  const at = ({ node }: Entrance) => conflictsOf(node.transactions.database)
  const queueOf = async ({ node }: Entrance) => (await node.link()).queue
  /** Nothing new comes down, but what happens is reported. */
  const hear = ({ network }: Entrance, isHearing: boolean): void => {
    const isSilent = ({ pathname }: URL): boolean => !isHearing && /sync\/(changes|live)/.test(pathname)
    network.instead = (url) => (isSilent(url) ? new Response('', { status: 503 }) : undefined)
    // A question that is held upstream already is not answered either.
    network.spoil = (url, answer) => (isSilent(url) ? new Response('', { status: 503 }) : answer)
  }
  /** As patient as a station can be: whether the upstream server is quick is not what this is about. */
  const patient = { confirm_ms: 5000, strict_wait_ms: 30_000 }
  const set = ({ node }: Entrance, settings: RowData) =>
    node.call('PUT', '/api/v1/station/link/settings/', settings)

  it('let the same ticket in while they are apart, and all three know of it afterwards', async () => {
    north.network.down = true
    south.network.down = true
    for (const { node } of [north, south])
      await until('it is offline', async () => (await node.link()).state === 'alone')
    const results = [await north.node.scan('A'), await south.node.scan('A')]
    assert.deepEqual(
      results.map(({ status, offline }) => [status, offline]),
      [
        ['ok', true],
        ['ok', true],
      ],
    )
    north.network.down = false
    south.network.down = false
    await until('the server knows', async () => (await atCentral()).length === 1)
    const [known] = await atCentral()
    assert.equal(known?.kind, 'double_entry')
    for (const entrance of [north, south]) {
      await until('both know', async () => (await at(entrance)).length === 1)
      assert.deepEqual(await at(entrance), [known])
      await until('everything is reported', async () => (await queueOf(entrance)) === 0)
    }
    const { body } = await central.call('GET', `${central.org}/conflicts/`)
    const { results: shown } = body as { results: RowData[] }
    assert.deepEqual(
      shown.map(({ order, state, severity }) => [order, state, severity]),
      [['OA', 'open', 'critical']],
    )
    const rows = await central.running.transactions.database.all<{ forced: number }>(
      sql`SELECT forced FROM checkin WHERE successful = 1 ORDER BY forced`,
    )
    assert.deepEqual(
      rows.map(({ forced }) => forced),
      [0, 1],
    )
  })

  it('let in once where the second can ask, although it has not heard yet', async () => {
    for (const entrance of [north, south]) await set(entrance, patient)
    hear(south, false)
    const first = await clearlyBefore([north.node.link, south.node.link], () => north.node.scan('B'))
    assert.deepEqual([first.status, first.confirmed], ['ok', true])
    const second = await south.node.scan('B')
    assert.deepEqual(
      [second.status, second.reason, second.confirmed, second.offline],
      ['error', 'already_redeemed', true, false],
    )
    const [earlier] = (second.position as { checkins: RowData[] }).checkins
    assert.equal(earlier?.device, 'North')
    await until('it is taken back above', async () => (await atCentral()).length === 0)
    const rows = await central.running.transactions.database.all<{ successful: number }>(
      sql`SELECT successful FROM checkin ORDER BY successful`,
    )
    assert.deepEqual(
      rows.map(({ successful }) => successful),
      [0, 1],
    )
    hear(south, true)
  })

  it('admit once where the upstream server decides', async () => {
    const settings = { ...patient, strict_lists: [venue.list], strict_fallback: false }
    for (const entrance of [north, south]) await set(entrance, settings)
    hear(south, false)
    const results = [await north.node.scan('A'), await south.node.scan('A')]
    assert.deepEqual(
      results.map(({ status, reason, confirmed }) => [status, reason, confirmed]),
      [
        ['ok', null, true],
        ['error', 'already_redeemed', true],
      ],
    )
    const [earlier] = (results[1]?.position as { checkins: RowData[] } | undefined)?.checkins ?? []
    assert.equal(earlier?.device, 'North')
    south.network.down = true
    const refused = await south.node.scan('B')
    assert.deepEqual([refused.status, refused.reason, refused.offline], ['error', 'error', true])
    assert.deepEqual(await atCentral(), [])
  })
})
