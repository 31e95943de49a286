import Sqlite from 'better-sqlite3'
import type { Sql } from 'sql-template-tag'
import type { Database, Queryable, Timing, TurnOfTransaction } from './database.ts'
import { Memory } from './memory.ts'
import { type Acknowledge, LastSteps, type Unit, unitOf } from './shared-commit.ts'
import { Connection, translate } from './sqlite-connection.ts'

/** What begins and ends transactions. */
const commandsOf = (raw: Sqlite.Database) => ({
  begin: raw.prepare('BEGIN IMMEDIATE'),
  commit: raw.prepare('COMMIT'),
  rollback: raw.prepare('ROLLBACK'),
  savepoint: raw.prepare('SAVEPOINT unit'),
  release: raw.prepare('RELEASE unit'),
  rollbackTo: raw.prepare('ROLLBACK TO unit'),
})

/** How many waiting transactions share one commit: enough to hide the fsync, few enough that the first does not wait long. */
const groupSize = 64

/**
 * The effort after which no further transaction joins those that share a commit: some twenty sales, or a single large
 * order. Whoever comes in between waits for no more than that.
 */
const effortOfGroup = 5000

/** What a file is opened for. One that is `filled` is thrown away should that fail, so nothing in it is durable yet. */
type Purpose = 'read' | 'written' | 'filled'

function open(file: string | Buffer, purpose: Purpose): Sqlite.Database {
  const raw = new Sqlite(file, { readonly: purpose === 'read' })
  raw.pragma('busy_timeout = 5000')
  raw.pragma('cache_size = -65536')
  raw.pragma('foreign_keys = ON')
  if (purpose === 'filled') {
    // In a log everything would be written twice.
    raw.pragma('journal_mode = MEMORY')
    raw.pragma('synchronous = OFF')
    raw.pragma('temp_store = MEMORY')
  }
  if (purpose === 'written') {
    raw.pragma('journal_mode = WAL')
    // What a savepoint would restore is kept in memory; in a file, it costs as much as the writing itself.
    raw.pragma('temp_store = MEMORY')
    // The library's default in WAL mode is NORMAL, which loses acknowledged rows in a power cut.
    raw.pragma('synchronous = FULL')
    const level = raw.pragma('synchronous', { simple: true })
    if (typeof level !== 'number' || level < 2) {
      raw.close()
      throw new Error(
        `The database at ${typeof file === 'string' ? file : 'hand'} does not keep synchronous=FULL, so it could lose scans: refusing to serve.`,
      )
    }
  }
  return raw
}

class SqliteDatabase implements Database {
  readonly engine = 'sqlite'
  readonly #raw: Sqlite.Database
  readonly #commands: ReturnType<typeof commandsOf>
  readonly #memory: Memory
  readonly #writer: Connection
  readonly #rawReader: Sqlite.Database | undefined
  readonly #reader: Connection | undefined
  readonly #urgent: Unit[] = []
  readonly #usual: Unit[] = []
  #wasUrgent = false
  #running: Promise<void> | undefined
  #timing: Timing | undefined

  constructor(file: string | Buffer, purpose: 'written' | 'filled') {
    this.#raw = open(file, purpose)
    this.#commands = commandsOf(this.#raw)
    // On the writing connection, so that it changes only when another program commits.
    const version = this.#raw.prepare<[], number>('PRAGMA data_version').pluck()
    this.#memory = new Memory(() => version.get() ?? Number.NaN)
    this.#writer = new Connection(this.#raw, this.#memory)
    if (typeof file === 'string' && file !== ':memory:' && purpose === 'written') {
      this.#rawReader = open(file, 'read')
      this.#reader = new Connection(this.#rawReader, this.#memory)
    }
  }

