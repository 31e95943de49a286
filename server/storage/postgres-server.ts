import pg from 'pg'
import { type Database, type DatabaseUse, StorageError } from './database.ts'
import { type PostgresClient, postgresOn } from './postgres.ts'

/** Calls back once after some milliseconds. */
type Timer = (milliseconds: number, callback: () => void) => void

const bigint = 20
const numeric = 1700

/** Milliseconds for a connection to be made, and for a server to answer anything at all. */
const answersWithin = 10_000

/** So many connections are used at the same time, and so many of them by transactions that are not urgent. */
const most = 8
const mostWriting = 6

/** So many more are there for what is urgent only. */
const reserved = 2

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
  readonly #most: number
  readonly #waiting: Waiting[] = []
  #using = 0
  #answers = 0
  #isWatching = false

  constructor(most: number, after: Timer) {
    this.#most = most
    this.#after = after
  }

  get isFree(): boolean {
    return this.#using < this.#most
  }

  /** Notes that the server has answered something. */
  answered(): void {
    this.#answers += 1
  }

  async take(): Promise<void> {
    if (this.isFree) this.#using += 1
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

/** What each kind of use waits for, so that heavy writes leave connections to reading and to scans. */
class Lines {
  readonly #all: Turns
  readonly #writing: Turns
  readonly #reserve: Turns

  constructor(after: Timer) {
    this.#all = new Turns(most, after)
    this.#writing = new Turns(mostWriting, after)
    this.#reserve = new Turns(reserved, after)
  }

  /** Notes that the server has answered something. */
  answered(): void {
    for (const turns of [this.#all, this.#writing, this.#reserve]) turns.answered()
  }

  /** Waits for a turn; what gives it back. */
  async take(use: DatabaseUse): Promise<() => void> {
    const taken: Turns[] = []
    const give = (): void => {
      for (const turns of taken.splice(0)) turns.give()
    }
    try {
      for (const turns of this.#linesOf(use)) {
        await turns.take()
        taken.push(turns)
      }
      return give
    } catch (cause) {
      give()
      throw cause
    }
  }

  #linesOf(use: DatabaseUse): readonly Turns[] {
    if (use === 'write') return [this.#writing, this.#all]
    return use === 'urgent' && !this.#all.isFree ? [this.#reserve] : [this.#all]
  }
}

/** Opens a database on a server that speaks PostgreSQL's language, at a `postgres://` address. */
export function openPostgres(address: string, after: Timer): Database {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === bigint || oid === numeric ? Number : pg.types.getTypeParser(oid, format),
  }
  const lines = new Lines(after)
  const pool = new pg.Pool({
    ...{ connectionString: address, max: most + reserved, types, options: '-c lock_timeout=10s' },
    ...{ keepAlive: true, connectionTimeoutMillis: answersWithin },
  })
  // An idle connection that the server closes is replaced by the pool at the next use.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    lines.answered()
    client.on('drain', () => lines.answered())
    // One that is lost while it is used says so to whoever waits for its answer, and here: unheard, it would end the program.
    client.on('error', () => {})
  })
  const connections = new Connections(pool)
  return postgresOn({
    connect: (use) => connectInTurn(connections, lines, use),
    onConnect: (work) => connections.examineBy(work),
    end: () => pool.end(),
  })
}

/** Connections of a pool, each of which is looked at before it is used first. */
class Connections {
  readonly #pool: pg.Pool
  #examine: ((client: PostgresClient) => Promise<void>) | undefined
  #examined = new WeakSet<pg.PoolClient>()

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  examineBy(examine: (client: PostgresClient) => Promise<void>): void {
    this.#examine = examine
    this.#examined = new WeakSet()
  }

  async take(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    if (!this.#examine || this.#examined.has(client)) return client
    try {
      await this.#examine({ query: (statement) => client.query(statement), release: () => undefined })
      this.#examined.add(client)
      return client
    } catch (cause) {
      client.release(true)
      throw cause
    }
  }
}

async function connectInTurn(
  connections: Connections,
  lines: Lines,
  use: DatabaseUse,
): Promise<PostgresClient> {
  const give = await lines.take(use)
  try {
    const client = await connections.take()
    return {
      query: (statement) => client.query(statement),
      release(isBroken) {
        client.release(isBroken)
        give()
      },
    }
  } catch (cause) {
    give()
    throw cause
  }
}
