import pg from 'pg'
import type { Sql } from 'sql-template-tag'
import { type Database, type Queryable, StorageError, type StorageProblem } from './database.ts'

/** One connection to a server that speaks PostgreSQL's language; the part of a client that we use. */
export interface PostgresClient {
  query(statement: {
    text: string
    values: unknown[]
    name?: string
  }): Promise<{ rows: unknown[]; rowCount: number | null }>
  release(broken?: boolean): void
}

/** Where connections come from: a pool of a real server, or an embedded one. */
export interface PostgresSource {
  connect(): Promise<PostgresClient>
  end(): Promise<void>
}

const problems: Readonly<Record<string, StorageProblem>> = {
  '23505': 'unique',
  '23503': 'foreign',
  '40001': 'conflict',
  '40P01': 'conflict',
  '55P03': 'busy',
  '53100': 'full',
  '22003': 'unstorable',
  '22021': 'unstorable',
  '22P05': 'unstorable',
  '54000': 'unstorable',
}

const translate = (cause: unknown): unknown => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const problem = problems[code]
  return problem ? new StorageError(problem, cause) : cause
}

const names = new Map<string, string>()

/** Statements are prepared under a name per text, so that a server parses and plans each once per connection. */
const nameOf = (text: string): string | undefined => {
  const known = names.get(text)
  if (known) return known
  if (names.size >= 2000) return undefined
  const fresh = `s${names.size}`
  names.set(text, fresh)
  return fresh
}

class Connection implements Queryable {
  readonly engine = 'postgres'
  readonly #client: PostgresClient

  constructor(client: PostgresClient) {
    this.#client = client
  }

  async #query(statement: Sql): Promise<{ rows: unknown[]; rowCount: number | null }> {
    const text = statement.text
    try {
      return await this.#client.query({ text, values: statement.values, name: nameOf(text) })
    } catch (cause) {
      throw translate(cause)
    }
  }

  async all<T>(statement: Sql): Promise<T[]> {
    return (await this.#query(statement)).rows as T[]
  }

  async get<T>(statement: Sql): Promise<T | undefined> {
    return (await this.#query(statement)).rows[0] as T | undefined
  }

  async run(statement: Sql): Promise<number> {
    return (await this.#query(statement)).rowCount ?? 0
  }

  remembered<T>(_key: string, load: () => Promise<T>): Promise<T> {
    return load()
  }
}

/** How often a transaction that lost against another one is begun again before the caller has to wait. */
const attempts = 12

class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly #source: PostgresSource
  /** Connections whose transaction could not be ended: nobody else may get them. */
  readonly #stuck = new WeakSet<PostgresClient>()

  constructor(source: PostgresSource) {
    this.#source = source
  }

  async #with<T>(use: (client: PostgresClient) => Promise<T>): Promise<T> {
    const client = await this.#source.connect()
    let broken = false
    try {
      return await use(client)
    } catch (cause) {
      broken = !(cause instanceof Error && 'code' in cause) && !(cause instanceof StorageError)
      throw cause
    } finally {
      client.release(this.#stuck.has(client) || (broken && !(await isUsable(client))))
    }
  }

  all<T>(statement: Sql): Promise<T[]> {
    return this.#with((client) => new Connection(client).all<T>(statement))
  }

  get<T>(statement: Sql): Promise<T | undefined> {
    return this.#with((client) => new Connection(client).get<T>(statement))
  }

  run(statement: Sql): Promise<number> {
    return this.transaction((tx) => tx.run(statement))
  }

  // Other servers may write to the same database, and only a question to it would tell.
  remembered<T>(_key: string, load: () => Promise<T>): Promise<T> {
    return load()
  }

  async transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await this.#with((client) => this.#once(client, work))
      } catch (cause) {
        const problem = cause instanceof StorageError ? cause.problem : undefined
        if (problem !== 'conflict' || attempt >= attempts) throw cause
      }
    }
  }

  async #once<T>(client: PostgresClient, work: (tx: Queryable) => Promise<T>): Promise<T> {
    await client.query({ text: 'BEGIN', values: [] })
    try {
      const value = await work(new Connection(client))
      await client.query({ text: 'COMMIT', values: [] })
      return value
    } catch (cause) {
      // What went wrong first is what the caller has to know.
      await client.query({ text: 'ROLLBACK', values: [] }).catch(() => this.#stuck.add(client))
      throw translate(cause)
    }
  }

  async script(text: string): Promise<void> {
    await this.#with(async (client) => {
      for (const statement of text.split(/;\s*\n/)) {
        if (statement.trim()) await client.query({ text: statement, values: [] })
      }
    })
  }

  close(): Promise<void> {
    return this.#source.end()
  }
}

/** Whether a connection still answers after a failure that was not the server's own. */
async function isUsable(client: PostgresClient): Promise<boolean> {
  try {
    await client.query({ text: 'SELECT 1', values: [] })
    return true
  } catch {
    return false
  }
}

const bigint = 20
const numeric = 1700

/** Opens a database on a server that speaks PostgreSQL's language, at a `postgres://` address. */
export function openPostgres(address: string): Database {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === bigint || oid === numeric ? Number : pg.types.getTypeParser(oid, format),
  }
  const pool = new pg.Pool({ connectionString: address, max: 8, types, options: '-c lock_timeout=10s' })
  // An idle connection that the server closes is replaced by the pool at the next use.
  pool.on('error', () => {})
  return new PostgresDatabase({ connect: () => pool.connect(), end: () => pool.end() })
}

/** A database on connections that come from elsewhere, such as an embedded server. */
export const postgresOn = (source: PostgresSource): Database => new PostgresDatabase(source)
