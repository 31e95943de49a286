import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import sql from 'sql-template-tag'
import { openData, openDatabase } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { Transactions } from '../../../server/resource/transactions.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import {
  asideFile,
  carryIds,
  carryOver,
  cleanLeftovers,
  nextFile,
  switchFiles,
} from '../../../server/sync/renewal/swap.ts'
import { readUpstream } from '../../../server/sync/upstream/upstream.ts'
import { openMemory } from '../../support/engines/sqlite-image.ts'
import { startNode, startPair, until } from '../../support/servers/nodes.ts'
import { addOrganizer } from '../../support/servers/servers.ts'

/** Runs something on a data folder of its own. */
async function inFolder(work: (folder: string, file: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-swap-'))
  try {
    await work(folder, join(folder, 'gatehouse.sqlite'))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** Makes a database file that holds one organizer. */
async function makeFile(file: string, slug: string): Promise<void> {
  const transactions = await openData(openSqlite(file), realEnv)
  await transactions.write((tx) => addOrganizer(tx, slug))
  await transactions.release()
  await transactions.database.close()
}

async function slugIn(file: string): Promise<string | undefined> {
  const database = openSqlite(file)
  const row = await database.get<{ slug: string }>(sql`SELECT slug FROM organizer`)
  await database.close()
  return row?.slug
}

const inMemory = async (site: number): Promise<Transactions> => {
  const database = await openMemory()
  const first = await openData(database, realEnv)
  await first.release()
  await database.run(sql`UPDATE node SET site = ${site} WHERE id = 1`)
  return openData(database, realEnv)
}

describe('putting a new copy in place', () => {
  it('replaces the file and keeps the old one aside when asked to', () =>
    inFolder(async (folder, file) => {
      await makeFile(file, 'old')
      await makeFile(nextFile(file), 'new')
      const aside = asideFile(file, '2030-06-01T10:20:30.000000Z')
      await switchFiles(file, aside)
      assert.deepEqual((await readdir(folder)).sort(), [
        'gatehouse.before-joining-20300601-102030.sqlite',
        'gatehouse.sqlite',
      ])
      assert.equal(await slugIn(file), 'new')
      assert.equal(await slugIn(aside), 'old')
    }))

  it('does not touch a file that another program is using', () =>
    inFolder(async (_, file) => {
      await makeFile(file, 'old')
      await makeFile(nextFile(file), 'new')
      await writeFile(`${file}-wal`, 'pages of somebody else')
      await assert.rejects(switchFiles(file, null), /Another program/)
      await rm(`${file}-wal`)
      assert.equal(await slugIn(file), 'old')
    }))

  /** What a crash can leave, by the step before which it came. */
  const crashes: readonly (readonly [string, (file: string) => Promise<void>, string])[] = [
    ['while the copy is loaded', (file) => writeFile(nextFile(file), 'half a database'), 'old'],
    [
      'after the copy is complete',
      async (file) => {
        await makeFile(nextFile(file), 'new')
        await writeFile(`${nextFile(file)}-wal`, '')
      },
      'old',
    ],
    [
      'after the old one is linked aside',
      async (file) => {
        await makeFile(nextFile(file), 'new')
        await copyFile(file, asideFile(file, '2030-06-01T10:20:30.000000Z'))
      },
      'old',
    ],
    [
      'after the rename',
      async (file) => {
        await makeFile(nextFile(file), 'new')
        await switchFiles(file, null)
        await writeFile(`${nextFile(file)}-shm`, 'left over')
      },
      'new',
    ],
  ]
  for (const [when, leave, slug] of crashes)
    it(`starts up right after a crash ${when}`, () =>
      inFolder(async (folder, file) => {
        await makeFile(file, 'old')
        await leave(file)
        const node = await startNode({ database: folder })
        const row = await node.transactions.database.get<{ slug: string }>(sql`SELECT slug FROM organizer`)
        await node.close()
        assert.equal(row?.slug, slug)
        assert.deepEqual(
          (await readdir(folder)).filter((name) => name.includes('.next.')),
          [],
        )
      }))

  it('cleans nothing but what was left of a copy', () =>
    inFolder(async (folder, file) => {
      await makeFile(file, 'old')
      await writeFile(asideFile(file, '2030-06-01T10:20:30.000000Z'), 'before')
      const before = await readdir(folder)
      await cleanLeftovers(file)
      assert.deepEqual(await readdir(folder), before)
    }))

  it('opens a folder where nothing was yet', () =>
    inFolder(async (folder) => {
      const database = await openDatabase(join(folder, 'new'))
      assert.deepEqual(await database.all(sql`SELECT 1 AS one`), [{ one: 1 }])
      await database.close()
    }))
})

describe('what goes over to a new copy', () => {
  const fact = (value: string) => ({
    kind: 'answers',
    payload: { position: 1, answers: [], removed: [], value },
  })
  const place = { organizer: 1, event: 2 }
  const payloads = async ({ database }: Transactions): Promise<string[]> =>
    (
      await database.all<{ state: string; payload: string }>(
        sql`SELECT state, payload FROM outbox ORDER BY seq`,
      )
    ).map((row) => `${row.state} ${JSON.parse(row.payload).value}`)

  it('is every fact, those made meanwhile as well, and ids are counted on', async () => {
    const [from, to] = [await inMemory(7), await inMemory(7)]
    for (let n = 0; n < 450; n += 1) await from.write(async (tx) => tx.fact(place, null, fact(`f${n}`)))
    const carried = carryOver(from, to, {
      since: '2000-01-01T00:00:00.000000Z',
      reportAgain: false,
      mayBeOlder: false,
    })
    await carried.ahead()
    const last = await from.write(async (tx) => {
      tx.fact(place, null, fact('late'))
      return tx.nextId()
    })
    assert.equal(await carried.finish(), 0)
    await carryIds(from, to)
    const expected = Array.from({ length: 450 }, (_, n) => `waiting f${n}`)
    assert.deepEqual(await payloads(to), [...expected, 'waiting late'])
    assert.equal(await to.write(async (tx) => tx.nextId()), last + 1)
    for (const one of [from, to]) await one.database.close()
  })

  it('is what was decided about facts in quarantine while it went over', async () => {
    const [from, to] = [await inMemory(7), await inMemory(7)]
    for (let n = 0; n < 450; n += 1)
      await from.database.run(
        sql`INSERT INTO quarantine (organizer, nonce, device, received, fact, state, shown, bytes)
            VALUES (1, ${`n${n}`}, 5, '2030-06-01T10:00:00.000000Z', '{"fact": {}}', 'waiting', '{}', 12)`,
      )
    const carried = carryOver(from, to, {
      since: '2000-01-01T00:00:00.000000Z',
      reportAgain: false,
      mayBeOlder: false,
    })
    await carried.ahead()
    await from.database.run(
      sql`UPDATE quarantine SET state = 'applied', bytes = 0, fact = '{}' WHERE nonce IN ('n3', 'n440')`,
    )
    await from.database.run(
      sql`UPDATE quarantine SET state = 'discarded', bytes = 0, fact = '{}' WHERE nonce = 'n7'`,
    )
    await carried.finish()
    const decided = await to.database.all(
      sql`SELECT nonce, state, bytes, fact FROM quarantine WHERE state <> 'waiting' ORDER BY nonce`,
    )
    const done = { bytes: 0, fact: '{}' }
    assert.deepEqual(decided, [
      { nonce: 'n3', state: 'applied', ...done },
      { nonce: 'n440', state: 'applied', ...done },
      { nonce: 'n7', state: 'discarded', ...done },
    ])
    const all = await to.database.get(sql`SELECT count(*) AS count FROM quarantine`)
    assert.deepEqual(all, { count: 450 })
    for (const one of [from, to]) await one.database.close()
  })

  it('is counted where it cannot be repeated, and keeps nothing else from going over', async () => {
    const [from, to] = [await inMemory(7), await inMemory(7)]
    const unreadable = ['{}', '{"row": {"id": 7', '{"row": {"id": "x", "position": {}}}', '{"order": 5}']
    for (const kind of ['checkin', 'annulment', 'answers', 'order', 'device', 'lease', 'nonsense'])
      for (const payload of unreadable) {
        await from.write(async (tx) => tx.fact(place, null, { kind, payload: {} }))
        await from.database.run(
          sql`UPDATE outbox SET payload = ${payload} WHERE seq = (SELECT max(seq) FROM outbox)`,
        )
      }
    await from.write(async (tx) => tx.fact(place, null, fact('good')))
    const carried = carryOver(from, to, {
      since: '2000-01-01T00:00:00.000000Z',
      reportAgain: false,
      mayBeOlder: false,
    })
    await carried.ahead()
    assert.ok((await carried.finish()) >= 12)
    const count = await to.database.get(sql`SELECT count(*) AS count FROM outbox`)
    assert.deepEqual(count, { count: 29 })
    for (const one of [from, to]) await one.database.close()
  })

  it('is reported again where the upstream server may have forgotten it, but what it refused is not', async () => {
    const [from, to] = [await inMemory(7), await inMemory(7)]
    for (const state of ['done', 'parked', 'waiting']) {
      await from.write(async (tx) => tx.fact(place, null, fact(state)))
      await from.database.run(
        sql`UPDATE outbox SET state = ${state}, done_at = '2030-01-01T00:00:00.000000Z' WHERE payload LIKE ${`%"${state}"%`}`,
      )
    }
    await carryOver(from, to, {
      since: '2000-01-01T00:00:00.000000Z',
      reportAgain: true,
      mayBeOlder: false,
    }).finish()
    assert.deepEqual(await payloads(to), ['waiting done', 'parked parked', 'waiting waiting'])
    for (const one of [from, to]) await one.database.close()
  })

  it('does not go on counting ids under another site number', async () => {
    const [from, to] = [await inMemory(7), await inMemory(8)]
    await from.write(async (tx) => tx.nextId())
    await carryIds(from, to)
    assert.equal(await to.write(async (tx) => tx.nextId()), 8 * 2 ** 32 + 1)
    for (const one of [from, to]) await one.database.close()
  })
})

describe('a new copy that cannot be put in place', () => {
  it('leaves the station scanning on the old one, and comes in place later', () =>
    inFolder(async (folder, file) => {
      const codes = Array.from({ length: 20 }, (_, index) => `C${index}`)
      const { central, station } = await startPair(codes, { database: folder })
      try {
        // Another program is in the middle of reading what is in the log of the file.
        await station.scan('C0')
        const other = new Sqlite(file, { readonly: true })
        other.exec('BEGIN')
        other.prepare('SELECT count(*) FROM orders').get()
        await station.scan('C1')
        await central.running.transactions.database.run(sql`UPDATE node SET epoch = 'another' WHERE id = 1`)
        // While one copy is replaced by another, the one asked may be closed.
        const epoch = async () =>
          (await readUpstream(station.transactions.database).catch(() => undefined))?.epoch
        const first = station.transactions
        await until('it was tried', () => station.transactions !== first)
        assert.notEqual(await epoch(), 'another')
        assert.equal((await station.scan('C2')).status, 'ok')
        assert.equal((await station.scan('C1')).reason, 'already_redeemed')
        other.close()
        await until('the new copy is in use', async () => (await epoch()) === 'another')
        assert.equal((await station.scan('C3')).status, 'ok')
        assert.equal((await station.scan('C2')).reason, 'already_redeemed')
      } finally {
        await station.close()
        await central.close()
      }
    }))
})
