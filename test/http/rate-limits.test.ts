import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa from 'koa'
import sql from 'sql-template-tag'
import { instantOf, realEnv } from '../../server/env.ts'
import { addressKey, limitRates } from '../../server/http/rate-limits.ts'
import { silentLog } from '../../server/log.ts'
import { type Running, startServer } from '../../server/serve.ts'
import { exchangeRates, type Uses } from '../../server/services/operations/rate-use.ts'
import type { Database } from '../../server/storage/database.ts'
import { bothEngines } from '../support/engines/engines.ts'
import { openMemory } from '../support/engines/sqlite-image.ts'
import { makeHandEnv } from '../support/servers/hand-env.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../support/servers/servers.ts'
import { addDevice } from '../support/ticketing/tickets.ts'

const version = '/api/v1/version'

describe('how often somebody may ask', () => {
  let running: Running | undefined
  afterEach(async () => {
    await running?.close()
    running = undefined
  })

  async function start(more: object, stationKey: string | null = null) {
    running = await startServer(
      { database: ':memory:', host: '127.0.0.1', port: 0, stationKey, ...more },
      realEnv,
      silentLog,
      await openMemory(),
    )
    const { url } = running
    await running.transactions.write(async (tx) => {
      const organizer = await addOrganizer(tx, 'acme')
      await addEvent(tx, organizer, 'gala')
      for (const token of ['one', 'two', 'three']) await addToken(tx, organizer, token, allRights)
      await addDevice(tx, organizer, 1, 'machine', { all_events: true })
    })
    const ask = (authorization: string, path = version, headers: Record<string, string> = {}) =>
      fetch(url + path, {
        headers: { ...headers, ...(authorization ? { Authorization: authorization } : {}) },
      })
    const statuses = async (count: number, ...args: Parameters<typeof ask>) => {
      const seen: number[] = []
      for (let time = 0; time < count; time += 1) seen.push((await ask(...args)).status)
      return seen
    }
    return { ask, statuses, url }
  }

  it('is counted for each credential, and answered', async () => {
    const { ask, statuses } = await start({ rateLimit: 4 })
    // The first time it is not known yet that it is somebody.
    assert.deepEqual(await statuses(5, 'Token one'), [200, 200, 200, 200, 200])
    const refused = await ask('Token one')
    assert.equal(refused.status, 429)
    const wait = Number(refused.headers.get('retry-after'))
    assert.ok(wait >= 1 && wait <= 60)
    assert.equal(refused.headers.get('ratelimit-policy'), '"credential";q=4;w=60')
    assert.equal(refused.headers.get('ratelimit'), `"credential";r=0;t=${wait}`)
    assert.deepEqual(Object.keys((await refused.json()) as object), ['detail'])
    await ask('Token two')
    const other = await ask('Token two')
    assert.equal(other.status, 200)
    assert.match(String(other.headers.get('ratelimit')), /^"credential";r=3;t=\d+$/)
  })

  it('is counted for the address where nobody knows who asks', async () => {
    const { ask, statuses } = await start({ rateLimit: 3 })
    await ask('Token one')
    assert.deepEqual(await statuses(2, 'Token guess'), [401, 401])
    assert.deepEqual(await statuses(2, ''), [401, 429])
    assert.equal((await ask('Token another')).status, 429)
    // Who was known before is not kept out by them.
    assert.equal((await ask('Token one')).status, 200)
    assert.equal((await ask('Token two')).status, 429)
  })

  it('costs the address nothing where the caller turns out to be somebody', async () => {
    const { statuses } = await start({ rateLimit: 2 })
    for (const token of ['one', 'two', 'three'])
      assert.deepEqual(await statuses(2, `Token ${token}`), [200, 200])
    assert.deepEqual(await statuses(3, ''), [401, 401, 429])
  })

  it('tells addresses apart behind a proxy, and only there', async () => {
    const behind = await start({ rateLimit: 1, behindProxy: true })
    const from = (address: string) => ({ 'X-Forwarded-For': address })
    const first = async (server: typeof behind, address: string) =>
      (await server.ask('', version, from(address))).status
    assert.deepEqual(
      [
        await first(behind, '192.0.2.1'),
        await first(behind, '192.0.2.1'),
        await first(behind, '192.0.2.2'),
        // What the caller itself says comes before what the proxy adds.
        await first(behind, '198.51.100.9, 192.0.2.2'),
      ],
      [401, 429, 401, 429],
    )
    await running?.close()
    const open = await start({ rateLimit: 1 })
    assert.deepEqual([await first(open, '192.0.2.1'), await first(open, '192.0.2.2')], [401, 429])
  })

  it('does not matter to what nodes tell each other, nor to a station, nor where nothing was said', async () => {
    const { ask, statuses } = await start({ rateLimit: 2 })
    await ask('Device machine')
    const sync = '/api/v1/organizers/acme/sync/ping/'
    const answers = await statuses(5, 'Device machine', sync)
    assert.ok(!answers.includes(429) && !answers.includes(401), String(answers))
    assert.deepEqual(await statuses(4, 'Device nobody', sync), [401, 401, 429, 429])
    await running?.close()
    const station = await start({ rateLimit: 2 }, 'key')
    assert.deepEqual(await station.statuses(4, 'Token one'), [200, 200, 200, 200])
    await running?.close()
    const free = await start({})
    const answer = await free.ask('Token one')
    assert.equal(answer.headers.get('ratelimit'), null)
  })

  it('is counted for the address again once a device was revoked', async () => {
    const { ask, statuses } = await start({ rateLimit: 2 })
    const sync = '/api/v1/organizers/acme/sync/changes/'
    await ask('Device machine')
    await running?.transactions.write((tx) => tx.run(sql`UPDATE device SET revoked = 1`))
    assert.deepEqual(await statuses(4, 'Device machine', sync), [401, 401, 401, 429])
  })

  it('is counted for a household, not for each of its addresses', () => {
    for (const [one, other, isSame] of [
      ['192.0.2.1', '::ffff:192.0.2.1', true],
      ['192.0.2.1', '192.0.2.2', false],
      ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
      ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ] as const)
      assert.equal(addressKey(one) === addressKey(other), isSame, `${one} ${other}`)
  })
})

