import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import { openData } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { recordResults } from '../../server/sync/outbox/outbox-results.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'
import { type Answer, startTestServer, type TestServer } from '../support/servers/servers.ts'
import { addDevice, addList } from '../support/ticketing/tickets.ts'

const key = 'key-of-this-station'
const base = '/api/v1/station/queue/'

/** A machine below a server that nobody can reach. */
async function startBelow(role: 'station' | 'hub', site: number): Promise<TestServer> {
  const database = await openMemory()
  await openData(database, realEnv)
  await database.run(sql`UPDATE node SET site = ${site} WHERE id = 1`)
  await database.run(
    sql`INSERT INTO upstream (id, url, organizer, slug, device, device_name, security_profile, token, role, site, site_end, with_orders, state, settings)
        VALUES (1, 'http://127.0.0.1:9', ${site * 2 ** 32 + 1}, 'acme', 1, 'Here', 'full', 't', ${role}, ${site}, ${site + 10}, 1, 'revoked', '{}')`,
  )
  return startTestServer(database, key)
}

describe('what a station has not reported', () => {
  let station: TestServer
  let nonces: string[] = []
  const call = (server: TestServer, method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, base + path, body, { Authorization: `Station ${key}` })

  beforeEach(async () => {
    station = await startBelow('station', 40)
    const { organizer, event } = station
    nonces = await station.running.transactions.write(async (tx) =>
      [1, 2, 3].map((number) => {
        const order = { code: `A${number}` }
        return tx.fact({ organizer, event }, 1, { kind: 'order', payload: { order } }) ?? ''
      }),
    )
    const refused = {
      nonce: nonces[1] ?? '',
      status: 'rejected',
      reason: 'forbidden',
      detail: 'No.',
    } as const
    await station.running.transactions.database.transaction((tx) =>
      recordResults(tx, [refused], '2030-06-01T10:00:00.000000Z', () => 0),
    )
  })
  afterEach(() => station.close())

  it('is listed by its state', async () => {
    const { body } = await call(station, 'GET', '?state=parked')
    const { count, results } = body as { count: number; results: Record<string, unknown>[] }
    assert.equal(count, 1)
    const { at, ...shown } = results[0] ?? {}
    assert.match(String(at), /^\d{4}-/)
    assert.deepEqual(shown, {
      nonce: nonces[1],
      kind: 'order',
      state: 'parked',
      text: 'Order A2',
      what: 'order',
      subject: 'A2',
      attempts: 1,
      reason: 'forbidden',
      detail: 'No.',
      retry_at: null,
    })
    assert.equal(((await call(station, 'GET', '?state=waiting')).body as { count: number }).count, 2)
    assert.equal(((await call(station, 'GET', '')).body as { count: number }).count, 3)
  })

  it('is reported again when somebody wants it', async () => {
    assert.deepEqual((await call(station, 'POST', 'retry/', { nonces: ['unknown'] })).body, { count: 0 })
    assert.deepEqual((await call(station, 'POST', 'retry/', { nonces: [nonces[1]] })).body, { count: 1 })
    assert.equal(((await call(station, 'GET', '?state=parked')).body as { count: number }).count, 0)
    assert.equal((await call(station, 'POST', 'retry/', { nonces: 'all' })).status, 400)
  })

  it('is taken along in a file, and brought to a hub once', async () => {
    const file = await fetch(`${station.url}${base}export/`, { headers: { Authorization: `Station ${key}` } })
    assert.equal(file.headers.get('content-type'), 'application/x-ndjson')
    assert.match(
      String(file.headers.get('content-disposition')),
      /^attachment; filename="gatehouse-acme-40-\d+\.ndjson"$/,
    )
    const text = await file.text()
    assert.equal(text.trim().split('\n').length, 5)
    assert.deepEqual(Object.keys(JSON.parse(text.split('\n')[0] ?? '')), [
      'format',
      'protocol',
      'organizer',
      'site',
      'device',
      'exported',
      'clock',
    ])
    const own = await call(station, 'POST', 'import/', text)
    assert.equal(own.status, 409, 'a station took a file')
    const hub = await startBelow('hub', 60)
    try {
      const { organizer } = hub
      await hub.running.transactions.write(async (tx) => {
        await tx.run(sql`UPDATE upstream SET organizer = ${organizer}`)
        await addList(tx, { organizer, event: hub.event }, 'Main')
        await addDevice(tx, organizer, 1, 'station', { site: 40, site_end: 41 })
      })
      const brought = await call(hub, 'POST', 'import/', text)
      assert.equal(brought.status, 200)
      const { facts, problems } = brought.body as { facts: number; problems: unknown[] }
      assert.deepEqual([facts, problems.length], [3, 3], 'the events of the station are not those of the hub')
      assert.equal((await call(hub, 'POST', 'import/', text.slice(0, -30))).status, 400)
    } finally {
      await hub.close()
    }
  })

  it('is for the screens of the machine alone', async () => {
    for (const [method, path] of [
      ['GET', ''],
      ['POST', 'retry/'],
      ['GET', 'export/'],
      ['POST', 'import/'],
      ['GET', 'quarantine/'],
      ['POST', 'quarantine/apply/'],
    ] as const)
      assert.equal((await station.call(method, base + path, method === 'POST' ? {} : undefined)).status, 401)
    assert.equal((await call(station, 'DELETE', '')).status, 405)
  })
})
