import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import sql from 'sql-template-tag'
import { createOrganizer } from '../../../server/services/accounts/accounts.ts'
import type { Database } from '../../../server/storage/database.ts'
import { openVenue } from '../../support/servers/nodes.ts'
import { startTestServer, type TestServer } from '../../support/servers/servers.ts'

import {
  changed,
  exported,
  imported,
  newFile,
  prepared,
  saying,
  withFolder,
  withOwnNumber,
} from './exports.ts'

describe('what cannot be imported', () => {
  withFolder()
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
