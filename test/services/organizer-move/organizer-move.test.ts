import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import sql, { raw } from 'sql-template-tag'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRows } from '../../../server/resource/store.ts'
import { createOrganizer } from '../../../server/services/accounts/accounts.ts'
import { claimMails, isMailDue } from '../../../server/services/notifications/mail-delivery.ts'
import { queueText } from '../../../server/services/notifications/mail-queue.ts'
import {
  closeOrganizer,
  exportOrganizer,
  openOrganizer,
  organizerHere,
} from '../../../server/services/organizer-move/export-organizer.ts'
import { importOrganizer } from '../../../server/services/organizer-move/import-organizer.ts'
import {
  allTables,
  movedTables,
  ofOrganizer,
  organizerTable,
  staying,
} from '../../../server/services/organizer-move/organizer-tables.ts'
import type { Cells, Database } from '../../../server/storage/database.ts'
import { quickest } from '../../support/engines/engines.ts'
import { countOf, openVenue, sell } from '../../support/servers/nodes.ts'
import {
  addEvent,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse organizer '))
after(() => rmSync(folder, { recursive: true, force: true }))

const newFile = (): string => join(folder, `${randomUUID()}.move`)
const now = (): string => '2030-01-01T00:00:00.000000Z'
const quiet = {
  ...{ version: 'test', now, pause: async () => undefined },
  ...{ progress: () => undefined, waiting: () => undefined },
}

/** Exports the organizer of a database to a new file. */
async function exported(database: Database, slug = 'acme'): Promise<string> {
  const file = newFile()
  await exportOrganizer(database, await organizerHere(database, slug), { file, place: 'elsewhere' }, quiet)
  return file
}

/** A database with an identity and nothing else. */
async function prepared(): Promise<Database> {
  const database = await quickest.open()
  await (await openData(database, realEnv)).release()
  return database
}

const imported = (database: Database, file: string) => importOrganizer(database, file, quiet)

/** What a refusal says. */
const saying = (pattern: RegExp) => (cause: unknown) => {
  assert.match(String(cause), pattern)
  return true
}

const changed = (file: string, change: (text: string) => string): string => {
  const other = newFile()
  writeFileSync(other, gzipSync(change(gunzipSync(readFileSync(file)).toString())))
  return other
}

describe('the tables of an organizer', () => {
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

describe('an organizer that is moved', () => {
  it('is not changed by anybody where it was, until it is opened again', async () => {
    const server = await startTestServer()
    const { database } = server.running.transactions
    const venue = await openVenue(server, ['A'])
    await closeOrganizer(database, server.organizer, 'https://b.example', now())
    const write = () =>
      server.call('POST', `${server.ev}/items/`, { name: { en: 'Late' }, default_price: '1' })
    assert.equal((await write()).status, 503)
    await assert.rejects(
      server.running.transactions.write(async (tx) =>
        tx.changed({ organizer: server.organizer, event: server.event }, 'item', venue.item, 'put'),
      ),
      saying(/moved to https:\/\/b.example/),
    )
    await openOrganizer(database, server.organizer)
    assert.equal((await write()).status, 201)
    await server.close()
  })

  it('comes back to where it was, but not as it was before', async () => {
    const server = await startTestServer()
    const venue = await openVenue(server, ['A'])
    const { database } = server.running.transactions
    const file = await exported(database)
    const away = await prepared()
    await imported(away, file)
    const later = await openData(away, realEnv)
    await later.write((tx) => sell(tx, server.organizer, server.event, venue.item, ['NEW']))
    await later.write(async (tx) =>
      tx.changed({ organizer: server.organizer, event: server.event }, 'item', venue.item, 'put'),
    )
    const back = await exported(away)
    await imported(database, back)
    assert.equal(await countOf(server.running, 'order_position'), 2)
    assert.equal((await server.call('GET', `${server.ev}/items/`)).status, 200)
    const found = await server.call('GET', `${server.ev}/orderpositions/?search=Guest NEW`)
    assert.equal((found.body as { count: number }).count, 1)
    await assert.rejects(imported(away, file), saying(/more has happened since/))
    await server.close()
    await away.close()
  })
})

/** A server with an organizer that has a number of its own, beside the usual one. */
async function withOwnNumber(): Promise<TestServer> {
  const server = await startTestServer()
  return server.running.transactions.write(async (tx) => {
    const { id: organizer } = await createOrganizer(tx, 'numbered', 'Numbered')
    await addToken(tx, organizer, 'numbered', allRights)
    return { ...server, organizer, event: await addEvent(tx, organizer, 'gala') }
  })
}

describe('what happens while an organizer is moved', () => {
  it('is in the file where it was acknowledged, and else is not acknowledged', async () => {
    const codes = Array.from({ length: 60 }, (_, index) => `T${index}`)
    const server = await startTestServer()
    const venue = await openVenue(server, codes)
    let file: Promise<string> | undefined
    const answered: number[] = []
    const scan = async (code: string): Promise<void> => {
      const path = `${server.org}/checkinrpc/redeem/`
      const { status } = await server.call('POST', path, { secret: code, lists: [venue.list] })
      answered.push(status)
      if (answered.length === 20) file = exported(server.running.transactions.database)
    }
    const some = [...codes]
    const gate = async (): Promise<void> => {
      for (let code = some.shift(); code !== undefined; code = some.shift()) await scan(code)
    }
    await Promise.all([gate(), gate(), gate(), gate()])
    const admitted = answered.filter((status) => status === 201).length
    assert.ok(admitted >= 20 && admitted < codes.length, `${admitted}`)
    assert.deepEqual([...new Set(answered)].sort(), [201, 503])
    const target = await prepared()
    await imported(target, String(await file))
    const row = await target.get<{ count: number }>(sql`SELECT count(*) AS count FROM checkin`)
    assert.equal(row?.count, admitted)
    await target.close()
    await server.close()
  })

  it('is left to the new place: nothing is sent where it was', async () => {
    const server = await startTestServer()
    const { database, write } = server.running.transactions
    const place = { organizer: server.organizer, event: server.event }
    await write((tx) =>
      queueText(tx, place, {
        ...{ to: 'a@example.org', template: 'order_placed', locale: 'en', subject: 'S', text: 'T' },
      }),
    )
    const later = '2099-01-01T00:00:00.000000Z'
    assert.equal(await isMailDue(database, later), true)
    await closeOrganizer(database, server.organizer, 'elsewhere', now())
    assert.equal(await isMailDue(database, later), false)
    assert.deepEqual(await write((tx) => claimMails(tx, later, 10)), [])
    await openOrganizer(database, server.organizer)
    assert.equal((await write((tx) => claimMails(tx, later, 10))).length, 1)
    await server.close()
  })

  it('gets new numbers at a server that was running when it came', async () => {
    const source = await withOwnNumber()
    const addItems = (server: TestServer, organizer: number, event: number) =>
      server.running.transactions.write(async (tx) => {
        const row = { ...blankRow(item), name: { en: 'One' }, default_price: '1.00' }
        const rows = Array.from({ length: 40 }, () => ({ ...row, id: tx.nextId() }))
        await insertRows(tx, item, { organizer, event }, rows)
        return rows.map(({ id }) => id)
      })
    const before = await addItems(source, source.organizer, source.event)
    const file = await exported(source.running.transactions.database, 'numbered')
    const target = await startTestServer()
    await imported(target.running.transactions.database, file)
    const later = await addItems(target, source.organizer, source.event)
    assert.deepEqual(
      later.filter((id) => id <= Math.max(...before)),
      [],
    )
    await source.close()
    await target.close()
  })
})

describe('what cannot be imported', () => {
  let server: TestServer
  let file: string
  before(async () => {
    server = await startTestServer()
    await openVenue(server, ['A', 'B'])
    file = await exported(server.running.transactions.database)
  })
  after(() => server.close())

  const refusedBy = async (database: Database, path: string, pattern: RegExp) => {
    const count = async () => (await database.all(sql`SELECT id FROM orders`)).length
    const before = await count()
    await assert.rejects(imported(database, path), saying(pattern))
    assert.equal(await count(), before)
  }

  it('is a file that is not whole or not as it was written', async () => {
    const database = await prepared()
    const bytes = readFileSync(file)
    for (const part of [0.3, 0.9]) {
      const cut = newFile()
      writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * part)))
      await refusedBy(database, cut, /cut off/)
    }
    const lines = (text: string) => text.trimEnd().split('\n')
    const damages: ((text: string) => string)[] = [
      (text) => `${lines(text).slice(0, -1).join('\n')}\n`,
      (text) => `${lines(text).toSpliced(-2, 1).join('\n')}\n`,
      (text) => text.replace('Guest A', 'Guest Z'),
      (text) => `${text}${lines(text).at(1)}\n`,
      (text) => text.slice(0, -1),
    ]
    for (const damage of damages) await refusedBy(database, changed(file, damage), /cut off or was changed/)
    const other = newFile()
    writeFileSync(other, 'something else')
    await refusedBy(database, other, /not a file that .*organizer export/)
    assert.ok(await imported(database, file))
    await database.close()
  })

  it('is one of another version', async () => {
    const database = await prepared()
    await refusedBy(
      database,
      changed(file, (text) => text.replace(/"migration":"\d+/, '"migration":"9999')),
      /newer Gatehouse.*Update this program/,
    )
    await refusedBy(
      database,
      changed(file, (text) => text.replace(/"migration":"\d+/, '"migration":"0001')),
      /older Gatehouse.*export again/,
    )
    await database.close()
  })

  it('is an organizer that is there, or another one with its name, number or tickets', async () => {
    const database = await prepared()
    await imported(database, file)
    await refusedBy(database, file, /is here already, and served/)
    await database.run(sql`UPDATE organizer SET slug = 'other'`)
    await refusedBy(database, file, /has the same number .* Import into/)
    await database.close()
    const rival = await startTestServer()
    await openVenue(rival, ['Z'])
    const { database: taken, write } = rival.running.transactions
    await refusedBy(taken, file, /is here already|another organizer "acme"/)
    const number = await write((tx) => createOrganizer(tx, 'third', 'Third'))
    assert.ok(number.id > 2 ** 31)
    const withThird = await exported(taken)
    const third = await startTestServer()
    await openVenue(third, ['Y'])
    await third.running.transactions.database.run(sql`UPDATE organizer SET slug = 'third'`)
    await refusedBy(third.running.transactions.database, withThird, /has the same number/)
    await rival.close()
    await third.close()
    const numbered = await withOwnNumber()
    await openVenue(numbered, ['N'])
    const ticketed = await exported(numbered.running.transactions.database, 'numbered')
    const crowded = await startTestServer()
    await openVenue(crowded, ['C', 'D', 'E'])
    await refusedBy(
      crowded.running.transactions.database,
      ticketed,
      /Tickets of another organizer.*PostgreSQL/,
    )
    await numbered.close()
    await crowded.close()
  })
})
