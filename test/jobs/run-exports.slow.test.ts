import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import pg from 'pg'
import sql from 'sql-template-tag'
import { openData } from '../../server/data.ts'
import { fileIn } from '../../server/data-address.ts'
import { type Env, realEnv } from '../../server/env.ts'
import { silentLog } from '../../server/log.ts'
import type { Transactions } from '../../server/resource/transactions.ts'
import { type Running, startServer } from '../../server/serve.ts'
import {
  addExport,
  type ExportRow,
  failExport,
  finishExport,
  returnExport,
  reviveExports,
  takeExport,
  touchExport,
} from '../../server/services/operations/export-runs.ts'
import { engines } from '../support/engines/engines.ts'
import { prepareFolder } from '../support/engines/sqlite-image.ts'
import { temporaryFolders } from '../support/servers/cli.ts'
import { addEvent, addOrganizer, addToken, allRights, type TestServer } from '../support/servers/servers.ts'
import { endOfExport, startExport } from '../support/ticketing/exports.ts'
import { addItem, addList, addOrder } from '../support/ticketing/tickets.ts'

const folders = temporaryFolders('exports')

/** A server on a data folder, as it is run; with its own clock if one is given. */
async function startOn(folder: string, env: Env = realEnv): Promise<Running> {
  return startServer({ database: folder, host: '127.0.0.1', port: 0, stationKey: null }, env, silentLog)
}

/** The same as test servers are asked. */
const asked = (running: Running): TestServer =>
  ({
    url: running.url,
    async call(method: string, path: string, body: unknown) {
      const answer = await fetch(running.url + path, {
        method,
        headers: { Authorization: 'Token all', 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: await answer.json(), headers: answer.headers }
    },
  }) as unknown as TestServer

const base = '/api/v1/organizers/acme/events/gala/exporters/'

/** A data folder with some tickets. */
async function newVenue(tickets: number): Promise<{ folder: string; list: number }> {
  const folder = folders()
  await prepareFolder(folder)
  const running = await startOn(folder)
  const list = await running.transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    await addToken(tx, organizer, 'all', allRights)
    const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
    const item = await addItem(tx, place, 'Ticket')
    for (let first = 0; first < tickets; first += 10)
      await addOrder(
        tx,
        place,
        Array.from({ length: 10 }, (_, index) => ({
          item,
          secret: `ticket${first + index}`,
          attendee_name: `G ${index}`,
        })),
      )
    return addList(tx, place, 'Main')
  })
  await running.close()
  return { folder, list }
}

const linesOf = (text: string): number => text.split('\r\n').length - 2

