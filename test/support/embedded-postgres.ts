import { PGlite } from '@electric-sql/pglite'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import type { Database } from '../../server/storage/database.ts'
import { type PostgresClient, type PostgresSource, postgresOn } from '../../server/storage/postgres.ts'

const bigint = 20
const numeric = 1700

let started: Promise<PGlite> | undefined

/** PostgreSQL takes seconds to start, so one is shared by all tests of a process; each has a schema of its own. */
function embedded(): Promise<PGlite> {
  started ??= PGlite.create({
    extensions: { pg_trgm },
    parsers: { [bigint]: Number, [numeric]: Number },
  }).then(async (instance) => {
    await instance.exec('CREATE EXTENSION pg_trgm SCHEMA pg_catalog')
    return instance
  })
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

/** Opens an empty database on the embedded PostgreSQL; closing it drops what it holds. */
export async function openEmbeddedPostgres(): Promise<Database> {
  const instance = await embedded()
  schemas += 1
  const schema = `test_${schemas}`
  await instance.exec(`CREATE SCHEMA ${schema}`)
  const source: PostgresSource = {
    async connect(): Promise<PostgresClient> {
      const release = await turns.take(instance, schema)
      return {
        async query({ text, values }) {
          const { rows, affectedRows } = await instance.query(text, values)
          return { rows, rowCount: affectedRows ?? null }
        },
        release,
      }
    },
    async end() {
      const release = await turns.take(instance, schema)
      await instance.exec(`DROP SCHEMA ${schema} CASCADE`)
      release()
    },
  }
  return postgresOn(source)
}
