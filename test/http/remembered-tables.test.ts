import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sql } from 'sql-template-tag'
import type { Database, Queryable } from '../../server/storage/database.ts'
import { busyTables } from '../../server/storage/memory.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { openDoor, verdict } from '../routes/checkin/checkin-door.ts'

/** The same database, and what was read of it in order to be remembered, by the first word of the key. */
function watched(database: Database) {
  const remembering = new AsyncLocalStorage<string>()
  const read = new Map<string, string[]>()
  const note = (statement: Sql): Sql => {
    const key = remembering.getStore()
    if (key !== undefined) read.set(key, [...(read.get(key) ?? []), statement.sql])
    return statement
  }
  const noting = (db: Queryable): Queryable => ({
    engine: db.engine,
    all: (statement) => db.all(note(statement)),
    get: (statement) => db.get(note(statement)),
    run: (statement) => db.run(note(statement)),
    remembered: (key, load) => db.remembered(key, () => remembering.run(key.split(' ')[0] ?? key, load)),
  })
  const same: Database = {
    ...noting(database),
    transaction: (work, turn) => database.transaction((tx) => work(noting(tx)), turn),
    script: (text) => database.script(text),
    close: () => database.close(),
  }
  return { database: same, read }
}

describe('what is remembered between requests', () => {
  it('is read from no table that scanning and selling write', async () => {
    // In a file, where reading does not queue with transactions: these would seem to be part of it.
    const folder = await mkdtemp(join(tmpdir(), 'gatehouse-remembered-'))
    const { database, read } = watched(openSqlite(join(folder, 'gatehouse.sqlite')))
    const door = await openDoor(database)
    await door.sell('ticket')
    assert.equal(verdict(await door.redeem('ticket')), '201 ok')
    assert.equal((await door.server.call('GET', `${door.server.ev}/checkinlists/`)).status, 200)
    await door.server.close()
    await rm(folder, { recursive: true })
    for (const key of ['Token', 'organizer', 'event', 'list', 'questions']) assert.ok(read.has(key), key)
    const tables = [...read.values()]
      .flat()
      .flatMap((text) => text.match(/(?<=\b(?:FROM|JOIN) "?)\w+/g) ?? [])
    assert.ok(tables.includes('checkin_list'))
    assert.deepEqual(
      tables.filter((table) => busyTables.has(table)),
      [],
    )
  })
})
