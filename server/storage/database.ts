import sql, { raw, type Sql } from 'sql-template-tag'

/** A row as the database gives it. */
export type Cells = Record<string, string | number | null>

/** Runs statements. Values are text, numbers and null only. */
export interface Queryable {
  readonly engine: 'sqlite' | 'postgres'
  all<T = Cells>(statement: Sql): Promise<T[]>
  get<T = Cells>(statement: Sql): Promise<T | undefined>
  /** Carries a statement out; the number of rows it changed. */
  run(statement: Sql): Promise<number>
  /**
   * What `load` reads, or what it read last time if no table that seldom changes was written since, by whomever: what
   * is answered is never older than the question. `load` reads nothing that scanning or selling writes, and nobody
   * changes what it gives. The key says what it is and whose.
   */
  remembered<T>(key: string, load: () => Promise<T>): Promise<T>
}

/** What is done last before a commit, once for all transactions that share it. Only those that succeed take part. */
export interface LastStep<T> {
  /** `values` are what the transactions gave, in their order. */
  carryOut(tx: Queryable, values: readonly T[]): Promise<void>
}

/** What a database is asked for: one statement, a transaction, or one that somebody at a door waits for. */
export type DatabaseUse = 'read' | 'write' | 'urgent'

/** Measures what takes time; each gives what is called at its end. */
export interface Timing {
  /** Waiting for one's turn. */
  waits(use: DatabaseUse): () => void
  commits(): () => void
}

/** How a transaction waits for its turn, and ends. */
export interface TurnOfTransaction<T = unknown> {
  /**
   * That somebody at a door waits for it: it goes before those that are not urgent. It is short, and other transactions
   * may share its commit.
   */
  readonly isUrgent?: boolean
  readonly lastStep?: LastStep<T>
}

/**
 * A database. `transaction` answers only after the commit is durable; its function sees its own writes, may be run more
 * than once and must touch nothing but the database. Statements outside a transaction read committed data only.
 */
export interface Database extends Queryable {
  transaction<T>(work: (tx: Queryable) => Promise<T>, turn?: TurnOfTransaction<T>): Promise<T>
  /** Has it measure from now on what it takes its time for. */
  timeBy?(timing: Timing): void
  /** Has something done on every connection to a server before anything else; a file has none to a server. */
  onConnect?(work: (connection: Queryable) => Promise<void>): void
  /** Runs every statement of a script, outside any transaction of ours. */
  script(text: string): Promise<void>
  close(): Promise<void>
}

/**
 * Why a statement failed, where the caller can do something about it. `unstorable` is a value that no try will store;
 * `lost` is the connection, with nothing stored; `unsure` is the connection while the commit was under way; `damaged` is
 * what is stored, or the disk.
 */
export type StorageProblem =
  | 'unique'
  | 'foreign'
  | 'conflict'
  | 'busy'
  | 'full'
  | 'unstorable'
  | 'lost'
  | 'unsure'
  | 'damaged'

/** A failure of the database that the caller can name. */
export class StorageError extends Error {
  readonly problem: StorageProblem

  constructor(problem: StorageProblem, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'StorageError'
    this.problem = problem
  }
}

/** The text under a key of a column that holds a JSON object, null where there is none; only to sort by. */
export const jsonText = (engine: 'sqlite' | 'postgres', column: Sql, key: string): Sql => {
  if (!/^\w+$/.test(key)) throw new Error(`${key} is no key to look for.`)
  return engine === 'sqlite'
    ? sql`json_extract(${column}, ${raw(`'$.${key}'`)})`
    : sql`(CAST(${column} AS json) ->> ${raw(`'${key}'`)})`
}

/** Whether something failed because a disk has no room. */
export function isDiskFull(cause: unknown): boolean {
  if (cause instanceof StorageError && cause.problem === 'full') return true
  if (!(cause instanceof Error)) return false
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : ''
  return code === 'ENOSPC' || code === 'SQLITE_FULL' || isDiskFull(cause.cause)
}