for (const { name, open } of bothEngines)
  it(`how often somebody may ask is counted together by servers of one database on ${name}`, async () => {
    const database = await open()
    const before = (milliseconds: number): string => instantOf(realEnv.now() - milliseconds)
    const servers = await Promise.all(
      ['one', 'other'].map((self) => startCounting(exchangeRates(database, { self, before }))),
    )
    const [one, other] = servers
    assert.ok(one && other)
    assert.deepEqual([await one.ask(), await one.ask(), await one.ask()], [401, 401, 401])
    assert.equal(await other.ask(), 401)
    await one.exchange()
    await other.exchange()
    assert.deepEqual([await other.ask(), await other.ask()], [401, 429])
    await other.exchange()
    await one.exchange()
    assert.equal(await one.ask(), 429)
    await database.close()
  })

for (const { name, open } of bothEngines)
  it(`what a server of a database counted is given to each of the others once on ${name}`, async () => {
    const database = await open()
    const before = (milliseconds: number): string => instantOf(realEnv.now() - milliseconds)
    let isAway = false
    const broken: Pick<Database, 'transaction' | 'all'> = {
      transaction: async (work) => {
        const result = await database.transaction(work)
        if (isAway) throw new Error('nobody knows whether it was stored')
        return result
      },
      all: (statement) => database.all(statement),
    }
    const one = exchangeRates(broken, { self: 'one', before })
    const other = exchangeRates(database, { self: 'other', before })
    const third = exchangeRates(database, { self: 'third', before })
    const none: Uses = new Map()
    assert.deepEqual(await one(new Map([['address a', 3]])), none)
    assert.deepEqual(await other(new Map([['address a', 1]])), new Map([['address a', 3]]))
    assert.deepEqual(await other(none), none)
    isAway = true
    await assert.rejects(one(new Map([['address b', 2]])))
    isAway = false
    const next = new Map([['address b', 4]])
    assert.deepEqual(await one(next), new Map([['address a', 1]]))
    assert.deepEqual(await other(none), new Map([['address b', 6]]))
    assert.deepEqual(
      await third(none),
      new Map([
        ['address a', 4],
        ['address b', 6],
      ]),
    )
    await database.close()
  })

it('what servers count is exchanged again after it failed, without what cost nothing in the end', async () => {
  const sent: Uses[] = []
  const server = await startCounting(async (uses) => {
    sent.push(uses)
    if (sent.length === 1) throw new Error('the database is away')
    return new Map()
  })
  await server.ask()
  await server.exchange()
  await server.ask()
  await server.ask('/api/open')
  await server.exchange()
  await server.exchange()
  assert.deepEqual(
    sent.map((uses) => [...uses.values()]),
    [[1], [1], []],
  )
})

const listening: Server[] = []
afterEach(() => {
  for (const server of listening.splice(0)) server.close().closeAllConnections()
})

/** A server that knows nobody and lets an address ask five times a minute; its counts are exchanged when a test says so. */
async function startCounting(exchange: (uses: Uses) => Promise<Uses>) {
  const env = makeHandEnv()
  let exchanged = Promise.withResolvers<void>()
  const app = new Koa()
  app.use(async (ctx, next) => {
    await next().catch((cause: { status?: number }) => {
      ctx.status = cause.status ?? 500
    })
  })
  const noting = (uses: Uses): Promise<Uses> => exchange(uses).finally(() => setImmediate(exchanged.resolve))
  app.use(limitRates(5, { exchange: noting, env }))
  app.use((ctx) => {
    ctx.status = ctx.path === '/api/open' ? 200 : 401
  })
  const server = app.listen(0, '127.0.0.1')
  listening.push(server)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ask: async (path = '/api/v1/') => (await fetch(`http://127.0.0.1:${port}${path}`)).status,
    async exchange() {
      exchanged = Promise.withResolvers()
      env.pass(1000)
      await exchanged.promise
    },
  }
}
