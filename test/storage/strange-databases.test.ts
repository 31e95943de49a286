import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import sql from 'sql-template-tag'
import { openDatabase, openToServe } from '../../server/data.ts'
import { fileIn } from '../../server/data-address.ts'
import { migrate, StrangeDatabase } from '../../server/storage/migrate.ts'
import { everyEngine } from '../support/engines/engines.ts'
import { prepareFolder } from '../support/engines/sqlite-image.ts'

describe('a data folder', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gatehouse-strange-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const refusedUnchanged = async (words: RegExp): Promise<void> => {
    const before = await readFile(fileIn(folder))
    await assert.rejects(
      openDatabase(folder),
      (cause) => cause instanceof StrangeDatabase && words.test(cause.message),
    )
    assert.ok((await readFile(fileIn(folder))).equals(before))
    assert.deepEqual(await readdir(folder), ['gatehouse.sqlite'])
  }

  const withFile = (script: string): void => {
    const raw = new Sqlite(fileIn(folder))
    raw.exec(script)
    raw.close()
  }

  it('without a database gets one, which is there at once or not at all', async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => openDatabase(folder)))
    for (const database of databases) await migrate(database)
    for (const database of databases) await database.close()
    assert.deepEqual(await readdir(folder), ['gatehouse.sqlite'])
    await (await openDatabase(folder)).close()
  })

  it('with a file of nothing is refused, since something was there', async () => {
    await writeFile(fileIn(folder), '')
    await refusedUnchanged(/is empty.*restore/)
  })

  it("with another program's database is refused", async () => {
    withFile('CREATE TABLE moz_places (id INTEGER)')
    await refusedUnchanged(/database of another program/)
  })

  it("with another program's database that also has migrations is refused", async () => {
    withFile('CREATE TABLE migration (version INTEGER)')
    await refusedUnchanged(/database of another program/)
  })

  it('whose database has just begun to be made is gone on with', async () => {
    withFile('CREATE TABLE migration (name TEXT NOT NULL PRIMARY KEY)')
    const database = await openDatabase(folder)
    assert.ok((await migrate(database)).length > 0)
    await database.close()
  })

  it('has one server, and commands beside it', async () => {
    const first = await openToServe(folder)
    await assert.rejects(
      openToServe(folder),
      (cause) => cause instanceof StrangeDatabase && /A server is running on .* already/.test(cause.message),
    )
    const command = await openDatabase(folder)
    await command.close()
    await first.database.close()
    first.release()
    const second = await openToServe(folder)
    await second.database.close()
    second.release()
  })

  it('with the database of a newer program is refused', async () => {
    await prepareFolder(folder)
    withFile(`INSERT INTO migration (name) VALUES ('9999-tomorrow.sql')`)
    await refusedUnchanged(/newer Gatehouse \(9999-tomorrow\.sql\).*Update/)
  })
})

for (const engine of everyEngine)
  describe(`the database of a newer program on ${engine.name}`, () => {
    it('is not migrated', async () => {
      const database = await engine.open()
      await database.run(sql`INSERT INTO migration (name) VALUES ('9999-tomorrow.sql')`)
      await database.run(sql`DELETE FROM migration WHERE name = '0001-foundation.sql'`)
      await assert.rejects(migrate(database), StrangeDatabase)
      await database.run(sql`INSERT INTO migration (name) VALUES ('0001-foundation.sql')`)
      await database.run(sql`DELETE FROM migration WHERE name = '9999-tomorrow.sql'`)
      await database.close()
    })
  })
