import type { Sql } from 'sql-template-tag'
import {
  type Database,
  type DatabaseUse,
  type Queryable,
  StorageError,
  type Timing,
  type TurnOfTransaction,
} from './database.ts'
import { problemOf, translatePostgres } from './postgres-errors.ts'
import { CommitGroups, carryOutSingle } from './postgres-groups.ts'
import { type Unit, unitOf } from './shared-commit.ts'

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
  connect(use: DatabaseUse): Promise<PostgresClient>
  /** What transactions begin with, where that is more than beginning. */
  readonly begin?: string
  /** Has something done on each connection before it is given to anybody. */
  onConnect?(work: (client: PostgresClient) => Promise<void>): void
  end(): Promise<void>
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
      throw translatePostgres(cause)
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

/** How often a transaction is begun that lost against another one, or, each time on another one, its connection. */
const attempts = { conflict: 12, lost: 12 }

const mayBeginAgain = (cause: unknown, attempt: number): boolean => {
  const problem = problemOf(cause)
  return (problem === 'conflict' || problem === 'lost') && attempt < attempts[problem]
}

class PostgresDatabase implements Database {
  readonly engine = 'postgres'
  readonly #source: PostgresSource
  #timing: Timing | undefined
  /** Connections whose transaction could not be ended: nobody else may get them. */
  readonly #stuck = new WeakSet<PostgresClient>()
  readonly #groups = new CommitGroups({
    connect: async () => {
      const client = await this.#connect('urgent')
      return (work) => this.#on(client, () => this.#once(client, work))
    },
    single: (unit) => this.#single('urgent', unit),
  })

  constructor(source: PostgresSource) {
    this.#source = source
  }

  async #connect(use: DatabaseUse): Promise<PostgresClient> {
    // Transactions wait for more than a connection.
    const endWaiting = use === 'read' ? this.#timing?.waits(use) : undefined
    try {
      return await this.#source.connect(use)
    } catch (cause) {
      throw translatePostgres(cause)
    } finally {
      endWaiting?.()
    }
  }

  /** Uses a connection; again on another one where it was lost before anything was stored, or lost against others. */
  async #with<T>(use: DatabaseUse, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.#connect(use)
      try {
        return await this.#on(client, work)
      } catch (cause) {
        if (!mayBeginAgain(cause, attempt)) throw cause
      }
    }
  }

  async #on<T>(client: PostgresClient, work: (client: PostgresClient) => Promise<T>): Promise<T> {
    let isBroken = false
    let isDoubtful = false
    try {
      return await work(client)
    } catch (cause) {
      const problem = problemOf(cause)
      isBroken = problem === 'lost' || problem === 'unsure'
      isDoubtful = problem === undefined && !(cause instanceof Error && 'code' in cause)
      throw cause
    } finally {
      client.release(isBroken || this.#stuck.has(client) || (isDoubtful && !(await isUsable(client))))
    }
  }

  all<T>(statement: Sql): Promise<T[]> {
    return this.#with('read', (client) => new Connection(client).all<T>(statement))
  }

  get<T>(statement: Sql): Promise<T | undefined> {
    return this.#with('read', (client) => new Connection(client).get<T>(statement))
  }

  run(statement: Sql): Promise<number> {
    return this.transaction((tx) => tx.run(statement))
  }

  // Other servers may write to the same database, and only a question to it would tell.
  remembered<T>(_key: string, load: () => Promise<T>): Promise<T> {
    return load()
  }

  transaction<T>(work: (tx: Queryable) => Promise<T>, turn: TurnOfTransaction<T> = {}): Promise<T> {
    const { unit, done } = unitOf(work, turn, this.#timing)
    if (turn.isUrgent) this.#groups.add(unit)
    else void this.#single('write', unit)
    return done
  }

  async #single(use: DatabaseUse, unit: Unit): Promise<void> {
    try {
      const answer = await this.#with(use, (client) => this.#once(client, (tx) => carryOutSingle(tx, unit)))
      answer()
    } catch (cause) {
      unit.fail(cause)
    }
  }

  async #once<T>(client: PostgresClient, work: (tx: Queryable) => Promise<T>): Promise<T> {
    let isCommitting = false
    try {
      await client.query({ text: this.#source.begin ?? 'BEGIN', values: [] })
      const value = await work(new Connection(client))
      isCommitting = true
      const end = this.#timing?.commits()
      await client.query({ text: 'COMMIT', values: [] })
      end?.()
      return value
    } catch (cause) {
      const failure = translatePostgres(cause)
      if (problemOf(failure) === 'lost') throw isCommitting ? new StorageError('unsure', cause) : failure
      // What went wrong first is what the caller has to know.
      await client.query({ text: 'ROLLBACK', values: [] }).catch(() => this.#stuck.add(client))
      throw failure
    }
  }

  timeBy(timing: Timing): void {
    this.#timing = timing
  }

  onConnect(work: (connection: Queryable) => Promise<void>): void {
    this.#source.onConnect?.((client) => work(new Connection(client)))
  }

  async script(text: string): Promise<void> {
    await this.#with('write', async (client) => {
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

/** A database on connections to a server that speaks PostgreSQL's language. */
export const postgresOn = (source: PostgresSource): Database => new PostgresDatabase(source)
