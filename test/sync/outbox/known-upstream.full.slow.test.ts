import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Transactions } from '../../../server/resource/transactions.ts'
import { type FaultyNetwork, faultyNetwork } from '../../support/servers/faulty-network.ts'
import { countOf, followed, startPair, type TestNode, until } from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'

/** Has the upstream server seem to have started anew, as it has when its disk was replaced. */
function startAnew(network: FaultyNetwork): void {
  network.spoil = (url, answer) => {
    if (!url.pathname.endsWith('/sync/ping/')) return answer
    const body = answer.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeThrough(
        new TransformStream<string, string>({
          transform: (text, controller) =>
            controller.enqueue(text.replace(/"boot":"[^"]*"/, '"boot":"another"')),
        }),
      )
      .pipeThrough(new TextEncoderStream())
    const headers = new Headers(answer.headers)
    headers.delete('content-length')
    return new Response(body, { status: answer.status, headers })
  }
}

/** Makes a server forget what it was told, as if its disk was put back, and says nothing of it. */
const forget = ({ running }: { running: { transactions: Transactions } }): Promise<void> =>
  running.transactions.write(async (tx) => {
    await tx.run(sql`DELETE FROM checkin`)
    await tx.run(sql`DELETE FROM seen_fact`)
  })

const known = async (central: TestServer, nonces: readonly string[], token: string) => {
  const answer = await fetch(`${central.url}${central.org}/sync/known/`, {
    method: 'POST',
    headers: { Authorization: `Device ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ site: 1, nonces }),
  })
  return { status: answer.status, body: (await answer.json()) as { unknown: string[]; newest: number } }
}

const tokenOf = async (station: TestNode): Promise<string> =>
  String((await station.transactions.database.get<{ token: string }>(sql`SELECT token FROM upstream`))?.token)

describe('what the upstream server still knows', () => {
  let network: FaultyNetwork
  let central: TestServer
  let station: TestNode
  beforeEach(async () => {
    network = faultyNetwork()
    const pair = await startPair(['A', 'B'], { env: network.env })
    central = pair.central
    station = pair.station
    await station.scan('A')
    await until('it is reported', async () => (await countOf(station, 'outbox', "state = 'done'")) === 1)
  })
  afterEach(async () => {
    await station.close()
    await central.close()
  })

  it('is reported again as far as it was forgotten, though nobody says that the disk was put back', async () => {
    await forget(central)
    // What was reported since then has a later number, and does not hide what is missing.
    await station.scan('B')
    await until('that is reported', async () => (await countOf(central.running, 'checkin')) === 1)
    const before = station.transactions
    startAnew(network)
    await until('everything is there', async () => (await countOf(central.running, 'checkin')) === 2)
    await until('another copy is in use', () => station.transactions !== before)
    await followed(station)
    assert.equal(await countOf(station, 'outbox', "state = 'done'"), 2)
    assert.equal((await station.scan('A')).reason, 'already_redeemed')
  })

  it('is asked for once for each start, and nothing is loaded anew where nothing was forgotten', async () => {
    const asked = () => network.asked.get(`${central.org}/sync/known/`) ?? 0
    await until('it was asked', () => asked() === 1)
    const before = station.transactions
    startAnew(network)
    await until('it was asked again', () => asked() === 2)
    const pings = network.asked.get(`${central.org}/sync/ping/`) ?? 0
    await until('it was probed', () => (network.asked.get(`${central.org}/sync/ping/`) ?? 0) > pings)
    assert.equal(asked(), 2)
    assert.equal(station.transactions, before)
  })

  it('is more than the node itself knows where its own disk was put back: it gets a new number', async () => {
    const { site } = station.transactions
    await station.transactions.database.run(sql`DELETE FROM outbox`)
    startAnew(network)
    await until('it has another number', () => station.transactions.site !== site)
    assert.ok(station.transactions.site > site)
  })

  it('is reported once more by a device that was revoked, before it gives its data up', async () => {
    await forget(central)
    const devices = (await central.call('GET', `${central.org}/devices/`)).body as {
      results: { device_id: number }[]
    }
    const path = `${central.org}/devices/${devices.results[0]?.device_id}/revoke/`
    assert.equal((await central.call('POST', path)).status, 200)
    await until('nothing is kept', async () => (await countOf(station, 'order_position')) === 0)
    assert.equal(await countOf(central.running, 'quarantine'), 1)
  })

  it('is asked for last of all by a device that was revoked: what is forgotten by then is reported again', async () => {
    await forget(central)
    let isPutBack = false
    network.spoil = (url, answer) => {
      if (isPutBack || !url.pathname.endsWith('/sync/push/')) return answer
      isPutBack = true
      // What has just been taken into quarantine is gone before the device hears that it is there.
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          await central.running.transactions.write((tx) => tx.run(sql`DELETE FROM quarantine`))
          controller.enqueue(await answer.bytes())
          controller.close()
        },
      })
      return new Response(body, { status: answer.status, headers: answer.headers })
    }
    const devices = (await central.call('GET', `${central.org}/devices/`)).body as {
      results: { device_id: number }[]
    }
    const path = `${central.org}/devices/${devices.results[0]?.device_id}/revoke/`
    assert.equal((await central.call('POST', path)).status, 200)
    await until('nothing is kept', async () => (await countOf(station, 'order_position')) === 0)
    assert.ok(isPutBack)
    assert.equal(await countOf(central.running, 'quarantine'), 1)
  })

  it('keeps a revoked device from forgetting while it is not answered, but not from leaving with nothing', async () => {
    network.instead = (url) =>
      url.pathname.endsWith('/sync/known/') ? new Response('{}', { status: 503 }) : undefined
    const devices = (await central.call('GET', `${central.org}/devices/`)).body as {
      results: { device_id: number }[]
    }
    const asked = (): number => network.asked.get(`${central.org}/sync/known/`) ?? 0
    const path = `${central.org}/devices/${devices.results[0]?.device_id}/revoke/`
    assert.equal((await central.call('POST', path)).status, 200)
    await until('it knows that', async () => (await station.link()).revoked)
    const before = asked()
    await until(
      'everything is reported once more',
      async () => (await countOf(station, 'outbox', "state = 'waiting'")) === 0,
    )
    await until('it has asked', () => asked() >= Math.max(1, before))
    assert.ok((await countOf(station, 'order_position')) > 0)
    assert.equal((await station.call('POST', '/api/v1/station/leave/', { export_done: true })).status, 200)
    assert.equal(await countOf(station, 'order_position'), 0)
    assert.equal(await countOf(station, 'upstream'), 0)
  })

  it('is answered by nonces: what was applied and what is in quarantine is known', async () => {
    const [fact] = await station.transactions.database.all<{ nonce: string; site_seq: number }>(
      sql`SELECT nonce, site_seq FROM outbox`,
    )
    assert.ok(fact)
    await central.running.transactions.write((tx) =>
      tx.run(sql`INSERT INTO quarantine (organizer, nonce, device, received, fact, state)
                 VALUES (${central.organizer}, 'kept', 1, ${tx.now}, '{}', 'discarded')`),
    )
    const token = await tokenOf(station)
    const answer = await known(central, [fact.nonce, 'kept', 'never'], token)
    assert.deepEqual([answer.status, answer.body.unknown], [200, ['never']])
    assert.equal(answer.body.newest, station.transactions.site === 1 ? fact.site_seq : 0)
    assert.equal((await known(central, Array(501).fill('x'), token)).status, 400)
    const stranger = await central.call('POST', `${central.org}/sync/known/`, { site: 1, nonces: [] })
    assert.equal(stranger.status, 403)
  })
})