describe('exports of a server with a data folder', () => {
  it('are written by a thread of their own into that folder, for its owner alone', async () => {
    const { folder } = await newVenue(30)
    const running = await startOn(folder)
    const path = await startExport(asked(running), `${base}orderlist/`, { _format: 'positions:default' })
    const { status, text } = await endOfExport(asked(running), path)
    const files = readdirSync(join(folder, 'exports'))
    await running.close()
    assert.equal(status, 200)
    assert.equal(linesOf(text), 30)
    assert.deepEqual(files, [path.split('/').at(-2)])
    assert.equal(statSync(join(folder, 'exports', String(files[0]))).mode & 0o077, 0)
    assert.equal(statSync(join(folder, 'exports')).mode & 0o077, 0)
  })

  it('keep nobody from scanning meanwhile', async () => {
    const { folder, list } = await newVenue(600)
    const running = await startOn(folder)
    const server = asked(running)
    const path = await startExport(server, `${base}orderlist/`, { _format: 'xlsx' })
    let isDone = false
    const end = endOfExport(server, path).finally(() => {
      isDone = true
    })
    let admitted = 0
    while (!isDone && admitted < 600) {
      const body = { secret: `ticket${admitted}`, lists: [list], nonce: `n${admitted}` }
      const { status } = await server.call('POST', '/api/v1/organizers/acme/checkinrpc/redeem/', body)
      assert.equal(status, 201)
      admitted += 1
    }
    const { status } = await end
    await running.close()
    assert.equal(status, 200)
    assert.ok(admitted >= 5, `only ${admitted} people were admitted`)
  })

  it('begin anew where the server was stopped, in order or not', async () => {
    const { folder } = await newVenue(200)
    const first = await startOn(folder)
    const path = await startExport(asked(first), `${base}orderlist/`, { _format: 'xlsx' })
    await first.close()
    const second = await startOn(folder)
    assert.equal((await endOfExport(asked(second), path)).status, 200)
    // As a server leaves it that is killed.
    const killed = path.split('/').at(-3) ?? ''
    await second.close()
    const third = await startOn(folder)
    await third.transactions.database.run(
      sql`UPDATE export_run SET state = 'running', percentage = 40, holder = 'killed', file_name = NULL WHERE id = ${killed}`,
    )
    await third.close()
    writeFileSync(join(folder, 'exports', String(path.split('/').at(-2))), 'half of it')
    const fourth = await startOn(folder)
    const { status, bytes } = await endOfExport(asked(fourth), path)
    await fourth.close()
    assert.equal(status, 200)
    assert.equal(bytes.subarray(0, 2).toString(), 'PK')
  })

  it('fail with a sentence where the server did not survive them three times', async () => {
    const { folder } = await newVenue(10)
    const first = await startOn(folder)
    const path = await startExport(asked(first), `${base}orderlist/`, { _format: 'xlsx' })
    await endOfExport(asked(first), path)
    await first.transactions.database.run(
      sql`UPDATE export_run SET state = 'running', holder = 'killed', attempts = 3`,
    )
    await first.close()
    const second = await startOn(folder)
    const { status, text } = await endOfExport(asked(second), path)
    await second.close()
    assert.equal(status, 410)
    assert.match(JSON.parse(text).message, /^The server was stopped each time/)
  })

  it('are gone after a day, the file as well; so are files that nobody knows', async () => {
    const { folder } = await newVenue(10)
    const first = await startOn(folder)
    const path = await startExport(asked(first), `${base}orderlist/`, { _format: 'xlsx' })
    await endOfExport(asked(first), path)
    await first.close()
    const file = join(folder, 'exports', String(path.split('/').at(-2)))
    writeFileSync(join(folder, 'exports', 'stray'), 'x')
    const at = (hours: number): Env => ({ ...realEnv, now: () => realEnv.now() + hours * 3_600_000 })
    const later = await startOn(folder, at(23.9))
    assert.equal((await endOfExport(asked(later), path)).status, 200)
    assert.ok(!existsSync(join(folder, 'exports', 'stray')))
    await later.close()
    const next = await startOn(folder, at(24.1))
    assert.equal((await endOfExport(asked(next), path)).status, 404)
    // Whoever is asked for something looks first for what is over.
    await endOfExport(asked(next), await startExport(asked(next), `${base}orderlist/`, { _format: 'xlsx' }))
    await next.close()
    assert.ok(!existsSync(file))
  })

  it('are sent whole to whoever takes their time, and no further to whoever hangs up', async () => {
    const { folder } = await newVenue(10)
    const running = await startOn(folder)
    const path = await startExport(asked(running), `${base}orderlist/`, { _format: 'xlsx' })
    await endOfExport(asked(running), path)
    // As large as that of a million tickets would be, and no two parts of it are alike.
    const large = Buffer.alloc(24 * 2 ** 20)
    for (let at = 0; at < large.length; at += 4) large.writeUInt32LE(at * 7, at)
    writeFileSync(join(folder, 'exports', String(path.split('/').at(-2))), large)
    const ask = (signal?: AbortSignal, method = 'GET') =>
      fetch(running.url + path, {
        method,
        headers: { Authorization: 'Token all' },
        ...(signal ? { signal } : {}),
      })
    const head = await ask(undefined, 'HEAD')
    assert.deepEqual([head.status, Number(head.headers.get('content-length'))], [200, large.length])
    const hurried = new AbortController()
    const broken = await ask(hurried.signal)
    await broken.body?.getReader().read()
    hurried.abort()
    const answers = await Promise.all([ask(), ask()])
    for (const answer of answers) {
      const parts: Uint8Array[] = []
      for await (const part of answer.body ?? []) {
        parts.push(part)
        await turn()
      }
      assert.ok(Buffer.concat(parts).equals(large))
    }
    await running.close()
  })

  it('answer 404 where the file was taken away', async () => {
    const { folder } = await newVenue(10)
    const running = await startOn(folder)
    const path = await startExport(asked(running), `${base}orderlist/`, { _format: 'xlsx' })
    await endOfExport(asked(running), path)
    rmSync(join(folder, 'exports'), { recursive: true })
    const { status } = await endOfExport(asked(running), path)
    await running.close()
    assert.equal(status, 404)
    assert.ok(existsSync(fileIn(folder)))
  })
})

