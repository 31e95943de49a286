import assert from 'node:assert/strict'
import sql, { raw } from 'sql-template-tag'
import { openData } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { copyTables, countAllRows } from '../../server/storage/copy-tables.ts'
import type { Cells, Database } from '../../server/storage/database.ts'
import { type CopiedTable, tablesInOrder } from '../../server/storage/table-order.ts'
import { bothEngines, quickest } from '../support/engines/engines.ts'
import { addEvent, addOrganizer } from '../support/servers/servers.ts'
import { addItem, addList, addOrder, addQuestion } from '../support/ticketing/tickets.ts'

const contents = async (database: Database, tables: readonly CopiedTable[]) => {
  const all: [string, Cells[]][] = []
  for (const { name, key, columns } of tables) {
    const rows = await database.all<Cells>(sql`SELECT * FROM ${raw(`"${name}"`)}`)
    const sorted = rows
      .map((row) => Object.fromEntries(columns.map((column) => [column, row[column] ?? null])))
      .sort((a, b) =>
        JSON.stringify(key.map((one) => a[one])) < JSON.stringify(key.map((one) => b[one])) ? -1 : 1,
      )
    if (sorted.length > 0) all.push([name, sorted])
  }
  return all
}

/** Fills a database with rows that refer to each other, some of them to later ones, and many of one kind. */
async function fill(database: Database): Promise<void> {
  // No server, whose jobs would take numbers for ids while the rows are compared.
  const transactions = await openData(database, realEnv)
  await transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    const place = { organizer, event: await addEvent(tx, organizer, 'gala') }
    const item = await addItem(tx, place, 'Ticket')
    await addList(tx, place, 'Main')
    for (const part of [0, 1, 2, 3])
      await addOrder(
        tx,
        place,
        Array.from({ length: 400 }, (_, index) => ({ item, secret: `ticket-${part}-${index}` })),
      )
    const first = await addQuestion(tx, place, [item], { identifier: 'FIRST' })
    const later = await addQuestion(tx, place, [item], { identifier: 'LATER' })
    await tx.run(
      sql`UPDATE question SET dependency_question = ${later} WHERE organizer = ${organizer} AND id = ${first}`,
    )
    for (const identifier of ['LONG', 'LONGER'])
      await addQuestion(tx, place, [item], { question: { en: 'ü€漢'.repeat(900_000) }, identifier })
    const positions = await tx.all<{ id: number }>(sql`SELECT id FROM order_position ORDER BY id LIMIT 2`)
    await tx.run(
      sql`UPDATE order_position SET addon_to = ${positions[1]?.id} WHERE organizer = ${organizer} AND id = ${positions[0]?.id}`,
    )
  })
  await transactions.release()
}

const copied = async (from: Database, to: Database, tables: readonly CopiedTable[], counts: number[] = []) =>
  copyTables(from, to, { tables, finish: async () => undefined, progress: (rows) => counts.push(rows) })

for (const engine of bothEngines)
  describe(`copying every table to ${engine.name}`, () => {
    let from: Database
    let tables: readonly CopiedTable[]
    before(async () => {
      from = await quickest.open()
      await fill(from)
      tables = await tablesInOrder(from)
    })
    after(() => from.close())

    it('and back gives the same rows, in steps that are heard of', async () => {
      const to = await engine.open()
      const back = await quickest.open()
      const counts: number[] = []
      const all = await countAllRows(from, tables)
      assert.equal(await copied(from, to, tables, counts), all)
      assert.deepEqual(
        [counts.at(-1), counts.length > tables.length / 4, counts.toSorted((a, b) => a - b)],
        [all, true, counts],
      )
      assert.deepEqual(await contents(to, tables), await contents(from, tables))
      assert.equal(await copied(to, back, tables), all)
      assert.deepEqual(await contents(back, tables), await contents(from, tables))
      await to.close()
      await back.close()
    })

    it('leaves nothing where it fails at the end', async () => {
      const to = await engine.open()
      const before = await contents(to, tables)
      await assert.rejects(
        copyTables(from, to, {
          tables,
          finish: () => Promise.reject(new Error('no more')),
          progress: () => undefined,
        }),
        /no more/,
      )
      assert.deepEqual(await contents(to, tables), before)
      await to.close()
    })
  })

describe('the order of tables', () => {
  it('has each behind those that it refers to, each with a key', async () => {
    const database = await quickest.open()
    const tables = await tablesInOrder(database)
    await database.close()
    const names = tables.map(({ name }) => name)
    for (const [index, { name, needs, key }] of tables.entries()) {
      assert.ok(key.length > 0, `${name} has no key`)
      for (const needed of needs) assert.ok(names.indexOf(needed) < index, `${name} is before ${needed}`)
    }
    for (const one of ['node', 'feed', 'checkin', 'order_position', 'audit', 'outbox'])
      assert.ok(names.includes(one), `${one} is left out of ${names}`)
    assert.ok(!names.some((name) => /position_search|migration/.test(name)))
  })
})