  /**
   * What reads committed rows only, or undefined where reading has to queue with the writers: a database in memory has one
   * connection, and while a transaction goes on there, it sees rows that may yet be taken back.
   */
  get #committed(): Connection | undefined {
    return this.#reader ?? (this.#raw.inTransaction ? undefined : this.#writer)
  }

  all<T>(statement: Sql): Promise<T[]> {
    return this.#committed?.all(statement) ?? this.transaction((tx) => tx.all<T>(statement))
  }

  get<T>(statement: Sql): Promise<T | undefined> {
    return this.#committed?.get(statement) ?? this.transaction((tx) => tx.get<T>(statement))
  }

  run(statement: Sql): Promise<number> {
    return this.transaction((tx) => tx.run(statement))
  }

  remembered<T>(key: string, load: () => Promise<T>): Promise<T> {
    return this.#memory.recall(key, load)
  }

  transaction<T>(work: (tx: Queryable) => Promise<T>, turn: TurnOfTransaction<T> = {}): Promise<T> {
    const { unit, done } = unitOf(work, turn, this.#timing)
    const line = turn.isUrgent ? this.#urgent : this.#usual
    line.push(unit)
    this.#running ??= this.#drain().finally(() => {
      this.#running = undefined
    })
    return done
  }

  async #drain(): Promise<void> {
    // Requests that arrived in the same turn of the loop join the first group.
    await new Promise<void>((resolve) => setImmediate(resolve))
    for (let line = this.#nextLine(); line.length > 0; line = this.#nextLine()) {
      const answers = await this.#commitGroup(line)
      this.#memory.settle()
      for (const answer of answers) answer()
      await new Promise<void>((resolve) => setImmediate(resolve))
    }
  }

  /**
   * Whose turn it is: those that are urgent and the others have it one after the other where both wait, and no commit in
   * common.
   */
  #nextLine(): Unit[] {
    const isUrgent = this.#urgent.length > 0 && !(this.#wasUrgent && this.#usual.length > 0)
    this.#wasUrgent = isUrgent
    return isUrgent ? this.#urgent : this.#usual
  }

  /**
   * Carries out transactions that wait in line under one commit; what to tell each caller. None gets a savepoint at first: that
   * would cost as much as its writing. Should one of them fail, all that have begun are taken back and carried out again,
   * each in a savepoint of its own.
   */
  async #commitGroup(waiting: Unit[]): Promise<Acknowledge[]> {
    const begun: Unit[] = []
    const answers: Acknowledge[] = []
    const lastSteps = new LastSteps()
    const most = this.#writer.effort + effortOfGroup
    try {
      this.#begin()
      while (begun.length < groupSize && this.#writer.effort < most) {
        const unit = waiting.shift()
        if (!unit) break
        begun.push(unit)
        answers.push(await unit.carryOut(this.#writer, lastSteps))
      }
      await lastSteps.carryOut(this.#writer)
      this.#commit()
      return answers
    } catch (cause) {
      if (this.#raw.inTransaction) this.#commands.rollback.run()
      if (begun.length > 1) return this.#commitCarefully(begun)
      const failed = begun.length === 1 ? begun : waiting.splice(0, 1)
      return failed.map((unit) => () => unit.fail(translate(cause)))
    }
  }

  /** Carries out transactions under one commit, each in its savepoint, so that one that fails goes alone. */
  async #commitCarefully(units: readonly Unit[]): Promise<Acknowledge[]> {
    const answers: Acknowledge[] = []
    const lastSteps = new LastSteps()
    try {
      this.#begin()
      for (const unit of units) answers.push(await this.#inSavepoint(unit, lastSteps))
      await lastSteps.carryOut(this.#writer)
      this.#commit()
      return answers
    } catch (cause) {
      if (this.#raw.inTransaction) this.#commands.rollback.run()
      return units.map((unit) => () => unit.fail(translate(cause)))
    }
  }

  timeBy(timing: Timing): void {
    this.#timing = timing
  }

  #commit(): void {
    const end = this.#timing?.commits()
    this.#commands.commit.run()
    end?.()
  }

  #begin(): void {
    this.#commands.begin.run()
    // Beginning can have waited for another program's commit.
    this.#memory.doubt()
  }

  async #inSavepoint(unit: Unit, lastSteps: LastSteps): Promise<Acknowledge> {
    this.#commands.savepoint.run()
    try {
      const answer = await unit.carryOut(this.#writer, lastSteps)
      this.#commands.release.run()
      return answer
    } catch (cause) {
      // Some failures, such as a full disk, have ended the transaction of the whole group already.
      if (!this.#raw.inTransaction) throw cause
      this.#commands.rollbackTo.run()
      this.#commands.release.run()
      return () => unit.fail(cause)
    }
  }

  async script(text: string): Promise<void> {
    this.#memory.unsettle()
    this.#raw.exec(text)
    if (!this.#raw.inTransaction) this.#memory.settle()
  }

  async close(): Promise<void> {
    while (this.#running) await this.#running
    this.#rawReader?.close()
    this.#raw.close()
  }
}

/** Opens a SQLite database in a file, or in memory for `:memory:`, durable at every commit. */
export const openSqlite = (file: string): Database => new SqliteDatabase(file, 'written')

/** Opens a SQLite database in memory that begins as what the bytes of a file hold. */
export const openSqliteImage = (image: Buffer): Database => new SqliteDatabase(image, 'written')

/**
 * Opens a SQLite database in a file of its own to be filled as quickly as can be: nothing is durable until whoever fills
 * it says so, and after a failure the file is to be thrown away.
 */
export const openSqliteToFill = (file: string): Database => new SqliteDatabase(file, 'filled')