const postgres = process.env.GATEHOUSE_TEST_POSTGRES

if (postgres)
  describe('exports of a server on PostgreSQL', () => {
    const name = `gatehouse_exports_${randomUUID().slice(0, 8)}`
    const address = new URL(postgres)
    address.pathname = `/${name}`
    const asAdministrator = async (statement: string): Promise<void> => {
      const client = new pg.Client({ connectionString: postgres })
      await client.connect()
      await client.query(statement)
      await client.end()
    }
    before(() => asAdministrator(`CREATE DATABASE ${name}`))
    after(() => asAdministrator(`DROP DATABASE ${name} WITH (FORCE)`))

    for (const kind of ['of their own', 'that is named'] as const)
      it(`are written by a thread with a connection of its own into a folder ${kind}`, async () => {
        const folder = kind === 'that is named' ? folders() : undefined
        const config = { database: address.href, host: '127.0.0.1', port: 0, stationKey: null }
        const running = await startServer(
          { ...config, ...(folder === undefined ? {} : { exportsFolder: folder }) },
          realEnv,
          silentLog,
        )
        if (kind === 'of their own')
          await running.transactions.write(async (tx) => {
            const organizer = await addOrganizer(tx, 'acme')
            await addToken(tx, organizer, 'all', allRights)
            const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
            const item = await addItem(tx, place, 'Ticket')
            await addOrder(tx, place, [
              { item, secret: 'one' },
              { item, secret: 'two' },
            ])
          })
        const path = await startExport(asked(running), `${base}orderlist/`, { _format: 'positions:default' })
        const { status, text } = await endOfExport(asked(running), path)
        await running.close()
        assert.equal(status, 200)
        assert.equal(linesOf(text), 2)
        if (folder !== undefined) assert.deepEqual(readdirSync(folder), [path.split('/').at(-2)])
      })
  })

