import sql, { bulk, join } from 'sql-template-tag'
import type { FactResult, SentFact } from '../../../schema/sync.ts'
import type { Tx } from '../../resource/transactions.ts'
import { shreddedEvents, withoutShredded } from '../../services/operations/shredded-facts.ts'
import type { Queryable } from '../../storage/database.ts'
import { correctedTime, type SenderClock } from '../clock/corrected-time.ts'

/**
 * What became of facts when they were reported first, by nonce; reported again, they are answered with it as
 * duplicates.
 */
export async function seenResults(
  db: Queryable,
  organizer: number,
  facts: readonly Pick<SentFact, 'nonce'>[],
): Promise<Map<string, FactResult>> {
  if (facts.length === 0) return new Map()
  const rows = await db.all<{ nonce: string; result: string }>(
    sql`SELECT nonce, result FROM seen_fact WHERE organizer = ${organizer} AND nonce IN (${join(facts.map(({ nonce }) => nonce))})`,
  )
  return new Map(
    rows.map(({ nonce, result }) => [nonce, { nonce, ...JSON.parse(result), status: 'duplicate' }]),
  )
}

/** Which of some nonces nothing is known of: neither applied nor in quarantine. */
export async function unknownOf(
  db: Queryable,
  organizer: number,
  nonces: readonly string[],
): Promise<string[]> {
  if (nonces.length === 0) return []
  const among = join([...nonces])
  const rows = await db.all<{ nonce: string }>(
    sql`SELECT nonce FROM seen_fact WHERE organizer = ${organizer} AND nonce IN (${among})
        UNION SELECT nonce FROM quarantine WHERE organizer = ${organizer} AND nonce IN (${among})`,
  )
  const known = new Set(rows.map(({ nonce }) => nonce))
  return nonces.filter((nonce) => !known.has(nonce))
}

/**
 * Which of some facts have places in the order of their node that other facts had before: two nodes report under one
 * number, because the data of one is a copy of the other's.
 */
export async function takenPlaces(
  db: Queryable,
  organizer: number,
  facts: readonly SentFact[],
): Promise<ReadonlySet<string>> {
  const bySite = new Map<number, number[]>()
  for (const { site, site_seq } of facts) bySite.set(site, [...(bySite.get(site) ?? []), site_seq])
  const taken = new Map<string, string>()
  for (const [site, places] of bySite) {
    const rows = await db.all<{ nonce: string; site_seq: number }>(
      sql`SELECT nonce, site_seq FROM seen_fact
          WHERE organizer = ${organizer} AND site = ${site} AND site_seq IN (${join([...places])})`,
    )
    for (const row of rows) taken.set(`${site}/${row.site_seq}`, row.nonce)
  }
  return new Set(
    facts
      .filter(({ nonce, site, site_seq }) => (taken.get(`${site}/${site_seq}`) ?? nonce) !== nonce)
      .map(({ nonce }) => nonce),
  )
}

/** A fact that was applied, with what became of it. */
export interface SeenFact {
  readonly fact: SentFact
  readonly result: FactResult
}

/** Remembers facts for good, in the transaction that applied them. */
export async function rememberFacts(
  tx: Queryable,
  organizer: number,
  received: string,
  seen: readonly SeenFact[],
): Promise<void> {
  if (seen.length === 0) return
  const rows = seen.map(({ fact, result: { nonce, ...result } }) => [
    organizer,
    nonce,
    fact.event,
    fact.kind,
    fact.site,
    fact.site_seq,
    fact.device,
    received,
    result.status,
    JSON.stringify(result),
  ])
  await tx.run(
    sql`INSERT INTO seen_fact (organizer, nonce, event, kind, site, site_seq, device, received, status, result)
        VALUES ${bulk(rows)}`,
  )
}

/** Who reports facts, and by which clocks. */
interface DatedReport {
  readonly sender: { readonly organizer: number }
  readonly clock: SenderClock
  readonly live: boolean
  readonly timeOf: (now: string) => string
}

/** Facts without the personal data that was deleted of their events since they happened. */
export async function withoutDeleted(
  tx: Tx,
  { sender: { organizer }, clock, live, timeOf }: DatedReport,
  facts: readonly SentFact[],
): Promise<readonly SentFact[]> {
  const shredded = await shreddedEvents(tx, organizer)
  if (shredded.length === 0) return facts
  return facts.map((fact) =>
    withoutShredded(fact, correctedTime(fact, clock, timeOf(tx.now), live).at, shredded),
  )
}
