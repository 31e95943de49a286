import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import sql, { type Sql } from 'sql-template-tag'
import { openData } from '../../../server/data.ts'
import { fileIn } from '../../../server/data-address.ts'
import { realEnv } from '../../../server/env.ts'
import { type ExportTask, runExport } from '../../../server/exporters/run/run-export.ts'
import { type Reading, readFrom } from '../../../server/storage/reading.ts'
import { openSqlite } from '../../../server/storage/sqlite.ts'
import { readSqliteFile } from '../../../server/storage/sqlite-reading.ts'
import { engines } from '../../support/engines/engines.ts'
import { prepareFolder } from '../../support/engines/sqlite-image.ts'
import { temporaryFolders } from '../../support/servers/cli.ts'
import { addEvent, addOrganizer } from '../../support/servers/servers.ts'
import { fillCrowd } from '../../support/ticketing/ticket-crowd.ts'
import { addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'

const count = 20_000
const folders = temporaryFolders('streaming')

/** The same, noting the most rows that were given at once, and how many in all. */
function counting(db: Reading) {
  const seen = { most: 0, paged: 0 }
  const note = (rows: number): void => {
    seen.most = Math.max(seen.most, rows)
  }
  const reading: Reading = {
    ...db,
    async all<T>(statement: Sql) {
      const rows = await db.all<T>(statement)
      note(rows.length)
      return rows
    },
    async *pages<T>(statement: Sql, size: number) {
      for await (const page of db.pages<T>(statement, size)) {
        note(page.length)
        seen.paged += page.length
        yield page
      }
    },
  }
  return { reading, seen }
}

describe(`an export of ${count} tickets`, () => {
  let file: string
  let task: (exporter: string, wishes: object) => ExportTask
  const target = folders()

  before(async () => {
    const folder = folders()
    await prepareFolder(folder)
    file = fileIn(folder)
    const database = openSqlite(file)
    const transactions = await openData(database, realEnv)
    const made = await transactions.write(async (tx) => {
      const organizer = await addOrganizer(tx, 'acme')
      const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
      return { place, item: await addItem(tx, place, 'Ticket'), list: await addList(tx, place, 'Main') }
    })
    await transactions.release()
    await database.close()
    fillCrowd(file, made.place, { item: made.item, count, prefix: 'c' })
    task = (exporter, wishes) => ({
      exporter,
      level: 'event',
      organizer: { id: made.place.organizer, slug: 'acme' },
      events: [made.place.event],
      wishes: { list: made.list, questions: [], sort: 'name', ...wishes },
      permissions: [],
      origin: 'http://localhost',
      now: '2030-01-01T00:00:00.000000Z',
    })
  })

  for (const [exporter, format, rows] of [
    ['orderlist', 'xlsx', count + count / 2],
    ['orderlist', 'positions:default', count],
    ['checkinlist', 'csv-excel', count],
    ['attendeelist', 'semicolon', count],
    ['json', null, count / 2],
    ['accountingreport', 'days:default', count / 2],
  ] as const)
    it(`never holds more than a page of it: ${exporter} ${format ?? ''}`, async () => {
      const name = join(target, `${exporter}-${format}`.replace(':', '-'))
      const reported: number[] = []
      const seen = await readSqliteFile(file, `${name}-data`, async (db) => {
        const watched = counting(db)
        const ending = await runExport(watched.reading, task(exporter, { _format: format }), name, (part) =>
          reported.push(part),
        )
        assert.equal(ending.kind, 'finished')
        return watched.seen
      })
      assert.ok(seen.most <= 500, `${seen.most} rows at once`)
      // Small tables come in pages as well.
      assert.ok(seen.paged >= rows && seen.paged < rows + 200, `${seen.paged} rows instead of ${rows}`)
      assert.deepEqual(
        reported,
        [...new Set(reported)].toSorted((a, b) => a - b),
      )
      assert.ok(
        reported.length <= 100 && (exporter === 'accountingreport' || reported.length > 10),
        `told ${reported.length} times`,
      )
    })

  it('has every ticket once, in the order of the names', () => {
    const lines = readFileSync(join(target, 'checkinlist-csv-excel'), 'utf8').trimEnd().split('\r\n').slice(1)
    assert.equal(new Set(lines.map((line) => line.split(',').slice(0, 2).join())).size, count)
    const names = lines.map(
      (line) => line.split(',')[2]?.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase() ?? '',
    )
    assert.deepEqual(names, names.toSorted())
  })

  it('lets the log of the database be shortened meanwhile, and leaves no copy behind', async () => {
    const copy = join(target, 'copy')
    const read = await readSqliteFile(file, copy, async (db) => {
      await db.get(sql`SELECT count(*) AS count FROM event`)
      const database = openSqlite(file)
      const transactions = await openData(database, realEnv)
      await transactions.write((tx) => addOrganizer(tx, 'meanwhile'))
      await transactions.release()
      await database.script('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE);')
      assert.equal(statSync(`${file}-wal`).size, 0)
      await database.close()
      return db.all(sql`SELECT slug FROM organizer`)
    })
    assert.deepEqual(read, [{ slug: 'acme' }])
    assert.deepEqual(
      readdirSync(target).filter((name) => name.startsWith('copy')),
      [],
    )
  })

  it('shows what was there when it began, whoever writes meanwhile', async () => {
    const name = join(target, 'meanwhile')
    await readSqliteFile(file, `${name}-data`, async (db) => {
      const database = openSqlite(file)
      const transactions = await openData(database, realEnv)
      // What is read first says which moment it is.
      await db.get(sql`SELECT count(*) AS count FROM event`)
      const { organizer, events } = task('orderlist', {})
      const place = { organizer: organizer.id, event: Number(events[0]) }
      await transactions.write(async (tx) =>
        addOrder(tx, place, [{ item: await addItem(tx, place, 'Late'), secret: 'late' }]),
      )
      await transactions.release()
      await database.close()
      await runExport(db, task('orderlist', { _format: 'positions:excel' }), name, () => {})
    })
    const lines = readFileSync(name, 'utf8').trimEnd().split('\r\n').slice(1)
    assert.equal(lines.length, count)
  })
})

for (const engine of engines)
  describe(`pages of ${engine.name}`, () => {
    it('come in order, each row once, whatever fits', async () => {
      const database = await engine.open()
      const numbers = sql`SELECT n FROM (SELECT 1 AS n UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5) t WHERE n < ${6} ORDER BY n DESC`
      const found: number[][][] = []
      for (const size of [1, 2, 5, 9])
        found.push(
          await readFrom(database, async (db) => {
            const pages: number[][] = []
            for await (const page of db.pages<{ n: number }>(numbers, size)) {
              pages.push(page.map(({ n }) => n))
              assert.equal(Number((await db.get<{ one: number }>(sql`SELECT 1 AS one`))?.one), 1)
            }
            return pages
          }),
        )
      await database.close()
      assert.deepEqual(found, [
        [[5], [4], [3], [2], [1]],
        [[5, 4], [3, 2], [1]],
        [[5, 4, 3, 2, 1]],
        [[5, 4, 3, 2, 1]],
      ])
    })
  })
