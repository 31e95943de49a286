import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import sql, { raw } from 'sql-template-tag'
import {
  allTables,
  movedTables,
  ofOrganizer,
  organizerTable,
  staying,
} from '../../../server/services/organizer-move/organizer-tables.ts'
import type { Cells, Database } from '../../../server/storage/database.ts'

import { exported, imported, prepared, withFolder } from './exports.ts'

describe('the tables of an organizer', () => {
  withFolder()
  let database: Database
  before(async () => {
    database = await prepared()
  })
  after(() => database.close())

  it('go with it, each of them, unless something says why not', async () => {
    const all = await allTables(database)
    const names = all.map(({ name }) => name)
    assert.deepEqual(
      Object.keys(staying).filter((name) => !names.includes(name)),
      [],
    )
    for (const { name, columns } of all)
      assert.ok(
        name in staying || name === organizerTable || columns.includes('organizer'),
        `${name} neither belongs to an organizer nor is said to stay`,
      )
    for (const [name, why] of Object.entries(staying)) assert.ok(why.length > 20, name)
  })

  it('arrive with a row of each as it was', async () => {
    const [from, to] = [await prepared(), await prepared()]
    for (const one of [from, to]) await one.script('PRAGMA foreign_keys = OFF;\n')
    const kinds = await from.all<{ tab: string; name: string; type: string }>(
      sql`SELECT m.name AS tab, c.name, c.type FROM sqlite_schema m, pragma_table_info(m.name) c WHERE m.type = 'table'`,
    )
    const tables = await movedTables(from)
    const made = (table: string): [string, string | number][] =>
      kinds
        .filter(({ tab }) => tab === table)
        .map(({ name, type }) => {
          if (name === 'organizer' || (table === organizerTable && name === 'id')) return [name, 77]
          if (name === 'slug') return [name, 'acme']
          return [name, type === 'TEXT' ? `["${name}"]` : 5]
        })
    for (const { name } of tables) {
      const cells = made(name)
      await from.run(
        sql`INSERT INTO ${raw(`"${name}"`)} (${raw(cells.map(([column]) => `"${column}"`).join())})
            VALUES (${raw(cells.map(([, value]) => (typeof value === 'string' ? `'${value}'` : value)).join())})`,
      )
    }
    await to.run(
      sql`INSERT INTO app_user (id, email, email_key, password_hash, locale, timezone, is_staff, created)
          VALUES (9, 'a@b.c', 'a@b.c', '', '', '', 0, '')`,
    )
    await from.run(
      sql`INSERT INTO app_user (id, email, email_key, password_hash, locale, timezone, is_staff, created)
          VALUES (5, 'A@b.c', 'A@b.c', '', '', '', 0, '')`,
    )
    const file = await exported(from)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.deepEqual((await imported(to, file)).not_found, [])
    const rowsOf = async (database: Database, name: string) => {
      const table = tables.find((one) => one.name === name)
      assert.ok(table)
      return database.all<Cells>(sql`SELECT * FROM ${raw(`"${name}"`)} WHERE ${ofOrganizer(table, 77)}`)
    }
    for (const { name } of tables) {
      const here = await rowsOf(to, name)
      const [sent] = await rowsOf(from, name)
      if (name === 'former_start' || name === 'former_user') continue
      assert.equal(here.length, 1, name)
      const otherwise = {
        mail: { id: here[0]?.id },
        team_member: { user: 9 },
        scheduled_export: { owner: 9 },
      }
      const expected = { ...sent, ...(name in otherwise ? otherwise[name as keyof typeof otherwise] : {}) }
      assert.deepEqual(here[0], expected, name)
    }
    await from.close()
    await to.close()
  })
})
