import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Joined } from '../../../schema/sync.ts'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { engines } from '../../support/engines/engines.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addNode, nodeOf } from './node.ts'

for (const engine of engines)
  describe(`joining on ${engine.name}`, () => {
    let server: TestServer
    let last = 0
    before(async () => {
      server = await startTestServer(await engine.open())
    })
    after(() => server.close())

    const newNode = async (values = {}): Promise<{ id: number; token: string }> => {
      last += 1
      const token = `node${last}`
      return { id: await addNode(server, last, token, values), token }
    }
    const ask = (token: string, role: string, site: number | null, site_seq = 0) =>
      nodeOf(server, token).post('join/', { protocols: [1], role, site, site_seq })
    const join = async (token: string, role: string, site: number | null, site_seq = 0): Promise<Joined> => {
      const answer = await ask(token, role, site, site_seq)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as unknown as Joined
    }
    /** As if a node had told of a fact of a site, as the newest of those it made. */
    const tell = (site: number, site_seq: number, copy = '') =>
      server.running.transactions.database.run(
        sql`INSERT INTO seen_fact (organizer, nonce, event, kind, site, site_seq, received, status, result)
            VALUES (${server.organizer}, ${`${site}/${site_seq}${copy}`}, 0, 'device', ${site}, ${site_seq}, '2030', 'applied', '{}')`,
      )

    it('says who and where the device is', async () => {
      const { id, token } = await newNode({ security_profile: 'scan' })
      const joined = await join(token, 'station', null)
      assert.deepEqual(joined.organizer, { id: server.organizer, slug: 'acme' })
      assert.deepEqual(joined.device, { id, device_id: last, name: token })
      assert.equal(joined.security_profile, 'scan')
      assert.equal(joined.protocol, 1)
      assert.equal(joined.site_end, joined.site + 1)
      assert.match(joined.now, /Z$/)
      const { database } = server.running.transactions
      const row = await database.get<{ site: number; site_end: number | null }>(
        sql`SELECT site, site_end FROM device WHERE id = ${id}`,
      )
      assert.deepEqual({ ...row }, { site: joined.site, site_end: null })
    })

    it('gives every device a site of its own, also when they come at once', async () => {
      const nodes = []
      for (let index = 0; index < 8; index += 1) nodes.push(await newNode())
      const joined = await Promise.all(nodes.map(({ token }) => join(token, 'station', null)))
      const sites = joined.map(({ site }) => site)
      assert.equal(new Set(sites).size, sites.length)
      assert.ok(sites.every((site) => site > 0))
    })

    it('gives the same site again to the same data', async () => {
      const { token } = await newNode()
      const { site } = await join(token, 'station', null)
      assert.equal((await join(token, 'station', site)).site, site)
      await tell(site, 41)
      assert.equal((await join(token, 'station', site, 41)).site, site)
      assert.equal((await join(token, 'station', site, 99)).site, site)
    })

    it('gives another one where two facts were reported of one place, however far the copy has gone on', async () => {
      const { token } = await newNode()
      const { site } = await join(token, 'station', null)
      await tell(site, 41)
      await tell(site, 41, ' of the copy')
      const { site: next } = await join(token, 'station', site, 99)
      assert.notEqual(next, site)
      assert.equal((await join(token, 'station', next, 99)).site, next)
    })

    it('gives another one to an old copy of the data, and that is the one that counts then', async () => {
      const { token } = await newNode()
      const { site } = await join(token, 'station', null)
      await tell(site, 41)
      const fresh = await join(token, 'station', site, 40)
      assert.notEqual(fresh.site, site)
      // Nothing was told under the new site yet.
      assert.equal((await join(token, 'station', fresh.site, 0)).site, fresh.site)
    })

    it('gives another one to a copy beside it, and to a device without its data', async () => {
      const { token } = await newNode()
      const first = await join(token, 'station', null)
      const emptied = await join(token, 'station', null)
      const clone = await join(token, 'station', first.site, 1000)
      const foreign = await join(token, 'station', 0)
      assert.equal(new Set([first, emptied, clone, foreign].map(({ site }) => site)).size, 4)
    })

    it('gives a hub a range that is nobody else’s, and refuses hubs of another profile', async () => {
      const [hub, other] = [await newNode(), await newNode()]
      const first = await join(hub.token, 'hub', null)
      const second = await join(other.token, 'hub', null)
      assert.equal(first.site_end - first.site, 1024)
      assert.ok(second.site >= first.site_end)
      const station = await join((await newNode()).token, 'station', null)
      assert.ok(station.site >= second.site_end)
      const again = await join(hub.token, 'hub', first.site, 5)
      assert.deepEqual([again.site, again.site_end], [first.site, first.site_end])
    })

    it('gives a device another site when it becomes a hub or ceases to be one', async () => {
      const { token } = await newNode()
      const station = await join(token, 'station', null)
      const hub = await join(token, 'hub', station.site, 10)
      assert.ok(hub.site !== station.site && hub.site_end - hub.site === 1024)
      const again = await join(token, 'station', hub.site, 10)
      assert.ok(again.site >= hub.site_end)
      assert.equal(again.site_end, again.site + 1)
    })

    it('refuses a hub of a profile that holds less than everything', async () => {
      const { token } = await newNode({ security_profile: 'gate' })
      const answer = await ask(token, 'hub', null)
      assert.equal(answer.status, 403)
      assert.match(String(answer.body.detail), /profile full/)
    })

    it('tells a hub of the access of its own devices, also of those of its former data, and nobody else', async () => {
      const hub = await newNode()
      const first = await join(hub.token, 'hub', null)
      const beneath = (site: number, number: number, name: string) =>
        server.running.transactions.write((tx) =>
          tx.run(
            sql`INSERT INTO device (organizer, id, device_id, unique_serial, initialization_token, name, all_events, limit_events, security_profile, revoked, created, token_hash)
                VALUES (${server.organizer}, ${site * 2 ** 32 + 1}, ${number}, ${name}, ${`once-${name}`}, ${name}, 1, '[]', 'full', 0, ${tx.now}, ${`hash-${name}`})`,
          ),
        )
      await beneath(first.site, 9001, 'mine')
      const second = await join(hub.token, 'hub', null)
      await beneath(second.site + 3, 9002, 'minetoo')
      await beneath(second.site_end + 5, 9003, 'theirs')
      const { text } = await nodeOf(server, hub.token).snapshot()
      for (const name of ['mine', 'minetoo'])
        assert.ok(text.includes(`hash-${name}`) && text.includes(`once-${name}`), name)
      assert.ok(!text.includes('hash-theirs') && !text.includes('once-theirs'))
      const station = await newNode()
      await join(station.token, 'station', null)
      assert.doesNotMatch((await nodeOf(server, station.token).snapshot()).text, /hash-|once-|token_hash/)
    })
  })

