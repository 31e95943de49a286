import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { type Kind, marksOf } from '../../schema/fields.ts'
import { tableOf } from '../../schema/resource.ts'
import { resources } from '../../schema/resources/index.ts'
import { storedFields } from '../../server/resource/store.ts'
import type { Database } from '../../server/storage/database.ts'
import { migrate } from '../../server/storage/migrate.ts'
import { prepareSearch } from '../../server/storage/search.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { everyEngine } from '../support/engines/engines.ts'

const folder = new URL('../../schema/database/', import.meta.url)

const columnType: Readonly<Record<Kind, string>> = {
  id: 'bigint',
  integer: 'bigint',
  float: 'double precision',
  text: 'text',
  flag: 'smallint',
  money: 'bigint',
  percent: 'bigint',
  decimal: 'text',
  multilingual: 'text',
  datetime: 'text',
  date: 'text',
  time: 'text',
  ref: 'bigint',
  refs: 'text',
  texts: 'text',
  json: 'text',
}

/** Fields that may be sent as null to have them made up, and are always stored. */
const madeUp = new Set(['gate.identifier', 'question.identifier', 'question_option.identifier'])

/** A table's columns as `name type` or `name type?` where they may be empty, in alphabetical order. */
async function columnsOf(database: Database, table: string): Promise<string[]> {
  const rows = await database.all<{ name: string; type: string; empty: number }>(
    database.engine === 'sqlite'
      ? sql`SELECT name, lower(type) AS type, CASE WHEN "notnull" = 0 THEN 1 ELSE 0 END AS empty FROM pragma_table_info(${table})`
      : sql`SELECT column_name AS name, data_type AS type, CASE WHEN is_nullable = 'YES' THEN 1 ELSE 0 END AS empty
            FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ${table}`,
  )
  return rows.map(({ name, type, empty }) => `${name} ${type}${empty ? '?' : ''}`).sort()
}

it('migrations are numbered one after the other', async () => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  assert.deepEqual(
    files.map((name) => Number(name.slice(0, 4))),
    files.map((_, index) => index + 1),
  )
})

for (const engine of everyEngine)
  describe(`the schema on ${engine.name}`, () => {
    let database: Database
    before(async () => {
      database = await engine.openBare()
    })
    after(() => database.close())

    it('is made by every migration in order, once', async () => {
      const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
      assert.ok(files.length > 0)
      assert.deepEqual(await migrate(database), files)
      assert.deepEqual(await migrate(database), [])
      await prepareSearch(database)
      await prepareSearch(database)
    })

    it('has exactly the columns that are declared', async () => {
      for (const resource of resources) {
        const scope = resource.scope === 'event' ? ['event bigint', 'organizer bigint'] : ['organizer bigint']
        const declared = Object.entries(storedFields(resource)).map(([name, field]) => {
          const { kind, nullable } = marksOf(field)
          const isEmpty = nullable && !madeUp.has(`${resource.name}.${name}`)
          return `${name} ${columnType[kind]}${isEmpty ? '?' : ''}`
        })
        assert.deepEqual(
          await columnsOf(database, tableOf(resource)),
          [...scope, ...declared].sort(),
          resource.name,
        )
      }
    })
  })

const numbersOf = async (where: URL, end: string): Promise<number[]> =>
  (await readdir(where))
    .filter((file) => file.endsWith(end))
    .map((file) => Number(file.slice(0, 4)))
    .sort((a, b) => a - b)

describe('numbered files', () => {
  it('are migrations without a gap and without using a number twice', async () => {
    const numbers = await numbersOf(folder, '.sql')
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => index + 1),
    )
  })

  it('are decisions that can be told apart by their number', async () => {
    const numbers = await numbersOf(new URL('../../docs/decisions/', import.meta.url), '.md')
    assert.equal(new Set(numbers).size, numbers.length)
  })
})

describe('two programs that set up one file at once', () => {
  it('make its schema once', async () => {
    const place = await mkdtemp(join(tmpdir(), 'gatehouse-migrate-'))
    const both = [openSqlite(join(place, 'one.sqlite')), openSqlite(join(place, 'one.sqlite'))]
    const applied = await Promise.all(both.map((each) => migrate(each)))
    assert.equal(
      applied.flat().length,
      (await readdir(folder)).filter((name) => name.endsWith('.sql')).length,
    )
    for (const database of both) await database.close()
    await rm(place, { recursive: true })
  })
})
