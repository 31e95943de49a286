import sql, { bulk, empty, join, type Sql } from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import type { QueueState } from '../../../schema/station-link.ts'
import type { FactKind, SentFact } from '../../../schema/sync.ts'
import { payloadOf } from '../../resource/facts.ts'
import type { Queryable } from '../../storage/database.ts'

/** A row of the outbox. */
export interface QueuedFact {
  readonly seq: number
  readonly nonce: string
  readonly organizer: number
  readonly event: number
  readonly kind: FactKind
  /** JSON text. */
  readonly payload: string
  readonly site: number
  readonly site_seq: number
  readonly device: number | null
  readonly device_time: string
  readonly boot: string
  readonly mono: number
  readonly clock_offset: number | null
  readonly state: QueueState
  readonly attempts: number
  /** Before this moment it is not reported again. */
  readonly retry_at: string | null
  /** Why it was refused or is to be reported again, as a word. */
  readonly reason: string | null
  /** What was answered last, as JSON text without the nonce. */
  readonly result: string | null
  readonly done_at: string | null
}

/** The longest that a fact waits before it is reported again, in microseconds. */
export const longestWait = 300_000_000

/** A moment some microseconds from another one. */
export const later = (instant: string, microseconds: number): string =>
  instantAt(microsecondsOf(instant) + microseconds)

/**
 * Facts that may be reported now, in their order. One whose turn is further away than any wait is due as well: the
 * clock was put back.
 */
export function waitingFacts(
  db: Queryable,
  now: string,
  limit: number,
  besides: readonly string[] = [],
): Promise<QueuedFact[]> {
  const others = besides.length === 0 ? empty : sql` AND nonce NOT IN (${join([...besides])})`
  return db.all<QueuedFact>(
    sql`SELECT * FROM outbox WHERE state = 'waiting'
          AND (retry_at IS NULL OR retry_at <= ${now} OR retry_at > ${later(now, longestWait)})${others}
        ORDER BY seq LIMIT ${limit}`,
  )
}

/** The facts with some nonces, in their order, whatever became of them. */
export const factsOf = (db: Queryable, nonces: readonly string[]): Promise<QueuedFact[]> =>
  db.all<QueuedFact>(sql`SELECT * FROM outbox WHERE nonce IN (${join([...nonces])}) ORDER BY seq`)

/**
 * What still waits about a ticket from before a fact about it. A row that only happens to hold the same number is
 * reported earlier than it had to be, which harms nobody.
 */
export const waitingBefore = (
  db: Queryable,
  { seq, event }: QueuedFact,
  position: number,
  limit: number,
): Promise<QueuedFact[]> =>
  db.all<QueuedFact>(
    sql`SELECT * FROM outbox WHERE state = 'waiting' AND seq < ${seq} AND event = ${event}
          AND payload LIKE ${`%"position":${position}%`}
        ORDER BY seq LIMIT ${limit}`,
  )

/** What waits to be reported about the drawers of a device: that they were opened, joined or closed. */
export const waitingDrawers = (db: Queryable, device: number): Promise<{ readonly nonce: string }[]> =>
  db.all<{ nonce: string }>(
    sql`SELECT nonce FROM outbox WHERE kind IN ('drawer', 'closing') AND state = 'waiting' AND device = ${device}
        ORDER BY seq`,
  )

/** When the next fact that waits for its turn may be reported again, or null. */
export async function nextRetry(db: Queryable): Promise<string | null> {
  const row = await db.get<{ at: string | null }>(
    sql`SELECT min(retry_at) AS at FROM outbox WHERE state = 'waiting'`,
  )
  return row?.at ?? null
}

/** How much the upstream server does not know yet, how much it refused, and since when the oldest has been waiting. */
interface QueueCounts {
  readonly waiting: number
  readonly parked: number
  /** By the clock of the machine where it happened. */
  readonly oldest: string | null
}

/** Counts what the outbox holds. */
export async function queueCounts(db: Queryable): Promise<QueueCounts> {
  const row = await db.get<QueueCounts>(
    sql`SELECT (SELECT count(*) FROM outbox WHERE state = 'waiting') AS waiting,
          (SELECT count(*) FROM outbox WHERE state = 'parked') AS parked,
          (SELECT device_time FROM outbox WHERE state = 'waiting' ORDER BY seq LIMIT 1) AS oldest`,
  )
  return {
    waiting: row?.waiting ?? 0,
    parked: row?.parked ?? 0,
    oldest: row?.oldest ?? null,
  }
}

