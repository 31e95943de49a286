import sql, { type Sql } from 'sql-template-tag'
import { type Queryable, StorageError } from './database.ts'
import { Memory, unsettles } from './memory.ts'
import { type Acknowledge, LastSteps, type Unit } from './shared-commit.ts'

/** How many waiting transactions share one commit. */
const groupSize = 64

/** Groups under way at once: while one is being committed, the next does its work. */
const mostGroups = 2

/** No transaction of a group waits longer for a lock than this: the others would wait with it. Each goes alone then. */
const waitBriefly = sql`SET LOCAL lock_timeout = '50ms'`
const waitAsUsual = sql`SET LOCAL lock_timeout = '10s'`

/** Nothing of a group was stored, and each of its transactions has to be carried out alone. */
class GroupFailed extends Error {}

/** What the work of one transaction of a group uses. */
class SharedConnection implements Queryable {
  readonly engine = 'postgres'
  readonly #inner: Queryable
  readonly #memory: Memory
  hasWritten = false

  constructor(inner: Queryable, memory: Memory) {
    this.#inner = inner
    this.#memory = memory
  }

  #note({ text }: Sql): void {
    if (/^\s*SELECT\b/i.test(text)) return
    this.hasWritten = true
    if (unsettles(text)) this.#memory.unsettle()
  }

  all<T>(statement: Sql): Promise<T[]> {
    this.#note(statement)
    return this.#inner.all(statement)
  }

  get<T>(statement: Sql): Promise<T | undefined> {
    this.#note(statement)
    return this.#inner.get(statement)
  }

  run(statement: Sql): Promise<number> {
    this.#note(statement)
    return this.#inner.run(statement)
  }

  remembered<T>(key: string, load: () => Promise<T>): Promise<T> {
    return this.#memory.recall(key, load)
  }
}

/** Whether the database itself has refused something, after which it takes nothing more in the same transaction. */
const isOfDatabase = (cause: unknown): boolean =>
  cause instanceof StorageError || (cause instanceof Error && 'code' in cause)

async function carryOutShared(tx: SharedConnection, unit: Unit, lastSteps: LastSteps): Promise<Acknowledge> {
  try {
    return await unit.carryOut(tx, lastSteps)
  } catch (cause) {
    if (tx.hasWritten || isOfDatabase(cause)) throw cause
    return () => unit.fail(cause)
  }
}

/**
 * Carries out transactions under one commit, one after the other. One that fails by itself before it has written anything
 * fails alone; after any other failure nothing must be stored, and `GroupFailed` is thrown.
 */
async function carryOutTogether(tx: Queryable, units: readonly Unit[]): Promise<Acknowledge[]> {
  // All of them were asked for before the group began, so what one has read is no older than the question of another.
  const memory = new Memory(() => 0)
  const lastSteps = new LastSteps()
  const answers: Acknowledge[] = []
  try {
    if (units.length > 1) await tx.run(waitBriefly)
    for (const unit of units)
      answers.push(await carryOutShared(new SharedConnection(tx, memory), unit, lastSteps))
    // Whoever holds a counter of the feed has done all else, so waiting for it ends with that commit.
    if (units.length > 1) await tx.run(waitAsUsual)
    await lastSteps.carryOut(tx)
    return answers
  } catch (cause) {
    throw new GroupFailed('A transaction that shares its commit has failed.', { cause })
  }
}

/** Carries out a transaction that shares its commit with no other. */
export async function carryOutSingle(tx: Queryable, unit: Unit): Promise<Acknowledge> {
  const lastSteps = new LastSteps()
  const answer = await unit.carryOut(tx, lastSteps)
  await lastSteps.carryOut(tx)
  return answer
}

/** What groups use of a database. */
interface Groupable {
  /** Waits for a connection; what carries out one transaction on it, and gives it back. */
  readonly connect: () => Promise<<T>(work: (tx: Queryable) => Promise<T>) => Promise<T>>
  /** Carries out a transaction and tells its caller, whatever becomes of it. */
  readonly single: (unit: Unit) => Promise<void>
}

/** Transactions that wait share commits, so that one fsync, and one turn at a counter, serves many of them. */
export class CommitGroups {
  readonly #database: Groupable
  readonly #waiting: Unit[] = []
  #groups = 0

  constructor(database: Groupable) {
    this.#database = database
  }

  add(unit: Unit): void {
    this.#waiting.push(unit)
    if (this.#groups >= mostGroups) return
    this.#groups += 1
    void this.#drain()
  }

  async #drain(): Promise<void> {
    // Requests that arrived in the same turn of the loop join the first group.
    await new Promise<void>((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) await this.#commitGroup()
    this.#groups -= 1
  }

  async #commitGroup(): Promise<void> {
    let units: readonly Unit[] = this.#waiting
    try {
      const carryOut = await this.#database.connect()
      units = this.#waiting.splice(0, groupSize)
      const answers = await carryOut((tx) => carryOutTogether(tx, units))
      for (const answer of answers) answer()
    } catch (cause) {
      if (units === this.#waiting) for (const unit of this.#waiting.splice(0)) unit.fail(cause)
      else if (cause instanceof StorageError && cause.problem === 'unsure')
        for (const unit of units) unit.fail(cause)
      // Not waited for: one may wait long for a lock, and the next group does not wait with it.
      else for (const unit of units) void this.#database.single(unit)
    }
  }
}
