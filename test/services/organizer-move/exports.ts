import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import { createOrganizer } from '../../../server/services/accounts/accounts.ts'
import { exportOrganizer, organizerHere } from '../../../server/services/organizer-move/export-organizer.ts'
import { importOrganizer } from '../../../server/services/organizer-move/import-organizer.ts'
import type { Database } from '../../../server/storage/database.ts'
import { quickest } from '../../support/engines/engines.ts'
import {
  addEvent,
  addToken,
  allRights,
  startTestServer,
  type TestServer,
} from '../../support/servers/servers.ts'

let folder = ''

/** Gives a suite its folder for files: several suites run in one process, one after the other. */
export function withFolder(): void {
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'gatehouse organizer '))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))
}

/** A path at which there is no file yet. */
export const newFile = (): string => join(folder, `${randomUUID()}.move`)

/** The moment at which everything is moved. */
export const now = (): string => '2030-01-01T00:00:00.000000Z'

/** What moves are made with where nobody looks. */
export const quiet = {
  ...{ version: 'test', now, pause: async () => undefined },
  ...{ progress: () => undefined, waiting: () => undefined },
}

/** Exports the organizer of a database to a new file. */
export async function exported(database: Database, slug = 'acme'): Promise<string> {
  const file = newFile()
  await exportOrganizer(database, await organizerHere(database, slug), { file, place: 'elsewhere' }, quiet)
  return file
}

/** A database with an identity and nothing else. */
export async function prepared(): Promise<Database> {
  const database = await quickest.open()
  await (await openData(database, realEnv)).release()
  return database
}

/** Imports a file. */
export const imported = (database: Database, file: string) => importOrganizer(database, file, quiet)

/** What a refusal says. */
export const saying = (pattern: RegExp) => (cause: unknown) => {
  assert.match(String(cause), pattern)
  return true
}

/** A copy of a file whose text is another one. */
export const changed = (file: string, change: (text: string) => string): string => {
  const other = newFile()
  writeFileSync(other, gzipSync(change(gunzipSync(readFileSync(file)).toString())))
  return other
}

/** A server with an organizer that has a number of its own, beside the usual one. */
export async function withOwnNumber(): Promise<TestServer> {
  const server = await startTestServer()
  return server.running.transactions.write(async (tx) => {
    const { id: organizer } = await createOrganizer(tx, 'numbered', 'Numbered')
    await addToken(tx, organizer, 'numbered', allRights)
    return { ...server, organizer, event: await addEvent(tx, organizer, 'gala') }
  })
}
