import sql from 'sql-template-tag'
import { siteSpan } from '../../schema/sites.ts'
import { movedAway } from '../errors.ts'
import { type Database, type LastStep, type Queryable, StorageError } from '../storage/database.ts'
import { movedAwayTo } from '../storage/moved-organizers.ts'
import { currentTraceparent } from '../trace.ts'
import { numberChanges } from './change-feed.ts'
import { type PlacedFact, queueFacts, type Stamp } from './facts.ts'
import { type Ids, idsOf, isOvertaken, OutOfIds } from './ids.ts'
import { type Cell, insertion } from './insertion.ts'
import type { Change, Receiver, Terms, Transactions, Tx } from './transactions.ts'
import { type NotedEntry, queueDeliveries } from './webhook-queue.ts'

/** What a transaction needs from outside. */
interface World {
  readonly instant: () => string
  readonly randomBytes: (count: number) => Uint8Array
  /** Given where facts are reported to an upstream server. */
  readonly stamp?: () => Stamp
  /** What else is written because of the rows that a transaction has changed, just before it is committed. */
  readonly follow?: (tx: Tx, changes: readonly Change[]) => Promise<void>
}

const intoAudit = insertion(
  10,
  (rows) =>
    sql`INSERT INTO audit (organizer, id, event, at, actor_kind, actor, action, resource, row_id, data) VALUES ${rows}`,
)

const sqlNothing = sql``

const forUpdate = sql` FOR UPDATE`

/**
 * How often a transaction whose values are taken is begun before that is its answer. On PostgreSQL many run at once, and
 * each time it can be another one that was quicker.
 */
const looks = { sqlite: 2, postgres: 12 }

/** A transaction that has begun and is not yet known to be committed. */
interface Running {
  since: string | null
}

const quoted = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value))

/** What the transactions of a node have in common. */
interface Node {
  readonly database: Database
  readonly world: World
  readonly site: number
  readonly ids: Ids
  readonly numbering: LastStep<Done<unknown>>
}

/** What a transaction gave, and what it has gathered. */
interface Done<T> {
  readonly value: T
  readonly gathered: Gathered
}

/** What is done in a transaction: see Transactions. */
interface Todo<T> extends Terms<T> {
  readonly work: (tx: Tx) => Promise<T>
  /** What it is done for. */
  readonly traceparent: string | undefined
}

/** What one attempt at a transaction gathers besides the rows that it writes. */
class Gathered {
  readonly traceparent: string | undefined
  readonly changes: Change[] = []
  readonly audits: Cell[][] = []
  readonly noted: NotedEntry[] = []
  readonly facts: PlacedFact[] = []
  readonly receivers: Receiver[] = []
  takenIds = 0
  /** How many of the changes were followed already. */
  followed = 0

  constructor(traceparent: string | undefined) {
    this.traceparent = traceparent
  }
}

