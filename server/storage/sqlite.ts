import Sqlite from 'better-sqlite3'
import type { Sql } from 'sql-template-tag'
import { type Database, type Queryable, StorageError, type StorageProblem } from './database.ts'

const problems: Readonly<Record<string, StorageProblem>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign',
  SQLITE_BUSY: 'busy',
  SQLITE_BUSY_SNAPSHOT: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_FULL: 'full',
}

const translate = (cause: unknown): unknown => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const problem = problems[code]
  return problem ? new StorageError(problem, cause) : cause
}

/**
 * A statement's text. Bound to a bare parameter of a join, SQLite with STAT4 plans the statement anew at every run, which
 * costs many times what the statement does; a plus sign before it changes nothing else, whatever the value is.
 */
const textOf = (statement: Sql): string => statement.strings.join('+?')

/** Statements are prepared once and found again by their text. */
class Connection implements Queryable {
  readonly engine = 'sqlite'
  readonly #raw: Sqlite.Database
  readonly #statements = new Map<string, Sqlite.Statement>()

  constructor(raw: Sqlite.Database) {
    this.#raw = raw
  }

  #prepare(text: string): Sqlite.Statement {
    const known = this.#statements.get(text)
    if (known) return known
    // Lists of values make texts of many lengths; forgetting all of them once in a while bounds the cache.
    if (this.#statements.size >= 2000) this.#statements.clear()
    const fresh = this.#raw.prepare(text)
    this.#statements.set(text, fresh)
    return fresh
  }

  async all<T>(statement: Sql): Promise<T[]> {
    try {
      return this.#prepare(textOf(statement)).all(...statement.values) as T[]
    } catch (cause) {
      throw translate(cause)
    }
  }

  async get<T>(statement: Sql): Promise<T | undefined> {
    try {
      return this.#prepare(textOf(statement)).get(...statement.values) as T | undefined
    } catch (cause) {
      throw translate(cause)
    }
  }

  async run(statement: Sql): Promise<number> {
    try {
      return this.#prepare(textOf(statement)).run(...statement.values).changes
    } catch (cause) {
      throw translate(cause)
    }
  }

  command(text: string): void {
    this.#prepare(text).run()
  }
}

/** Tells a caller what became of a transaction. */
type Answer = () => void

interface Unit {
  readonly carryOut: (tx: Queryable) => Promise<Answer>
  readonly fail: (cause: unknown) => void
}

/** How many waiting transactions share one commit: enough to hide the fsync, few enough that the first does not wait long. */
const groupSize = 64

function open(file: string, readonly: boolean): Sqlite.Database {
  const raw = new Sqlite(file, { readonly })
  raw.pragma('busy_timeout = 5000')
  raw.pragma('cache_size = -65536')
  raw.pragma('foreign_keys = ON')
  if (!readonly) {
    raw.pragma('journal_mode = WAL')
    // What a savepoint would restore is kept in memory; in a file, it costs as much as the writing itself.
    raw.pragma('temp_store = MEMORY')
    // The library's default in WAL mode is NORMAL, which loses acknowledged rows in a power cut.
    raw.pragma('synchronous = FULL')
    const level = raw.pragma('synchronous', { simple: true })
    if (typeof level !== 'number' || level < 2) {
      raw.close()
      throw new Error(
        `The database at ${file} does not keep synchronous=FULL, so it could lose scans: refusing to serve.`,
      )
    }
  }
  return raw
}

class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #raw: Sqlite.Database
  readonly #writer: Connection
  readonly #rawReader: Sqlite.Database | undefined
  readonly #reader: Connection | undefined
  readonly #waiting: Unit[] = []
  #running: Promise<void> | undefined

  constructor(file: string) {
    this.#raw = open(file, false)
    this.#writer = new Connection(this.#raw)
    if (file !== ':memory:') {
      this.#rawReader = open(file, true)
      this.#reader = new Connection(this.#rawReader)
    }
  }

  // A database in memory has one connection only, so its readers queue with the writers and see committed rows as well.
  all<T>(statement: Sql): Promise<T[]> {
    return this.#reader ? this.#reader.all(statement) : this.transaction((tx) => tx.all<T>(statement))
  }

  get<T>(statement: Sql): Promise<T | undefined> {
    return this.#reader ? this.#reader.get(statement) : this.transaction((tx) => tx.get<T>(statement))
  }

  run(statement: Sql): Promise<number> {
    return this.transaction((tx) => tx.run(statement))
  }

  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        carryOut: async (tx) => {
          const value = await work(tx)
          return () => resolve(value)
        },
        fail: reject,
      })
      this.#running ??= this.#drain().finally(() => {
        this.#running = undefined
      })
    })
  }

  async #drain(): Promise<void> {
    // Requests that arrived in the same turn of the loop join the first group.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const answers = await this.#commitGroup()
      for (const answer of answers) answer()
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  /**
   * Carries out the waiting transactions under one commit; what to tell each caller. None gets a savepoint at first: that
   * would cost as much as its writing. Should one of them fail, all that have begun are taken back and carried out again,
   * each in a savepoint of its own.
   */
  async #commitGroup(): Promise<Answer[]> {
    const begun: Unit[] = []
    const answers: Answer[] = []
    try {
      this.#writer.command('BEGIN IMMEDIATE')
      while (begun.length < groupSize) {
        const unit = this.#waiting.shift()
        if (!unit) break
        begun.push(unit)
        answers.push(await unit.carryOut(this.#writer))
      }
      this.#writer.command('COMMIT')
      return answers
    } catch (cause) {
      if (this.#raw.inTransaction) this.#writer.command('ROLLBACK')
      if (begun.length > 1) return this.#commitCarefully(begun)
      const failed = begun.length === 1 ? begun : this.#waiting.splice(0, 1)
      return failed.map((unit) => () => unit.fail(translate(cause)))
    }
  }

  /** Carries out transactions under one commit, each in its savepoint, so that one that fails goes alone. */
  async #commitCarefully(units: readonly Unit[]): Promise<Answer[]> {
    const answers: Answer[] = []
    try {
      this.#writer.command('BEGIN IMMEDIATE')
      for (const unit of units) answers.push(await this.#inSavepoint(unit))
      this.#writer.command('COMMIT')
      return answers
    } catch (cause) {
      if (this.#raw.inTransaction) this.#writer.command('ROLLBACK')
      return units.map((unit) => () => unit.fail(translate(cause)))
    }
  }

  async #inSavepoint(unit: Unit): Promise<Answer> {
    this.#writer.command('SAVEPOINT unit')
    try {
      const answer = await unit.carryOut(this.#writer)
      this.#writer.command('RELEASE unit')
      return answer
    } catch (cause) {
      // Some failures, such as a full disk, have ended the transaction of the whole group already.
      if (!this.#raw.inTransaction) throw cause
      this.#writer.command('ROLLBACK TO unit')
      this.#writer.command('RELEASE unit')
      return () => unit.fail(cause)
    }
  }

  async script(text: string): Promise<void> {
    this.#raw.exec(text)
  }

  async close(): Promise<void> {
    while (this.#running) await this.#running
    this.#rawReader?.close()
    this.#raw.close()
  }
}

/** Opens a SQLite database in a file, or in memory for `:memory:`, durable at every commit. */
export const openSqlite = (file: string): Database => new SqliteDatabase(file)
