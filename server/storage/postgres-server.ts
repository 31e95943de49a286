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

/** No transaction waits longer for a lock. */
const lockTimeout = '10s'

/** What an address says to us alone: that transactions are handed out to connections by PgBouncer. */
const sharing = 'pgbouncer'

/**
 * Where an address leads, and whether PgBouncer stands there in transaction mode: then nothing outlasts a transaction, no
 * setting of a connection and no statement that was prepared on it.
 */
function readAddress(address: string): { readonly address: string; readonly isShared: boolean } {
  const url = URL.parse(address)
  if (url?.searchParams.get(sharing) !== 'true') return { address, isShared: false }
  url.searchParams.delete(sharing)
  return { address: url.href, isShared: true }
}

/** Opens a database on a server that speaks PostgreSQL's language, at a `postgres://` address. */
export function openPostgres(named: string, after: Timer): Database {
  const { address, isShared } = readAddress(named)
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === bigint || oid === numeric ? Number : pg.types.getTypeParser(oid, format),
  }
  const lines = new Lines(after)
  const pool = new pg.Pool({
    ...{ connectionString: address, max: most + reserved, types },
    ...(isShared ? {} : { options: `-c lock_timeout=${lockTimeout}` }),
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
  const connections = new Connections(pool, isShared ? after : null)
  return postgresOn({
    connect: async (use) => {
      const client = await connectInTurn(connections, lines, use)
      return isShared ? unnamed(client) : client
    },
    ...(isShared ? { begin: `BEGIN; SET LOCAL lock_timeout = '${lockTimeout}'` } : {}),
    onConnect: (work) => connections.examineBy(work),
    end: () => pool.end(),
  })
}

/** A client whose statements are prepared for one use only. */
const unnamed = (client: PostgresClient): PostgresClient => ({
  query: ({ text, values }) => client.query({ text, values }),
  release: (isBroken) => client.release(isBroken),
})

/** Milliseconds for which a connection to PgBouncer, behind which the server may be another one now, is trusted. */
const trustedFor = 10_000

/** Connections of a pool, each of which is looked at before it is used first, and now and then where they are shared. */
class Connections {
  readonly #pool: pg.Pool
  readonly #after: Timer | null
  #examine: ((client: PostgresClient) => Promise<void>) | undefined
  #examined = new WeakSet<pg.PoolClient>()
  #isTrusted = false

  constructor(pool: pg.Pool, after: Timer | null) {
    this.#pool = pool
    this.#after = after
  }

  examineBy(examine: (client: PostgresClient) => Promise<void>): void {
    this.#examine = examine
    this.#examined = new WeakSet()
  }

  async take(): Promise<pg.PoolClient> {
    const client = await this.#pool.connect()
    if (!this.#examine || this.#examined.has(client)) return client
    try {
      await this.#examine({
        query: ({ text, values }) => client.query({ text, values }),
        release: () => undefined,
      })
      this.#examined.add(client)
      this.#doubtLater()
      return client
    } catch (cause) {
      client.release(true)
      throw cause
    }
  }

  #doubtLater(): void {
    if (!this.#after || this.#isTrusted) return
    this.#isTrusted = true
    this.#after(trustedFor, () => {
      this.#isTrusted = false
      this.#examined = new WeakSet()
    })
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
