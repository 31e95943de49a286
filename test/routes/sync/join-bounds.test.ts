import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Joined } from '../../../schema/sync.ts'
import { commandActor, createOrganizer } from '../../../server/services/accounts/accounts.ts'
import { allowSites, returnSites, sitesOf } from '../../../server/services/devices/site-returns.ts'
import { engines } from '../../support/engines/engines.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'
import { addNode, nodeOf } from './node.ts'

for (const engine of engines)
  describe(`numbers for joining, on ${engine.name}`, () => {
    let server: TestServer
    let last = 0
    before(async () => {
      server = await startTestServer(await engine.open())
    })
    after(() => server.close())

    const database = () => server.running.transactions.database
    const newNode = async (): Promise<string> => {
      last += 1
      await addNode(server, last, `node${last}`)
      return `node${last}`
    }
    const ask = (token: string, role: string, site: number | null = null, site_seq = 0) =>
      nodeOf(server, token).post('join/', { protocols: [1], role, site, site_seq })
    const join = async (...asked: Parameters<typeof ask>): Promise<Joined> => {
      const { status, body } = await ask(...asked)
      assert.equal(status, 200, JSON.stringify(body))
      return body as unknown as Joined
    }
    const givenOut = async (): Promise<number> =>
      Number((await database().get<{ next_site: number }>(sql`SELECT next_site FROM node`))?.next_site)
    /** As if what was given so far had been given an hour and a half earlier. */
    const waitAnHour = () =>
      database().run(sql`UPDATE site_grant SET given = replace(given, substr(given, 1, 4), '2020')`)

    for (const [role, size, most] of [
      ['hub', 1024, 8],
      ['station', 1, 20],
    ] as const)
      it(`are given to one ${role} that asks without end ${most} times a day`, async () => {
        const token = await newNode()
        const before = await givenOut()
        const answers = []
        for (let index = 0; index < most + 5; index += 1) answers.push(await ask(token, role))
        const refused = answers.filter(({ status }) => status === 429)
        assert.equal(refused.length, 5)
        assert.match(String(refused[0]?.body.detail), /joined too often/)
        assert.ok(Number(refused[0]?.headers.get('Retry-After')) > 0)
        assert.equal(await givenOut(), before + most * size)
        const other = await ask(await newNode(), 'station')
        assert.equal(other.status, 200)
      })

    it('are owed to the device that never used them, and are not taken from anybody else', async () => {
      const token = await newNode()
      const sites = [(await join(token, 'station')).site, (await join(token, 'station')).site]
      const before = await givenOut()
      for (let index = 0; index < 6; index += 1) {
        await waitAnHour()
        assert.equal((await join(token, 'station')).site, sites[index % 2])
      }
      assert.equal(await givenOut(), before)
      const hub = await newNode()
      const first = await join(hub, 'hub')
      const second = await join(hub, 'hub')
      await waitAnHour()
      const third = await join(hub, 'hub')
      assert.deepEqual([third.site, third.site_end], [first.site, first.site_end])
      const { former_sites: former } = (await database().get<{ former_sites: string }>(
        sql`SELECT former_sites FROM device WHERE site = ${first.site}`,
      )) ?? { former_sites: '' }
      assert.deepEqual(JSON.parse(former), [[second.site, second.site_end]])
    })

    it('are not given again once something was reported under them, or a copy says that it has', async () => {
      const token = await newNode()
      const used = await join(token, 'station')
      await database().run(
        sql`INSERT INTO seen_fact (organizer, nonce, event, kind, site, site_seq, received, status, result)
            VALUES (${server.organizer}, ${`used/${used.site}`}, 0, 'device', ${used.site}, 1, '2030', 'applied', '{}')`,
      )
      const said = await join(token, 'station')
      const next = await join(token, 'station', used.site, 0)
      const after = await join(token, 'station', said.site, 7)
      await waitAnHour()
      const again = await join(token, 'station')
      assert.equal(again.site, next.site)
      await waitAnHour()
      assert.equal((await join(token, 'station')).site, after.site)
    })

    it('end for one organizer and not for others, and come back by command', async () => {
      const other = await server.running.transactions.write(async (tx) => {
        const { id } = await createOrganizer(tx, 'other', 'Other')
        await addDevice(tx, id, 1, 'theirs')
        return id
      })
      const [thief, honest] = [await newNode(), await newNode()]
      const station = await join(honest, 'station')
      await database().run(
        sql`INSERT INTO seen_fact (organizer, nonce, event, kind, site, site_seq, received, status, result)
            VALUES (${server.organizer}, 'honest', 0, 'device', ${station.site}, 1, '2030', 'applied', '{}')`,
      )
      for (let index = 0; index < 3; index += 1) await join(thief, 'hub')
      const number = last - 1
      const inTx = server.running.transactions
      const { given } = await sitesOf(database(), server.organizer)
      await inTx.write((tx) => allowSites(tx, commandActor, server.organizer, given))
      const refused = await ask(await newNode(), 'hub')
      assert.equal(refused.status, 409)
      assert.match(String(refused.body.detail), /gatehouse site return/)
      const theirs = await server.call(
        'POST',
        '/api/v1/organizers/other/sync/join/',
        { protocols: [1], role: 'hub', site: null, site_seq: 0 },
        { Authorization: 'Device theirs' },
      )
      assert.equal(theirs.status, 200, JSON.stringify(theirs.body))
      assert.equal((await sitesOf(database(), other)).given, 1024)

      const back = (device: number) =>
        inTx.write((tx) => returnSites(tx, commandActor, server.organizer, device))
      assert.deepEqual(await back(number), { returned: 2048 })
      assert.deepEqual(await back(last), { returned: 0 })
      const before = await givenOut()
      assert.equal((await join(honest, 'station', station.site, 1)).site, station.site)
      await join(await newNode(), 'hub')
      assert.equal(await givenOut(), before)
      await database().run(sql`UPDATE device SET revoked = 1 WHERE device_id = ${number}`)
      assert.deepEqual(await back(number), { returned: 1024 })
      const row = await database().get(
        sql`SELECT site, site_end, former_sites FROM device WHERE device_id = ${number}`,
      )
      assert.deepEqual({ ...row }, { site: null, site_end: null, former_sites: null })
    })

    it('are given to nodes that joined before the book of them was kept', async () => {
      const token = await newNode()
      const { site } = await join(token, 'station')
      await database().run(sql`DELETE FROM site_grant`)
      assert.equal((await join(token, 'station', site, 3)).site, site)
    })
  })
