import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import sql from 'sql-template-tag'
import type { Database, Queryable } from '../../server/storage/database.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'

describe('what is remembered of a database', () => {
  let folder: string
  let file: string
  let database: Database
  let loads: number
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-memory-'))
    file = join(folder, 'test.sqlite')
    database = openSqlite(file)
    loads = 0
    await database.script(`
      CREATE TABLE gate (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE checkin (id INTEGER PRIMARY KEY);
      INSERT INTO gate (id, name) VALUES (1, 'north');
    `)
  })
  afterEach(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })

  const nameIn = async (db: Queryable): Promise<string | undefined> => {
    loads += 1
    return (await db.get<{ name: string }>(sql`SELECT name FROM gate WHERE id = 1`))?.name
  }
  const recall = (db: Queryable = database) => db.remembered('gate 1', () => nameIn(db))
  const rename = (db: Queryable, name: string) => db.run(sql`UPDATE gate SET name = ${name} WHERE id = 1`)
  /** What another program does with the same file; whatever is asked afterwards is asked in another turn. */
  const elsewhere = async (statement: string) => {
    const other = new Sqlite(file)
    other.exec(statement)
    other.close()
    await setImmediate()
  }

  it('is read once while nothing changes, inside and outside of transactions', async () => {
    const answers = [await recall(), await recall(), await database.transaction((tx) => recall(tx))]
    assert.deepEqual([answers, loads], [['north', 'north', 'north'], 1])
  })

  it('is kept while only what scans write is written', async () => {
    await recall()
    for (let id = 1; id <= 3; id += 1) await database.run(sql`INSERT INTO checkin (id) VALUES (${id})`)
    assert.deepEqual([await recall(), loads], ['north', 1])
  })

  it('is kept apart by its key', async () => {
    await recall()
    assert.equal(await database.remembered('gate 2', async () => 'south'), 'south')
    assert.equal(await recall(), 'north')
  })

  it('is read again after a change of ours', async () => {
    await recall()
    await rename(database, 'south')
    assert.equal(await recall(), 'south')
  })

  it('is read again after another program has committed', async () => {
    await recall()
    await elsewhere(`UPDATE gate SET name = 'south'`)
    assert.equal(await recall(), 'south')
    await elsewhere(`UPDATE gate SET name = 'east'`)
    assert.equal(await database.transaction((tx) => recall(tx)), 'east')
  })

  it('is read again in a transaction that waited for another program to commit', async () => {
    await recall()
    const other = new Sqlite(file)
    other.exec(`BEGIN IMMEDIATE; UPDATE gate SET name = 'south'`)
    const answer = database.transaction((tx) => recall(tx))
    other.exec('COMMIT')
    other.close()
    assert.equal(await answer, 'south')
  })

  it('is what a transaction has written itself, and nobody else sees that before the commit', async () => {
    await recall()
    const seen = await database.transaction(async (tx) => {
      await rename(tx, 'south')
      return [await recall(tx), await recall(database), await recall(tx)]
    })
    assert.deepEqual(seen, ['south', 'north', 'south'])
    assert.equal(await recall(), 'south')
  })

  it('is nothing that a transaction has taken back, alone or among others', async () => {
    const failing = () =>
      database.transaction(async (tx) => {
        await rename(tx, 'south')
        await recall(tx)
        throw new Error('no')
      })
    await assert.rejects(failing(), /no/)
    assert.equal(await recall(), 'north')
    const [first, second, third] = await Promise.allSettled([
      database.transaction((tx) => recall(tx)),
      failing(),
      database.transaction((tx) => recall(tx)),
    ])
    assert.equal(second.status, 'rejected')
    assert.deepEqual(
      [first, third].map((one) => one.status === 'fulfilled' && one.value),
      ['north', 'north'],
    )
    assert.equal(await recall(), 'north')
  })

  it('is nothing that was read before a change and came after it', async () => {
    const late = database.remembered('gate 1', async () => {
      const name = await nameIn(database)
      await rename(database, 'south')
      return name
    })
    assert.equal(await late, 'north')
    assert.equal(await recall(), 'south')
  })

  it('is no failure', async () => {
    await assert.rejects(
      database.remembered('gate 1', () => Promise.reject(new Error('no'))),
      /no/,
    )
    assert.equal(await recall(), 'north')
  })
})
