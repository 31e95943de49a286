import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { realEnv } from '../../../server/env.ts'
import type { Database } from '../../../server/storage/database.ts'
import { openPostgres } from '../../../server/storage/postgres-server.ts'
import { thenClean } from '../mocha/then-clean.ts'
import { empty, prepare } from './emptied-postgres.ts'
import { spreadByOrganizer } from './partitioned.ts'

/** What the names of this run's databases begin with is told to its processes by this name. */
const variable = 'GATEHOUSE_TEST_RUN'

const newName = (): string => randomUUID().replaceAll('-', '').slice(0, 12)

async function asAdministrator(address: string, ...statements: readonly string[]): Promise<pg.QueryResult[]> {
  const client = new pg.Client({ connectionString: address })
  await client.connect()
  try {
    const results: pg.QueryResult[] = []
    for (const statement of statements) results.push(await client.query(statement))
    return results
  } finally {
    await client.end()
  }
}

async function dropAll(address: string, prefix: string): Promise<void> {
  const [found] = await asAdministrator(
    address,
    `SELECT datname FROM pg_database WHERE datname LIKE '${prefix.replaceAll('_', '\\_')}%'`,
  )
  const names: string[] = (found?.rows ?? []).map(({ datname }) => datname)
  await asAdministrator(address, ...names.map((name) => `DROP DATABASE ${name} WITH (FORCE)`))
}

/** Before all tests: names the databases of the run. */
export function mochaGlobalSetup(): void {
  process.env[variable] = newName()
}

/** After all tests: drops the databases that were kept to be used again. */
export async function mochaGlobalTeardown(): Promise<void> {
  const address = process.env.GATEHOUSE_TEST_POSTGRES
  if (address) await dropAll(address, `gatehouse_test_${process.env[variable]}_`)
}

let prefix: string | undefined

/** What the names of databases of this process begin with; a process that runs alone drops them by itself. */
function ownPrefix(address: string): string {
  if (prefix !== undefined) return prefix
  const run = process.env[variable]
  prefix = `gatehouse_test_${run ?? newName()}_`
  const own = prefix
  if (run === undefined) process.once('beforeExit', () => dropAll(address, own))
  return prefix
}

async function newDatabase(address: string): Promise<{ open: () => Database; drop: () => Promise<void> }> {
  const name = `${ownPrefix(address)}${newName()}`
  await asAdministrator(address, `CREATE DATABASE ${name}`)
  const own = new URL(address)
  own.pathname = `/${name}`
  return {
    open: () => openPostgres(own.href, realEnv.after),
    drop: async () => {
      await asAdministrator(address, `DROP DATABASE ${name}`)
    },
  }
}

/** Opens a database without anything on a PostgreSQL server; closing it drops it. */
export async function openBareServerPostgres(address: string): Promise<Database> {
  const { open, drop } = await newDatabase(address)
  return thenClean(open(), drop)
}

/** Opens a database with the schema in place whose tables are spread by their organizer; closing it drops it. */
export async function openPartitionedPostgres(address: string): Promise<Database> {
  const database = await openBareServerPostgres(address)
  await prepare(database, spreadByOrganizer)
  return database
}

/** Databases that were closed, with the schema in place and nothing in them. */
const spare: (() => Database)[] = []

/** Whether the tables of databases on the server are spread by their organizer, as a distributed engine has them. */
const isSpread = Boolean(process.env.GATEHOUSE_TEST_PARTITIONED)

/** Opens a database with the schema in place on a PostgreSQL server; once it is closed, others may get it, emptied. */
export async function openServerPostgres(address: string): Promise<Database> {
  const again = spare.pop()
  if (again) return again()
  const { open, drop } = await newDatabase(address)
  const first = open()
  await prepare(first, isSpread ? spreadByOrganizer : undefined)
  await first.close()
  const openAgain = (): Database => {
    const database = open()
    let isGood = false
    return thenClean(
      database,
      async () => {
        if (isGood) spare.push(openAgain)
        else await drop()
      },
      async () => {
        isGood = await empty(database)
      },
    )
  }
  return openAgain()
}
