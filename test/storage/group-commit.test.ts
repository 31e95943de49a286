import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import sql, { bulk, raw } from 'sql-template-tag'
import { type Database, StorageError } from '../../server/storage/database.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'

const walHeader = 32
const frameHeader = 24

/** How many commits the write-ahead log of a database holds: its frames that end one carry the size of the file. */
async function commitsIn(file: string): Promise<number> {
  const log = await readFile(`${file}-wal`)
  const frame = frameHeader + log.readUInt32BE(8)
  let commits = 0
  for (let at = walHeader; at + frame <= log.length; at += frame)
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  return commits
}

describe('transactions on SQLite', () => {
  let folder: string
  let file: string
  let database: Database
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-commit-'))
    file = join(folder, 'test.sqlite')
    database = openSqlite(file)
    await database.script(`
      CREATE TABLE note (id INTEGER PRIMARY KEY, text TEXT UNIQUE);
      CREATE TABLE reply (id INTEGER PRIMARY KEY, note INTEGER REFERENCES note (id));
    `)
  })
  afterEach(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })

  const add = (id: number, then?: () => void) =>
    database.transaction(async (tx) => {
      await tx.run(sql`INSERT INTO note (id, text) VALUES (${id}, ${`note ${id}`})`)
      then?.()
      return id
    })
  const ids = async () =>
    (await database.all<{ id: number }>(sql`SELECT id FROM note ORDER BY id`)).map((row) => row.id)

  it('keeps what a power cut must not take: synchronous=FULL, a write-ahead log, foreign keys', async () => {
    const setting = (name: string) =>
      database.transaction(async (tx) => Object.values((await tx.get(raw(`PRAGMA ${name}`))) ?? {})[0])
    assert.equal(await setting('synchronous'), 2)
    assert.equal(await setting('journal_mode'), 'wal')
    assert.equal(await setting('foreign_keys'), 1)
  })

  it('refuses to open where synchronous=FULL does not hold', () => {
    const { pragma } = Sqlite.prototype
    Sqlite.prototype.pragma = function (this: Sqlite.Database, text: string, options?: Sqlite.PragmaOptions) {
      return text === 'synchronous' ? 1 : pragma.call(this, text, options)
    }
    try {
      assert.throws(() => openSqlite(join(folder, 'other.sqlite')), /synchronous=FULL/)
    } finally {
      Sqlite.prototype.pragma = pragma
    }
  })

  it('share a commit where they wait together', async () => {
    const before = await commitsIn(file)
    await Promise.all(Array.from({ length: 100 }, (_, index) => add(index)))
    const commits = (await commitsIn(file)) - before
    assert.ok(commits >= 1 && commits <= 3, `${commits} commits`)
    assert.equal((await ids()).length, 100)
  })

  it('answer nobody before the commit', async () => {
    const onlooker = new Sqlite(file, { readonly: true })
    const seen = onlooker.prepare('SELECT count(*) FROM note WHERE id = ?').pluck()
    const whileRunning: unknown[] = []
    const whenAnswered = await Promise.all(
      Array.from({ length: 80 }, (_, id) =>
        add(id, () => whileRunning.push(seen.get(id))).then((answered) => seen.get(answered)),
      ),
    )
    onlooker.close()
    assert.ok(whileRunning.every((count) => count === 0))
    assert.ok(whenAnswered.every((count) => count === 1))
  })

  it('fail alone, and take only their own writes with them', async () => {
    const wrong = new Error('changed my mind')
    const results = await Promise.allSettled([
      add(1),
      add(2, () => {
        throw wrong
      }),
      database.transaction((tx) => tx.run(sql`INSERT INTO note (id, text) VALUES (3, 'note 1')`)),
      add(4),
    ])
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    )
    assert.equal((results[1] as PromiseRejectedResult).reason, wrong)
    assert.equal((results[2] as PromiseRejectedResult).reason.problem, 'unique')
    assert.deepEqual(await ids(), [1, 4])
  })

  it('are carried out again when one of them fails, and stored once', async () => {
    const runs = new Map<number, number>()
    const counted = (id: number) => add(id, () => runs.set(id, (runs.get(id) ?? 0) + 1))
    const results = await Promise.allSettled([
      counted(1),
      counted(2),
      add(3, () => {
        throw new Error('changed my mind')
      }),
      counted(4),
    ])
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual([...runs.keys()], [1, 2, 4])
    assert.ok([...runs.values()].every((times) => times >= 1 && times <= 2))
    assert.deepEqual(await ids(), [1, 2, 4])
  })

  it('are all refused when the commit fails, and leave nothing', async () => {
    const results = await Promise.allSettled([
      add(1),
      database.transaction(async (tx) => {
        await tx.run(raw('PRAGMA defer_foreign_keys = ON'))
        return tx.run(sql`INSERT INTO reply (id, note) VALUES (1, 99)`)
      }),
      add(2),
    ])
    for (const result of results) {
      assert.equal(result.status, 'rejected')
      assert.ok(result.reason instanceof StorageError)
      assert.equal(result.reason.problem, 'foreign')
    }
    assert.deepEqual(await ids(), [])
    await add(3)
    assert.deepEqual(await ids(), [3])
  })

  it('are all answered when one of them ends the transaction of all', async () => {
    await add(1)
    const results = await Promise.allSettled([
      add(2),
      database.transaction((tx) => tx.run(sql`INSERT OR ROLLBACK INTO note (id, text) VALUES (3, 'note 1')`)),
      add(4),
      database.transaction((tx) => tx.run(sql`INSERT OR ROLLBACK INTO note (id, text) VALUES (5, 'note 1')`)),
    ])
    const [second, third, fourth, fifth] = results
    assert.equal(second?.status, 'rejected')
    assert.equal(third?.status, 'rejected')
    assert.equal(third.reason.problem, 'unique')
    // Whoever had not begun is carried out afterwards, and none of it is told to have failed that was stored.
    assert.equal(fifth?.status, 'rejected')
    assert.deepEqual(await ids(), fourth?.status === 'fulfilled' ? [1, 4] : [1])
    await add(6)
    assert.ok((await ids()).includes(6))
  })

  it('go before others where they are urgent, which have their turn in between', async () => {
    const order: string[] = []
    const begin = (name: string, isUrgent: boolean): Promise<unknown> =>
      database.transaction(
        async (tx) => {
          order.push(name)
          await tx.run(sql`INSERT INTO note (text) VALUES (${name})`)
        },
        { isUrgent },
      )
    const door = async (): Promise<void> => {
      for (const name of ['scan 1', 'scan 2', 'scan 3']) await begin(name, true)
    }
    await Promise.all([begin('sale 1', false), begin('sale 2', false), door()])
    assert.deepEqual(order, ['scan 1', 'sale 1', 'sale 2', 'scan 2', 'scan 3'])
  })

  it('let urgent ones in between where they are large', async () => {
    const order: string[] = []
    const large = (name: string, first: number, then?: () => void): Promise<unknown> =>
      database.transaction(async (tx) => {
        order.push(name)
        for (let id = first; id < first + 3000; id += 500) {
          const rows = Array.from({ length: 500 }, (_, index) => [id + index, `${name} ${id + index}`])
          await tx.run(sql`INSERT INTO note (id, text) VALUES ${bulk(rows)}`)
        }
        then?.()
      })
    const scan = (): Promise<unknown> =>
      database.transaction(
        async (tx) => {
          order.push('scan')
          await tx.run(sql`INSERT INTO note (id, text) VALUES (1, 'note 1')`)
        },
        { isUrgent: true },
      )
    const scans: Promise<unknown>[] = []
    const before = await commitsIn(file)
    await Promise.all([
      large('first', 10_000, () => scans.push(scan())),
      large('second', 20_000),
      large('third', 30_000),
    ])
    await Promise.all(scans)
    assert.deepEqual(order, ['first', 'scan', 'second', 'third'])
    assert.equal((await commitsIn(file)) - before, 4)
  })

  it('are refused as full, store nothing half, and go on when there is room again', async () => {
    const pages = Object.values(
      (await database.get(raw('PRAGMA page_count'))) as Record<string, number>,
    )[0] as number
    const limit = (count: number) =>
      database.transaction((tx) => tx.get(raw(`PRAGMA max_page_count = ${count}`)))
    await limit(pages + 1)
    const big = 'x'.repeat(100_000)
    const results = await Promise.allSettled([
      add(1),
      database.transaction(async (tx) => {
        await tx.run(sql`INSERT INTO reply (id, note) VALUES (1, NULL)`)
        await tx.run(sql`INSERT INTO note (id, text) VALUES (2, ${big})`)
      }),
      add(3),
    ])
    const refused = results[1] as PromiseRejectedResult
    assert.equal(refused.status, 'rejected')
    assert.equal(refused.reason.problem, 'full')
    assert.equal(await database.get(sql`SELECT id FROM reply`), undefined)
    const kept = results.flatMap((result, index) => (result.status === 'fulfilled' ? [index + 1] : []))
    assert.deepEqual(await ids(), kept)
    await limit(pages + 1000)
    await database.run(sql`INSERT INTO note (id, text) VALUES (9, ${big})`)
    assert.deepEqual(await ids(), [...kept, 9])
  })

  it('finish before the database closes', async () => {
    const late = add(1)
    await database.close()
    assert.equal(await late, 1)
    database = openSqlite(file)
    assert.deepEqual(await ids(), [1])
  })
})