describe('joining a hub', () => {
  let server: TestServer
  before(async () => {
    const database = await openMemory()
    await openData(database, realEnv)
    await database.run(sql`UPDATE node SET site = 1024, next_site = 1025, site_end = 1060`)
    server = await startTestServer(database)
  })
  after(() => server.close())

  const join = (token: string, role: string) =>
    nodeOf(server, token).post('join/', { protocols: [1], role, site: null, site_seq: 0 })

  it('gives from its own range, reports to the upstream server, and says when there is nothing left', async () => {
    for (let index = 1; index <= 36; index += 1) await addNode(server, index, `s${index}`)
    assert.deepEqual(
      [(await join('s1', 'station')).body.site, (await join('s2', 'station')).body.site],
      [1025, 1026],
    )
    const hub = (await join('s3', 'hub')).body
    assert.deepEqual([hub.site, hub.site_end], [1027, 1035])
    assert.equal((await join('s4', 'hub')).status, 409)
    for (let index = 5; index < 30; index += 1) assert.equal((await join(`s${index}`, 'station')).status, 200)
    const refused = await join('s31', 'station')
    assert.equal(refused.status, 409)
    assert.match(String(refused.body.detail), /no numbers left/)
    const { database } = server.running.transactions
    const facts = await database.all<{ kind: string; payload: string }>(
      sql`SELECT kind, payload FROM outbox ORDER BY seq`,
    )
    assert.equal(facts.length, 28)
    assert.ok(facts.every(({ kind }) => kind === 'device'))
    const { row } = JSON.parse(facts[0]?.payload ?? '') as { row: Record<string, unknown> }
    assert.deepEqual([row.name, row.site, typeof row.token_hash], ['s1', 1025, 'string'])
  })

  it('reports to the upstream server devices that are made, changed, set up, given a new token and revoked', async () => {
    const { database } = server.running.transactions
    const facts = async () =>
      (await database.all<{ payload: string }>(sql`SELECT payload FROM outbox ORDER BY seq`)).map(
        ({ payload }) => (JSON.parse(payload) as { row: Record<string, unknown> }).row,
      )
    const before = (await facts()).length
    const call = (method: string, path: string, body?: unknown, headers = {}) =>
      server.call(method, path, body, headers)
    const made = (await call('POST', `${server.org}/devices/`, { name: 'New', all_events: true }))
      .body as Record<string, unknown>
    const path = `${server.org}/devices/${made.device_id}/`
    await call('PATCH', path, { name: 'Newer' })
    const about = { hardware_brand: 'a', hardware_model: 'b', software_brand: 'c', software_version: 'd' }
    const set = await call('POST', '/api/v1/device/initialize', {
      token: made.initialization_token,
      ...about,
    })
    const { api_token } = set.body as { api_token: string }
    await call('POST', '/api/v1/device/roll', {}, { Authorization: `Device ${api_token}` })
    await call('POST', `${path}revoke/`)
    const rows = (await facts()).slice(before)
    assert.deepEqual(
      rows.map(({ name, revoked, initialized, token_hash }) => [
        name,
        revoked,
        initialized !== null,
        token_hash !== null,
      ]),
      [
        ['New', false, false, false],
        ['Newer', false, false, false],
        ['Newer', false, true, true],
        ['Newer', false, true, true],
        ['Newer', true, true, true],
      ],
    )
    assert.notEqual(rows[2]?.token_hash, rows[3]?.token_hash)
    assert.equal(rows[3]?.token_hash, rows[4]?.token_hash)
  })
})
