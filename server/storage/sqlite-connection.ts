import type Sqlite from 'better-sqlite3'
import type { Sql } from 'sql-template-tag'
import { type Queryable, StorageError, type StorageProblem } from './database.ts'
import { type Memory, unsettles } from './memory.ts'
import { ShapedSql } from './shaped.ts'

const problems: Readonly<Record<string, StorageProblem>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique',
  SQLITE_CONSTRAINT_FOREIGNKEY: 'foreign',
  SQLITE_BUSY: 'busy',
  SQLITE_BUSY_SNAPSHOT: 'busy',
  SQLITE_LOCKED: 'busy',
  SQLITE_FULL: 'full',
  SQLITE_TOOBIG: 'unstorable',
}

/** Pages that are not what they were, and disks that do not give or take them; each is told apart further. */
const damages = /^SQLITE_(CORRUPT|NOTADB|IOERR)(_|$)/

/** What a failure of the library means, where it is one that the caller can do something about. */
export const translate = (cause: unknown): unknown => {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  const problem = problems[code] ?? (damages.test(code) ? 'damaged' : undefined)
  return problem ? new StorageError(problem, cause) : cause
}

/**
 * A statement's text. Bound to a bare parameter of a join, SQLite with STAT4 plans the statement anew at every run, which
 * costs many times what the statement does; a plus sign before it changes nothing else, whatever the value is.
 */
const textOf = (statement: Sql): string => statement.strings.join('+?')

interface Prepared {
  readonly statement: Sqlite.Statement
  readonly unsettles: boolean
}

/** Statements are prepared once and found again by their shape or text. */
export class Connection implements Queryable {
  readonly engine = 'sqlite'
  readonly #raw: Sqlite.Database
  readonly #memory: Memory
  /** How much was carried out so far: statements, the values they were given, and the rows they gave. */
  effort = 0
  readonly #prepared = new Map<string | readonly string[], Prepared>()

  constructor(raw: Sqlite.Database, memory: Memory) {
    this.#raw = raw
    this.#memory = memory
  }

  #prepare(statement: Sql): Sqlite.Statement {
    const key = statement instanceof ShapedSql ? statement.shape : textOf(statement)
    const known = this.#prepared.get(key) ?? this.#learn(key, textOf(statement))
    if (known.unsettles) this.#memory.unsettle()
    this.effort += 1 + statement.values.length
    return known.statement
  }

  #learn(key: string | readonly string[], text: string): Prepared {
    // Lists of values make texts of many lengths; forgetting all of them once in a while bounds the cache.
    if (this.#prepared.size >= 2000) this.#prepared.clear()
    const statement = this.#raw.prepare(text)
    const fresh = { statement, unsettles: !statement.readonly && unsettles(text) }
    this.#prepared.set(key, fresh)
    return fresh
  }

  async all<T>(statement: Sql): Promise<T[]> {
    try {
      const rows = this.#prepare(statement).all(...statement.values) as T[]
      this.effort += rows.length
      return rows
    } catch (cause) {
      throw translate(cause)
    }
  }

  async get<T>(statement: Sql): Promise<T | undefined> {
    try {
      return this.#prepare(statement).get(...statement.values) as T | undefined
    } catch (cause) {
      throw translate(cause)
    }
  }

  async run(statement: Sql): Promise<number> {
    try {
      return this.#prepare(statement).run(...statement.values).changes
    } catch (cause) {
      throw translate(cause)
    }
  }

  remembered<T>(key: string, load: () => Promise<T>): Promise<T> {
    return this.#memory.recall(key, load)
  }
}
