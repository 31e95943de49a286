import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { Database } from '../../../server/storage/database.ts'
import { type PostgresClient, postgresOn } from '../../../server/storage/postgres.ts'
import { empty, prepare } from './emptied-postgres.ts'

const bigint = 20
const numeric = 1700

const output = new URL('../../../test-output/', import.meta.url)
const about = new URL('../../../node_modules/@electric-sql/pglite/package.json', import.meta.url)

/** Where a cluster is kept as it is when it has just been made: to make one takes four times as long as to load one. */
const kept = (): URL => new URL(`postgres-${JSON.parse(readFileSync(about, 'utf8')).version}.tar`, output)

const begin = (loadDataDir?: Blob): Promise<PGlite> =>
  PGlite.create({
    extensions: { pg_trgm },
    parsers: { [bigint]: Number, [numeric]: Number },
    ...(loadDataDir ? { loadDataDir } : {}),
  })

async function makeCluster(file: URL): Promise<PGlite> {
  const instance = await begin()
  await instance.exec('CREATE EXTENSION pg_trgm SCHEMA pg_catalog')
  const dump = await instance.dumpDataDir('none')
  // Other processes find all of it or nothing.
  const own = new URL(`${file.href}.${process.pid}`)
  await mkdir(output, { recursive: true })
  await writeFile(own, new Uint8Array(await dump.arrayBuffer()))
  await rename(own, file)
  return instance
}

let started: Promise<PGlite> | undefined

/** PostgreSQL takes a second to start, so one is shared by all tests of a process; each has a schema of its own. */
function embedded(): Promise<PGlite> {
  const file = kept()
  started ??= existsSync(file) ? readFile(file).then((bytes) => begin(new Blob([bytes]))) : makeCluster(file)
  return started
}

/** The one connection there is: who wants it waits until it is free, and finds the schema that is theirs. */
class Turns {
  #last: Promise<void> = Promise.resolve()
  #schema = ''

  async take(instance: PGlite, schema: string): Promise<() => void> {
    const before = this.#last
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#last = promise
    await before
    if (this.#schema !== schema) await instance.exec(`SET search_path TO ${schema}`)
    this.#schema = schema
    return resolve
  }
}

const turns = new Turns()
let schemas = 0

function onSchema(instance: PGlite, schema: string, clean: () => Promise<void>): Database {
  let isOpen = true
  return postgresOn({
    async connect(): Promise<PostgresClient> {
      const release = await turns.take(instance, schema)
      if (!isOpen) {
        // The schema may be somebody else's by now.
        release()
        throw new Error('The database is closed.')
      }
      return {
        async query({ text, values }) {
          const { rows, affectedRows } = await instance.query(text, values)
          return { rows, rowCount: affectedRows ?? null }
        },
        release,
      }
    },
    async end() {
      isOpen = false
      await clean()
    },
  })
}

async function newSchema(): Promise<{ schema: string; drop: () => Promise<void>; instance: PGlite }> {
  const instance = await embedded()
  schemas += 1
  const schema = `test_${schemas}`
  await instance.exec(`CREATE SCHEMA ${schema}`)
  const drop = async (): Promise<void> => {
    const release = await turns.take(instance, schema)
    await instance.exec(`DROP SCHEMA ${schema} CASCADE`)
    release()
  }
  return { schema, drop, instance }
}

/** Opens a database without anything on the embedded PostgreSQL; closing it drops what it holds. */
export async function openBareEmbeddedPostgres(): Promise<Database> {
  const { schema, drop, instance } = await newSchema()
  return onSchema(instance, schema, drop)
}

/** Databases that were closed, with the schema in place and nothing in them. */
const spare: (() => Database)[] = []

/** Opens a database with the schema in place on the embedded PostgreSQL; once it is closed, others may get it, emptied. */
export async function openEmbeddedPostgres(): Promise<Database> {
  const again = spare.pop()
  if (again) return again()
  const { schema, drop, instance } = await newSchema()
  const whole = onSchema(instance, schema, drop)
  const open = (): Database =>
    onSchema(instance, schema, async () => {
      if (await empty(whole)) spare.push(open)
      else await drop()
    })
  await prepare(whole)
  return open()
}
