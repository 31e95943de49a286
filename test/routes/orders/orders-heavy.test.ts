import assert from 'node:assert/strict'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Database } from '../../../server/storage/database.ts'
import { type Engine, engines, quickest } from '../../support/engines/engines.ts'
import { countUrgent } from '../../support/engines/urgent-transactions.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../../support/servers/servers.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

const atOnce = 2
const mayWait = { credential: 20, organizer: 40 }
const tooMany = 3
const orders = 12
const positionsEach = 5
/** Five orders, or as many positions. */
const shownAtOnce = 25

/** The page of orders or positions that a list begins with once it is its turn. */
const isList = (statement: string): boolean =>
  /^SELECT \* FROM orders WHERE .* LIMIT/s.test(statement) || /^SELECT p\.id FROM .* LIMIT/s.test(statement)

/** Asks for the check-ins of those positions that are shown next. */
const checkinsOfPositions = /c\."position" IN \(/

/** A database that holds lists up while it is shut, and counts them and the positions shown at once. */
async function openGuarded(engine: Engine) {
  const real = await engine.open()
  const guard = { lists: 0, most: 0, shut: Promise.resolve(), tooManyLists: () => {} }
  const database: Database = {
    ...real,
    engine: real.engine,
    get: (statement) => real.get(statement),
    run: (statement) => real.run(statement),
    remembered: (key, load) => real.remembered(key, load),
    transaction: (work, turn) => real.transaction(work, turn),
    script: (text) => real.script(text),
    close: () => real.close(),
    async all<T>(statement: Parameters<Database['all']>[0]): Promise<T[]> {
      if (isList(statement.sql)) {
        guard.lists += 1
        if (guard.lists > atOnce) guard.tooManyLists()
        await guard.shut
      }
      if (checkinsOfPositions.test(statement.sql))
        guard.most = Math.max(guard.most, statement.values.length - 1)
      return real.all<T>(statement)
    },
  }
  return { guard, database }
}

for (const engine of engines)
  describe(`lists with what is printed, on ${engine.name}`, () => {
    let server: ShopServer
    let guard: Awaited<ReturnType<typeof openGuarded>>['guard']
    let list: RowData
    before(async () => {
      const opened = await openGuarded(engine)
      guard = opened.guard
      server = await startShop(opened.database)
      const positions = Array.from({ length: positionsEach }, () => ({
        item: server.shop.ticket,
        attendee_name: 'Ada',
      }))
      for (let count = 0; count < orders; count += 1) await server.ask(201, 'POST', '/orders/', { positions })
      list = await server.ask(201, 'POST', '/checkinlists/', { name: 'Gate' })
      await server.running.transactions.write(async (tx) => {
        for (const name of ['other', 'third']) await addToken(tx, server.organizer, name, allRights)
      })
    })
    after(() => server.close())

    /** Another organizer with an event, where nothing is sold. */
    async function startOther(slug: string) {
      await server.running.transactions.write(async (tx) => {
        const organizer = await addOrganizer(tx, slug)
        await addToken(tx, organizer, slug, allRights)
        await addEvent(tx, organizer, 'gala')
      })
      const headers = { Authorization: `Token ${slug}` }
      return { path: `/api/v1/organizers/${slug}/events/gala`, headers }
    }

    const kinds = [
      ['orders', '/orders/?pdf_data=true', orders],
      ['positions', '/orderpositions/?pdf_data=true', 50],
    ] as const

    for (const [name, path, shown] of kinds) {
      it(`of ${name} are two at a time, some wait, others are refused, and scans go first`, async () => {
        guard.lists = 0
        const gate = Promise.withResolvers<void>()
        const refusals = Promise.withResolvers<void>()
        guard.shut = gate.promise
        guard.tooManyLists = refusals.resolve
        const refused = { all: 0, other: 0, third: 0 }
        const expected = { all: tooMany, other: tooMany, third: 1 }
        const isAsExpected = () => JSON.stringify(refused) === JSON.stringify(expected)
        const ask = async (token: keyof typeof refused) => {
          const headers = { Authorization: `Token ${token}` }
          const answer = await server.call('GET', server.ev + path, undefined, headers)
          if (answer.status === 429) refused[token] += 1
          if (isAsExpected()) refusals.resolve()
          return answer
        }
        const asked = Array.from({ length: atOnce }, () => ask('all'))
        while (guard.lists < atOnce) await fetch(`${server.url}/healthz`)
        for (const token of ['all', 'other'] as const) {
          for (let count = 0; count < mayWait.credential + tooMany; count += 1) asked.push(ask(token))
          while (refused[token] < tooMany) await fetch(`${server.url}/healthz`)
        }
        asked.push(ask('third'))
        await Promise.race([refusals.promise, Promise.all(asked)])
        const elsewhere = await startOther(name)
        const answered: string[] = []
        const theirs = server.call('GET', `${elsewhere.path}${path}`, undefined, elsewhere.headers)
        const order = asked.slice(atOnce + 5, atOnce + mayWait.credential)
        for (const one of order) void one.then(() => answered.push('here'))
        const served = theirs.then(({ status }) => answered.push(String(status)))
        const scan = { secret: 'nobody', lists: [list.id], nonce: `beside ${name}` }
        const scanned = await server.call('POST', `${server.org}/checkinrpc/redeem/`, scan)
        const before = { lists: guard.lists, refused: { ...refused }, scan: (scanned.body as RowData).reason }
        gate.resolve()
        const answers = await Promise.all(asked)
        await served
        assert.deepEqual(before, { lists: atOnce, refused: expected, scan: 'invalid' })
        const good = answers.filter(({ status }) => status === 200)
        assert.equal(good.length, atOnce + mayWait.organizer)
        assert.ok(good.every(({ body }) => (body as { results: RowData[] }).results.length === shown))
        for (const { status, headers } of answers)
          if (status === 429) assert.equal(headers.get('Retry-After'), '5')
        // Who has few lists does not wait for all of those of somebody else.
        assert.ok(answered.indexOf('200') < answered.length / 2, answered.join())
      })

      it(`of ${name} are shown in slices`, async () => {
        guard.most = 0
        const { results } = await server.ask<{ results: RowData[] }>(200, 'GET', path)
        assert.equal(results.length, shown)
        assert.ok(JSON.stringify(results).includes('"pdf_data":{'))
        assert.equal(guard.most, shownAtOnce)
      })
    }
  })

describe('what writes wait for', () => {
  let server: ShopServer
  let urgent: { count: number }
  before(async () => {
    const database = await quickest.open()
    urgent = countUrgent(database)
    server = await startShop(database)
  })
  after(() => server.close())

  const times = 5

  /** How many urgent transactions there were for some requests. */
  async function urgentBy(path: string, body: object): Promise<number> {
    urgent.count = 0
    for (let count = 0; count < times; count += 1)
      assert.ok((await server.call('POST', path, body)).status < 500, path)
    return urgent.count
  }

  it('is other scans for a scan or its undoing, however it is asked for, and everything for a sale', async () => {
    const list = await server.ask<RowData>(201, 'POST', '/checkinlists/', { name: 'Gate' })
    const own = `${server.ev}/checkinlists/${list.id}`
    const scans = [
      [`${server.org}/checkinrpc/redeem/`, { secret: 'nobody', lists: [list.id] }],
      [`${own}/positions/nobody/redeem/`, {}],
      [`${server.org}/checkinrpc/annul/`, { nonce: 'never', lists: [list.id] }],
      [`${own}/failed_checkins/`, { raw_barcode: 'x', error_reason: 'invalid' }],
    ] as const
    for (const [path, body] of scans) assert.ok((await urgentBy(path, body)) >= times, path)
    const order = { positions: [{ item: server.shop.ticket }], force: true }
    // A portion of ids is fetched once in a while, for which scans may wait as well.
    assert.ok((await urgentBy(`${server.ev}/orders/`, order)) < times)
  })
})
