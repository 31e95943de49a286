import pg from 'pg'
import { type Database, StorageError } from './database.ts'
import { type PostgresClient, postgresOn } from './postgres.ts'

/** Calls back once after some milliseconds. */
type Timer = (milliseconds: number, callback: () => void) => void

const bigint = 20
const numeric = 1700

/** Milliseconds for a connection to be made, and for a server to answer anything at all. */
const answersWithin = 10_000

/** So many connections are used at the same time. */
const most = 8

interface Waiting {
  readonly begin: () => void
  readonly fail: (cause: Error) => void
}

/**
 * Who may use a connection now. However many wait, each has its turn while others have their answers; where nobody had
 * one for long, the server is lost to all of them.
 */
class Turns {
  readonly #after: Timer
  readonly #waiting: Waiting[] = []
  #using = 0
  #answers = 0
  #isWatching = false

  constructor(after: Timer) {
    this.#after = after
  }

  /** Notes that the server has answered something. */
  answered(): void {
    this.#answers += 1
  }

  async take(): Promise<void> {
    if (this.#using < most) this.#using += 1
    else await this.#wait()
  }

  /** Gives a turn to whoever waits longest. */
  give(): void {
    const next = this.#waiting.shift()
    if (next) next.begin()
    else this.#using -= 1
  }

  #wait(): Promise<void> {
    const turn = new Promise<void>((begin, fail) => {
      this.#waiting.push({ begin, fail })
    })
    if (!this.#isWatching) this.#watch()
    return turn
  }

  #watch(): void {
    const before = this.#answers
    this.#isWatching = true
    this.#after(answersWithin, () => {
      if (this.#answers === before) this.#giveUp()
      this.#isWatching = false
      if (this.#waiting.length > 0) this.#watch()
    })
  }

  #giveUp(): void {
    const cause = new Error('The database server has answered nobody for ten seconds.')
    for (const { fail } of this.#waiting.splice(0)) fail(new StorageError('lost', cause))
  }
}

/** Opens a database on a server that speaks PostgreSQL's language, at a `postgres://` address. */
export function openPostgres(address: string, after: Timer): Database {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === bigint || oid === numeric ? Number : pg.types.getTypeParser(oid, format),
  }
  const turns = new Turns(after)
  const pool = new pg.Pool({
    ...{ connectionString: address, max: most, types, options: '-c lock_timeout=10s' },
    ...{ keepAlive: true, connectionTimeoutMillis: answersWithin },
  })
  // An idle connection that the server closes is replaced by the pool at the next use.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    turns.answered()
    client.on('drain', () => turns.answered())
    // One that is lost while it is used says so to whoever waits for its answer, and here: unheard, it would end the program.
    client.on('error', () => {})
  })
  return postgresOn({ connect: () => connectInTurn(pool, turns), end: () => pool.end() })
}

async function connectInTurn(pool: pg.Pool, turns: Turns): Promise<PostgresClient> {
  await turns.take()
  try {
    const client = await pool.connect()
    return {
      query: (statement) => client.query(statement),
      release(isBroken) {
        client.release(isBroken)
        turns.give()
      },
    }
  } catch (cause) {
    turns.give()
    throw cause
  }
}
