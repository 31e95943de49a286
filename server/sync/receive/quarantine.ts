import sql, { bulk, join } from 'sql-template-tag'
import { microsecondsOf, shownInstant } from '../../../schema/instants.ts'
import type { FactResult, SentFact } from '../../../schema/sync.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { correctedTime, type SenderClock } from '../clock/corrected-time.ts'
import { describeFact } from '../outbox/describe-fact.ts'
import { seenResults } from './known-facts.ts'
import type { KnownDevice } from './senders.ts'

/** Whether a fact in quarantine waits for a person, or what that person has decided. */
export type QuarantineState = 'waiting' | 'applied' | 'discarded'

/** Who reports facts that are kept, by which clocks, and why they are not taken in where that is not the device. */
interface QuarantineReport {
  readonly device: KnownDevice
  readonly clock: SenderClock
  readonly refusal?: Pick<FactResult, 'reason' | 'detail'>
}

/** A fact in quarantine with the clocks by which it was reported. */
export interface Quarantined {
  readonly nonce: string
  readonly device: number
  readonly received: string
  readonly fact: SentFact
  readonly clock: SenderClock
  /** What it was refused for; missing where the device was revoked. */
  readonly reason?: string | null
  readonly state: QuarantineState
}

/** As much as a day at a busy entrance brings; a stolen token is not worth more of the disk. */
const mostPerDevice = 50_000

const perInsert = 50

/** Keeps what a revoked device tells for a person to look at; one result for each fact. */
export async function quarantineFacts(
  tx: Tx,
  { device: { id: device, organizer }, clock, refusal }: QuarantineReport,
  facts: readonly SentFact[],
): Promise<FactResult[]> {
  const nonces = facts.map(({ nonce }) => nonce)
  const seen = await seenResults(tx, organizer, nonces)
  const stored = await tx.all<{ nonce: string }>(
    sql`SELECT nonce FROM quarantine WHERE organizer = ${organizer} AND nonce IN (${join(nonces)})`,
  )
  const known = new Set(stored.map(({ nonce }) => nonce))
  const held = await tx.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM quarantine WHERE organizer = ${organizer} AND device = ${device}`,
  )
  let room = mostPerDevice - (held?.count ?? 0)
  const dated = { ...clock, clock_offset: clock.clock_offset ?? offsetAt(clock, tx.now) }
  const rows: (string | number)[][] = []
  const reason = refusal?.reason ?? null
  const results = facts.map((fact): FactResult => {
    const { nonce } = fact
    const before = seen.get(nonce)
    if (before) return before
    if (known.has(nonce)) return { nonce, ...refusal, status: 'quarantined' }
    if (room <= 0) return { nonce, status: 'retry', reason: 'quarantine_full' }
    room -= 1
    known.add(nonce)
    rows.push([organizer, nonce, device, tx.now, JSON.stringify({ fact, clock: dated, reason }), 'waiting'])
    return { nonce, ...refusal, status: 'quarantined' }
  })
  for (let first = 0; first < rows.length; first += perInsert)
    await tx.run(
      sql`INSERT INTO quarantine (organizer, nonce, device, received, fact, state)
          VALUES ${bulk(rows.slice(first, first + perInsert))}`,
    )
  return results
}

/** What has to be added to a sender's clock, in milliseconds, if it reported at a moment of ours. */
const offsetAt = ({ device_time }: SenderClock, now: string): number =>
  Math.round((microsecondsOf(now) - microsecondsOf(device_time)) / 1000)

interface Stored {
  readonly nonce: string
  readonly device: number
  readonly received: string
  readonly fact: string
  readonly state: QuarantineState
}

const read = ({ fact, ...rest }: Stored): Quarantined => ({
  ...rest,
  ...(JSON.parse(fact) as Pick<Quarantined, 'fact' | 'clock' | 'reason'>),
})

/** What is in quarantine in one state, oldest first, and how much there is. */
export async function quarantined(
  db: Queryable,
  organizer: number,
  state: QuarantineState,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ count: number; facts: Quarantined[] }> {
  const total = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM quarantine WHERE organizer = ${organizer} AND state = ${state}`,
  )
  const rows = await db.all<Stored>(
    sql`SELECT * FROM quarantine WHERE organizer = ${organizer} AND state = ${state}
        ORDER BY received, nonce LIMIT ${size} OFFSET ${offset}`,
  )
  return { count: total?.count ?? 0, facts: rows.map(read) }
}

/** Facts that wait for a decision, by nonce: some, or all of them. */
export async function awaitingDecision(
  db: Queryable,
  organizer: number,
  nonces: readonly string[] | null,
): Promise<Quarantined[]> {
  const rows = await db.all<Stored>(
    sql`SELECT * FROM quarantine WHERE organizer = ${organizer} AND state = 'waiting' ORDER BY received, nonce`,
  )
  const wanted = nonces && new Set(nonces)
  // In the order in which they happened at each device.
  return rows
    .filter(({ nonce }) => wanted?.has(nonce) ?? true)
    .map(read)
    .sort((a, b) => a.device - b.device || a.fact.site - b.fact.site || a.fact.site_seq - b.fact.site_seq)
}

/** Notes what was decided. */
export const noteDecision = (
  tx: Queryable,
  organizer: number,
  nonces: readonly string[],
  state: QuarantineState,
): Promise<number> =>
  tx.run(
    sql`UPDATE quarantine SET state = ${state} WHERE organizer = ${organizer} AND nonce IN (${join(['', ...nonces])})`,
  )

/** A fact in quarantine as users see it. */
export function quarantineShown({ nonce, device, received, fact, clock, reason = null, state }: Quarantined) {
  const { at, uncertain } = correctedTime(fact, clock, received, false)
  return {
    nonce,
    device,
    received: shownInstant(received),
    kind: fact.kind,
    event: fact.event === 0 ? null : fact.event,
    datetime: shownInstant(at),
    datetime_uncertain: uncertain,
    text: describeFact(fact),
    reason,
    state,
  }
}