for (const engine of engines)
  describe(`the line of exports on ${engine.name}`, () => {
    let transactions: Transactions
    let organizer: number
    before(async () => {
      transactions = await openData(await engine.open(), realEnv)
      organizer = await transactions.write((tx) => addOrganizer(tx, 'acme'))
    })
    after(() => transactions.database.close())
    beforeEach(() => transactions.database.run(sql`DELETE FROM export_run`))

    const add = async (id: string, credential: string, by = organizer): Promise<void> => {
      await transactions.write((tx) =>
        addExport(tx, {
          organizer: by,
          id,
          file: `f-${id}`,
          event: 0,
          exporter: 'orderlist',
          task: '{}',
          credential,
        }),
      )
    }
    const take = (holder = 'here'): Promise<ExportRow | undefined> =>
      transactions.write((tx) => takeExport(tx, holder))
    const stateOf = (id: string) =>
      transactions.database.get<{ state: string; percentage: number | null; attempts: number }>(
        sql`SELECT state, percentage, attempts FROM export_run WHERE id = ${id}`,
      )

    it('lets a credential have two at a time, and others meanwhile', async () => {
      for (const id of ['a1', 'a2', 'a3', 'a4']) await add(id, 'token 1')
      await add('b1', 'token 2')
      assert.deepEqual([(await take())?.id, (await take())?.id, (await take())?.id], ['a1', 'a2', 'b1'])
      assert.equal(await take(), undefined)
      await finishExport(transactions.database, { organizer, id: 'a2' }, 'here', {
        name: 'x.csv',
        type: 'text/csv',
      })
      assert.equal((await take())?.id, 'a3')
      await failExport(transactions.database, { organizer, id: 'a1' }, 'here', { message: 'No.' })
      assert.equal((await take())?.id, 'a4')
    })

    it('takes first those of the organizer that has fewest, however many credentials another one has', async () => {
      const other = await transactions.write((tx) => addOrganizer(tx, 'other'))
      for (let index = 0; index < 4; index += 1) await add(`a${index}`, `token ${index}`)
      for (const id of ['b0', 'b1']) await add(id, 'token 9', other)
      const taken: (string | undefined)[] = []
      for (let count = 0; count < 6; count += 1) taken.push((await take())?.id)
      assert.deepEqual(taken, ['a0', 'b0', 'a1', 'b1', 'a2', 'a3'])
    })

    it('gives each to one server, whoever asks at the same time', async () => {
      for (let index = 0; index < 6; index += 1) await add(`n${index}`, `token ${index % 3}`)
      const taken = await Promise.all(Array.from({ length: 8 }, (_, index) => take(`server ${index}`)))
      const ids = taken.flatMap((row) => row?.id ?? [])
      assert.deepEqual(ids.sort(), ['n0', 'n1', 'n2', 'n3', 'n4', 'n5'])
    })

    it('hears of progress from whoever works on it, and by nobody else', async () => {
      await add('a', 'token 1')
      await take('here')
      const { database } = transactions
      const run = { organizer, id: 'a' }
      assert.equal(await touchExport(database, run, { holder: 'elsewhere', percentage: 70, now: '2030' }), 0)
      assert.equal(await touchExport(database, run, { holder: 'here', percentage: 40, now: '2030' }), 1)
      assert.deepEqual(await stateOf('a'), { state: 'running', percentage: 40, attempts: 1 })
      assert.equal(await returnExport(database, run, 'here'), 1)
      assert.deepEqual(await stateOf('a'), { state: 'waiting', percentage: null, attempts: 0 })
    })

    it('takes back what a server has left that is silent for a minute, or that is known to be gone', async () => {
      const { database } = transactions
      for (const id of ['a', 'b']) {
        await add(id, 'token 1')
        await take('there')
      }
      const touched = '2030-06-01T10:00:00.000000Z'
      for (const id of ['a', 'b'])
        await touchExport(database, { organizer, id }, { holder: 'there', percentage: 10, now: touched })
      const revive = async (now: string, alone: boolean) => {
        await reviveExports(database, now, 'here', alone)
        return [(await stateOf('a'))?.state, (await stateOf('b'))?.state]
      }
      assert.deepEqual(await revive('2030-06-01T10:00:59.000000Z', false), ['running', 'running'])
      await touchExport(
        database,
        { organizer, id: 'b' },
        { holder: 'there', percentage: 10, now: '2030-06-01T10:00:30.000000Z' },
      )
      assert.deepEqual(await revive('2030-06-01T10:01:01.000000Z', false), ['waiting', 'running'])
      assert.deepEqual(await revive('2030-06-01T10:01:01.000000Z', true), ['waiting', 'waiting'])
      assert.equal((await take('here'))?.id, 'a')
      assert.deepEqual(await revive('2031-06-01T10:01:01.000000Z', true), ['running', 'waiting'])
    })
  })