/** A fact as it travels. */
export const sentFactOf = (row: QueuedFact): SentFact => ({
  nonce: row.nonce,
  kind: row.kind,
  event: row.event,
  site: row.site,
  site_seq: row.site_seq,
  device: row.device,
  device_time: row.device_time,
  mono: row.mono,
  boot: row.boot,
  clock_offset: row.clock_offset,
  payload: payloadOf(row.payload),
})

/**
 * Has what was refused or waits for its turn reported again at once: all of it, or what has one of some nonces; how
 * many.
 */
export const retryNow = (tx: Queryable, nonces: readonly string[] | null): Promise<number> => {
  const which = nonces === null ? empty : sql` AND nonce IN (${join(['', ...nonces])})`
  return tx.run(
    sql`UPDATE outbox SET state = 'waiting', retry_at = NULL, attempts = 0
        WHERE (state = 'parked' OR (state = 'waiting' AND retry_at IS NOT NULL))${which}`,
  )
}

const neverReported = sql`state = 'waiting', retry_at = NULL, attempts = 0, done_at = NULL`

/**
 * The facts that newer ones make pointless: of a device, each says all that there is to say, and an older one reported
 * again would put it back where the newer one is known already.
 */
async function outdated(tx: Queryable): Promise<Sql> {
  const facts = await tx.all<{ seq: number; organizer: number; payload: string }>(
    sql`SELECT seq, organizer, payload FROM outbox WHERE kind = 'device' AND state <> 'parked' ORDER BY seq DESC`,
  )
  const known = new Set<string>()
  const seqs = facts.flatMap(({ seq, organizer, payload }) => {
    const { row } = payloadOf(payload) as { row?: { id?: unknown } }
    const key = `${organizer} ${row?.id}`
    if (row?.id === undefined || !known.has(key)) {
      known.add(key)
      return []
    }
    return [seq]
  })
  return sql`(${join([0, ...seqs])})`
}

/**
 * Has everything reported again that was ever reported, because the upstream server was restored from a backup: it may
 * have forgotten what it knew. What it does know it answers as a duplicate. Parked facts stay parked. How many there
 * are.
 */
export const reportAllAgain = async (tx: Queryable): Promise<number> =>
  tx.run(
    sql`UPDATE outbox SET ${neverReported} WHERE state <> 'parked' AND (state <> 'done' OR seq NOT IN ${await outdated(tx)})`,
  )

/** Has facts reported again that the upstream server has acknowledged and knows no more; how many there are. */
export const reportAgain = async (tx: Queryable, nonces: readonly string[]): Promise<number> =>
  tx.run(
    sql`UPDATE outbox SET ${neverReported}
        WHERE state = 'done' AND nonce IN (${join(['', ...nonces])}) AND seq NOT IN ${await outdated(tx)}`,
  )

const perInsert = 50

/**
 * Appends facts of others to what is reported to the upstream server, unchanged; what is there already is left as it
 * is.
 */
export async function appendForwarded(
  tx: Queryable,
  organizer: number,
  facts: readonly SentFact[],
): Promise<void> {
  const last = await tx.get<{ seq: number }>(sql`SELECT coalesce(max(seq), 0) AS seq FROM outbox`)
  const rows = facts.map((fact, index) => [
    (last?.seq ?? 0) + index + 1,
    fact.nonce,
    organizer,
    fact.event,
    fact.kind,
    JSON.stringify(fact.payload),
    fact.site,
    fact.site_seq,
    fact.device,
    fact.device_time,
    fact.boot,
    fact.mono,
    fact.clock_offset,
    'waiting',
    0,
  ])
  for (let first = 0; first < rows.length; first += perInsert)
    await tx.run(
      sql`INSERT INTO outbox (seq, nonce, organizer, event, kind, payload, site, site_seq, device, device_time, boot, mono, clock_offset, state, attempts)
          VALUES ${bulk(rows.slice(first, first + perInsert))} ON CONFLICT (nonce) DO NOTHING`,
    )
}
