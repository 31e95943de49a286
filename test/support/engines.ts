import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Database } from '../../server/storage/database.ts'
import { openPostgres } from '../../server/storage/postgres.ts'
import { openSqlite } from '../../server/storage/sqlite.ts'
import { openEmbeddedPostgres } from './embedded-postgres.ts'

/** A kind of database that the server runs on. What is opened is empty, and gone once it is closed. */
export interface Engine {
  readonly name: string
  open(): Promise<Database>
}

/** The same database, with something to be done after it is closed. */
const thenClean = (database: Database, clean: () => Promise<void>): Database => ({
  engine: database.engine,
  all: (statement) => database.all(statement),
  get: (statement) => database.get(statement),
  run: (statement) => database.run(statement),
  remembered: (key, load) => database.remembered(key, load),
  transaction: (work) => database.transaction(work),
  script: (text) => database.script(text),
  async close() {
    await database.close()
    await clean()
  },
})

async function openFile(): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-engine-'))
  return thenClean(openSqlite(join(folder, 'gatehouse.sqlite')), () => rm(folder, { recursive: true }))
}

async function openServer(address: string): Promise<Database> {
  const name = `gatehouse_test_${randomUUID().replaceAll('-', '')}`
  const asAdministrator = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await asAdministrator(`CREATE DATABASE ${name}`)
  const own = new URL(address)
  own.pathname = `/${name}`
  return thenClean(openPostgres(own.href), () => asAdministrator(`DROP DATABASE ${name}`))
}

const server = process.env.GATEHOUSE_TEST_POSTGRES

const quickest: Engine = { name: 'SQLite in memory', open: async () => openSqlite(':memory:') }

/**
 * Every kind of database there is here: a PostgreSQL server only where GATEHOUSE_TEST_POSTGRES names one. The quick
 * check before a commit, which sets GATEHOUSE_TEST_QUICK, makes do with one.
 */
export const engines: readonly Engine[] = process.env.GATEHOUSE_TEST_QUICK
  ? [quickest]
  : [
      quickest,
      { name: 'SQLite in a file', open: openFile },
      { name: 'PostgreSQL embedded', open: openEmbeddedPostgres },
      ...(server ? [{ name: 'PostgreSQL on a server', open: () => openServer(server) }] : []),
    ]