/** Opens the transactions of a database whose node row says which site it is. */
export async function openTransactions(database: Database, world: World): Promise<Transactions> {
  const row = await database.get<{ site: number }>(sql`SELECT site FROM node WHERE id = 1`)
  if (!row) throw new Error('The database has no node row: it was not set up by this program.')
  const { site } = row
  const ids = idsOf(database, site)
  const node: Node = { database, world, site, ids, numbering: numberingOf(site) }
  const open = new Set<Running>()
  const listeners = new Set<(changes: readonly Change[]) => void>()
  const queueListeners = new Set<(receivers: readonly Receiver[]) => void>()

  return {
    database,
    site,
    async write<T>(work: (tx: Tx) => Promise<T>, terms: Terms<T> = {}): Promise<T> {
      // A transaction can be begun by another one's end, which knows nothing of what this one is done for.
      const traceparent = currentTraceparent()
      let needed = 0
      for (let count = 1; ; count += 1) {
        await ids.provide(needed)
        try {
          const { value, gathered } = await attempt(node, open, { ...terms, work, traceparent })
          const { changes, receivers } = gathered
          if (changes.length > 0) for (const listener of listeners) listener(changes)
          if (receivers.length > 0) for (const listener of queueListeners) listener(receivers)
          return value
        } catch (cause) {
          const isTaken = cause instanceof StorageError && cause.problem === 'unique'
          if (cause instanceof OutOfIds) needed = ids.after(needed)
          else if (isTaken && (await isOvertaken(database, ids, site))) ids.clear()
          // Two transactions that both saw a value free: the second sees it taken when it looks again.
          else if (!isTaken || count >= looks[database.engine]) throw cause
        }
      }
    },
    horizon() {
      const begun = [...open].flatMap(({ since }) => (since === null ? [] : [since]))
      return begun.reduce((earliest, since) => (since < earliest ? since : earliest), world.instant())
    },
    async release() {
      await database.run(
        sql`UPDATE node SET next_id = next_id - ${ids.left} WHERE id = 1 AND next_id = ${ids.end - site * siteSpan}`,
      )
      ids.clear()
    },
    onCommit(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onQueued(listener) {
      queueListeners.add(listener)
      return () => queueListeners.delete(listener)
    },
  }
}

/** Begins a transaction once; `open` says meanwhile since when it runs. */
async function attempt<T>(node: Node, open: Set<Running>, todo: Todo<T>): Promise<Done<T>> {
  const running: Running = { since: null }
  open.add(running)
  try {
    return await node.database.transaction<Done<T>>(
      async (inner) => {
        const gathered = new Gathered(todo.traceparent)
        const now = node.world.instant()
        running.since ??= now
        return { value: await carryOut(node, todo, txOn(node, inner, gathered, now), gathered), gathered }
      },
      { isUrgent: todo.isUrgent ?? false, lastStep: node.numbering },
    )
  } finally {
    open.delete(running)
  }
}

/** Numbers the changes last, because others wait from then on who change something in the same place. */
const numberingOf = (site: number): LastStep<Done<unknown>> => ({
  carryOut: (tx, done) =>
    numberChanges(
      tx,
      done.flatMap(({ gathered }) => gathered.changes),
      site,
    ),
})

/** What work in a transaction is handed: it writes rows, and gathers what goes with them. */
function txOn({ world, site, ids }: Node, inner: Queryable, gathered: Gathered, now: string): Tx {
  const take = (): number => {
    gathered.takenIds += 1
    return ids.take()
  }
  return {
    engine: inner.engine,
    all: (statement) => inner.all(statement),
    get: (statement) => inner.get(statement),
    run: (statement) => inner.run(statement),
    remembered: (key, load) => inner.remembered(key, load),
    now,
    site,
    forUpdate: inner.engine === 'postgres' ? forUpdate : sqlNothing,
    nextId: take,
    randomBytes: world.randomBytes,
    changed: (place, resource, row, op) => gathered.changes.push({ place, resource, row, op }),
    audit(place, actor, entry) {
      const id = take()
      const { action, resource, row, data } = entry
      gathered.noted.push({ id, place, entry })
      gathered.audits.push([
        ...[place.organizer, id, place.event, now, actor.kind, actor.id],
        ...[action, resource, row, quoted(data)],
      ])
    },
    fact(place, device, fact) {
      if (site === 0) return null
      const nonce = Buffer.from(world.randomBytes(16)).toString('hex')
      gathered.facts.push({ nonce, place, device, fact })
      return nonce
    },
    stamp: () => world.stamp?.() ?? null,
  }
}

/** Does work in a transaction and writes what it gathered meanwhile. */
async function carryOut<T>(node: Node, { work, finish }: Todo<T>, tx: Tx, gathered: Gathered): Promise<T> {
  const value = await work(tx)
  await refuseMoved(tx, gathered)
  await writeGathered(node, tx, gathered)
  if (finish) {
    await finish(tx, value)
    await writeGathered(node, tx, gathered)
  }
  node.ids.learn(gathered.takenIds)
  return value
}

/** Refuses to change what was moved to another server. */
async function refuseMoved(tx: Tx, { changes, audits, facts }: Gathered): Promise<void> {
  const touched = [...changes, ...facts].map(({ place }) => place.organizer)
  const place = await movedAwayTo(
    tx,
    new Set([...touched, ...audits.map(([organizer]) => Number(organizer))]),
  )
  if (place !== undefined) throw movedAway(place)
}

/** Writes what was gathered since the last time, besides changes. */
async function writeGathered(node: Node, tx: Tx, gathered: Gathered): Promise<void> {
  await node.world.follow?.(tx, gathered.changes.slice(gathered.followed))
  gathered.followed = gathered.changes.length
  await intoAudit(tx, gathered.audits.splice(0))
  gathered.receivers.push(...(await queueDeliveries(tx, gathered.noted.splice(0), gathered.traceparent)))
  const facts = gathered.facts.splice(0)
  if (facts.length > 0) await queueFacts(tx, node.world, node.site, facts)
}
