import sql, { bulk, join } from 'sql-template-tag'
import { microsecondsOf, shownInstant } from '../../../schema/instants.ts'
import {
  type FactResult,
  mostQuarantinedBytes,
  mostQuarantinedFacts,
  type SentFact,
} from '../../../schema/sync.ts'
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
interface Quarantined {
  readonly fact: SentFact
  readonly clock: SenderClock
  /** What it was refused for; missing where the device was revoked. */
  readonly reason?: string | null
}

/** What a list shows of a fact in quarantine, as it is stored with it. */
interface QuarantineSummary {
  readonly kind: string
  readonly event: number | null
  readonly datetime: string
  readonly datetime_uncertain: boolean
  readonly text: string
  readonly reason: string | null
}

/** A fact in quarantine as users see it. */
interface ShownQuarantined extends QuarantineSummary {
  readonly nonce: string
  readonly device: number
  readonly received: string
  readonly state: QuarantineState
  readonly detail: string | null
}

/** How many of the first characters of a text a list shows. */
const longestShown = 200

const perInsert = 50

/** What a station is answered for what does not fit in: it stays there, and is reported again. */
const full: Omit<FactResult, 'nonce'> = {
  status: 'retry',
  reason: 'quarantine_full',
  detail: 'The server keeps no more of this device until somebody decides about what is there.',
}

const fullDetail =
  'This device has reported as much as is kept: the rest stays at it until something of this is decided.'

/** Keeps facts that are not taken in for a person to look at, as far as there is room; one result for each fact. */
export async function quarantineFacts(
  tx: Tx,
  { device: { id: device, organizer }, clock, refusal }: QuarantineReport,
  facts: readonly SentFact[],
): Promise<FactResult[]> {
  const nonces = facts.map(({ nonce }) => nonce)
  const seen = await seenResults(tx, organizer, facts)
  const stored = await tx.all<{ nonce: string }>(
    sql`SELECT nonce FROM quarantine WHERE organizer = ${organizer} AND nonce IN (${join(nonces)})`,
  )
  const known = new Set(stored.map(({ nonce }) => nonce))
  const held = { ...(await heldBy(tx, organizer, device)) }
  const dated = datedClock(clock, tx.now)
  const rows: (string | number)[][] = []
  const reason = refusal?.reason ?? null
  const results = facts.map((sent): FactResult => {
    const { nonce, site, site_seq } = sent
    const before = seen.get(nonce)
    if (before) return before
    if (known.has(nonce)) return { nonce, ...refusal, status: 'quarantined' }
    if (isFull(held)) return { nonce, ...full }
    const kept: Quarantined = { fact: ownParts(sent), clock: dated, reason }
    const text = JSON.stringify(kept)
    const bytes = Buffer.byteLength(text)
    const shown = JSON.stringify(summaryOf(kept, tx.now))
    held.facts += 1
    held.bytes += bytes
    known.add(nonce)
    rows.push([organizer, nonce, device, tx.now, text, 'waiting', site, site_seq, bytes, shown])
    return { nonce, ...refusal, status: 'quarantined' }
  })
  for (let first = 0; first < rows.length; first += perInsert)
    await tx.run(
      sql`INSERT INTO quarantine (organizer, nonce, device, received, fact, state, site, site_seq, bytes, shown)
          VALUES ${bulk(rows.slice(first, first + perInsert))}`,
    )
  return results
}

/** What waits of a device. */
interface Held {
  facts: number
  bytes: number
}

const isFull = ({ facts, bytes }: Held): boolean =>
  facts >= mostQuarantinedFacts || bytes >= mostQuarantinedBytes

async function heldBy(db: Queryable, organizer: number, device: number): Promise<Held> {
  const row = await db.get<Held>(
    sql`SELECT count(*) AS facts, coalesce(sum(bytes), 0) AS bytes FROM quarantine
        WHERE organizer = ${organizer} AND device = ${device} AND state = 'waiting'`,
  )
  return { facts: Number(row?.facts ?? 0), bytes: Number(row?.bytes ?? 0) }
}

/** The clocks of a sender alone, with what has to be added if it reported at a moment of ours. */
const datedClock = ({ boot, mono, device_time, clock_offset }: SenderClock, now: string): SenderClock => ({
  ...{ boot, mono, device_time },
  clock_offset: clock_offset ?? Math.round((microsecondsOf(now) - microsecondsOf(device_time)) / 1000),
})

/** A fact without what was sent along with it. */
const ownParts = (sent: SentFact): SentFact => {
  const { nonce, kind, event, site, site_seq, device, device_time, mono, boot, clock_offset, payload } = sent
  return { nonce, kind, event, site, site_seq, device, device_time, mono, boot, clock_offset, payload }
}

function summaryOf({ fact, clock, reason = null }: Quarantined, received: string): QuarantineSummary {
  const { at, uncertain } = correctedTime(fact, clock, received, false)
  return {
    kind: fact.kind,
    event: fact.event === 0 ? null : fact.event,
    datetime: shownInstant(at),
    datetime_uncertain: uncertain,
    text: describeFact(fact).slice(0, longestShown).toWellFormed(),
    reason,
  }
}

interface Stored {
  readonly nonce: string
  readonly device: number
  readonly received: string
  readonly state: QuarantineState
  readonly shown: string | null
}

/** A page of what is in quarantine in one state, oldest first, and how much there is. */
export async function quarantined(
  db: Queryable,
  organizer: number,
  state: QuarantineState,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ count: number; facts: ShownQuarantined[] }> {
  const total = await db.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM quarantine WHERE organizer = ${organizer} AND state = ${state}`,
  )
  const rows = await db.all<Stored>(
    sql`SELECT nonce, device, received, state, shown FROM quarantine
        WHERE organizer = ${organizer} AND state = ${state}
        ORDER BY received, nonce LIMIT ${size} OFFSET ${offset}`,
  )
  const fullDevices = new Set<number>()
  for (const device of new Set(rows.map((row) => row.device)))
    if (isFull(await heldBy(db, organizer, device))) fullDevices.add(device)
  const facts: ShownQuarantined[] = []
  for (const { shown, received, ...row } of rows) {
    const summary: QuarantineSummary =
      shown === null ? await olderSummary(db, organizer, row.nonce, received) : JSON.parse(shown)
    const detail = fullDevices.has(row.device) ? fullDetail : null
    facts.push({ ...row, received: shownInstant(received), ...summary, detail })
  }
  return { count: Number(total?.count ?? 0), facts }
}

/** The summary of a fact from before these were stored with them. */
async function olderSummary(
  db: Queryable,
  organizer: number,
  nonce: string,
  received: string,
): Promise<QuarantineSummary> {
  const [found] = await quarantinedFacts(db, organizer, [nonce])
  if (!found) throw new Error('A fact in quarantine is gone while it is read.')
  return summaryOf(found, received)
}

/** Some facts in quarantine, in the order in which they happened: few, since they are read whole. */
export async function quarantinedFacts(
  db: Queryable,
  organizer: number,
  nonces: readonly string[],
): Promise<Quarantined[]> {
  const rows = await db.all<{ fact: string }>(
    sql`SELECT fact FROM quarantine WHERE organizer = ${organizer} AND nonce IN (${join([...nonces])})
        ORDER BY site, site_seq, nonce`,
  )
  return rows.map(({ fact }) => JSON.parse(fact))
}
