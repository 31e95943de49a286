import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { type FaultyNetwork, faultyNetwork } from '../../support/servers/faulty-network.ts'
import { countOf, followed, startNode, startPair, type TestNode, until } from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'

/** Has a fact of another copy of the station be known already, at the place in the order of the station's next one. */
const tellOfAnother = (central: TestServer, station: TestNode): Promise<number> =>
  central.running.transactions.write((tx) =>
    tx.run(
      sql`INSERT INTO seen_fact (organizer, nonce, event, kind, site, site_seq, received, status, result)
          VALUES (${central.organizer}, 'of another', 0, 'device', ${station.transactions.site}, 1, ${tx.now}, 'applied', '{}')`,
    ),
  )

const isToJoinAnew = async (station: TestNode): Promise<boolean> =>
  (await countOf(station, 'outbox', `result LIKE '%"rejoin":true%'`)) === 1

describe('a node whose number somebody else has as well', () => {
  let folder: string
  let network: FaultyNetwork
  let central: TestServer
  let station: TestNode
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-rejoin-'))
    network = faultyNetwork()
    const pair = await startPair(['A', 'B'], { database: folder, env: network.env })
    central = pair.central
    station = pair.station
    network.instead = (url) =>
      url.pathname.endsWith('/sync/join/') ? new Response('no', { status: 502 }) : undefined
  })
  afterEach(async () => {
    await station.close()
    await central.close()
    await rm(folder, { recursive: true })
  })

  it('gets another one, also when its program ended before it could join anew', async () => {
    const { site } = station.transactions
    await tellOfAnother(central, station)
    await station.scan('A')
    await until('it hears of that', () => isToJoinAnew(station))
    await station.close()
    station = await startNode({ database: folder })
    await until('it has another number', () => station.transactions.site > site)
    await followed(station)
    assert.equal((await station.scan('A')).reason, 'already_redeemed')
  })

  it('gets another one, also when the upstream server has forgotten why meanwhile, and only once', async () => {
    const { site } = station.transactions
    await tellOfAnother(central, station)
    await station.scan('A')
    await until('it hears of that', () => isToJoinAnew(station))
    await central.running.transactions.write((tx) =>
      tx.run(sql`DELETE FROM seen_fact WHERE nonce = 'of another'`),
    )
    network.instead = () => undefined
    await until('it has another number', () => station.transactions.site > site)
    const next = station.transactions.site
    await station.close()
    const asked = (): number => network.asked.get(`${central.org}/sync/known/`) ?? 0
    const before = asked()
    station = await startNode({ database: folder, env: network.env })
    await until('it has asked what is known', () => asked() > before)
    await station.scan('B')
    await until('that is reported', async () => (await countOf(central.running, 'checkin')) === 2)
    assert.equal(station.transactions.site, next)
  })

  it('uses up one number, however many attempts at a new copy fail', async () => {
    const { site } = station.transactions
    let failed = 0
    network.instead = (url) => {
      if (!url.pathname.endsWith('/sync/snapshot/') || failed === 2) return undefined
      failed += 1
      return new Response('no', { status: 410, headers: { 'X-Gatehouse-Sync': '1' } })
    }
    await tellOfAnother(central, station)
    await station.scan('A')
    await until('it has another number', () => station.transactions.site > site)
    assert.equal(failed, 2)
    assert.ok((network.asked.get(`${central.org}/sync/join/`) ?? 0) >= 4)
    assert.equal(station.transactions.site, site + 1)
  })
})
