import assert from 'node:assert/strict'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { copyDatabase, damageOf } from '../../server/storage/backup.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { temporaryFolders } from '../support/servers/cli.ts'

const folders = temporaryFolders('copies')

/** A file with some thousand pages. */
async function filled(): Promise<string> {
  const file = join(folders(), 'data.sqlite')
  const database = openSqlite(file)
  await database.script(`CREATE TABLE thing (id INTEGER PRIMARY KEY, text TEXT);
    INSERT INTO thing (text) SELECT hex(randomblob(4000)) FROM
      (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1500) SELECT i FROM n);`)
  await database.close()
  return file
}

describe('a copy of a SQLite file', () => {
  it('comes to an end although something is written all the time, and is of one moment', async () => {
    const file = await filled()
    const copy = `${file}-copy`
    const writer = new Sqlite(file)
    let turns = 0
    await copyDatabase(file, copy, () => {
      turns += 1
      assert.ok(turns < 100, 'it begins anew again and again')
      writer.exec("INSERT INTO thing (text) VALUES ('meanwhile')")
    })
    writer.close()
    assert.equal(damageOf(copy), null)
    const copied = new Sqlite(copy, { readonly: true })
    assert.equal(copied.prepare('SELECT count(*) FROM thing').pluck().get(), 1500)
    copied.close()
  })
})
