import sql, { join } from 'sql-template-tag'
import { type FactResult, factKinds, type SentFact } from '../../../schema/sync.ts'
import type { Tx } from '../../resource/transactions.ts'
import { recordConflict } from '../../services/checkin/conflict-rows.ts'
import { type CorrectedTime, correctedTime, datedHere, type SenderClock } from '../clock/corrected-time.ts'
import { appendForwarded } from '../outbox/outbox.ts'
import type { Applied } from './applier.ts'
import type { Appliers } from './appliers.ts'
import { rememberFacts, type SeenFact, seenResults, takenPlaces } from './known-facts.ts'
import { refusalOf, type Sender, type Surroundings } from './receive-rights.ts'
import { devicesById } from './senders.ts'

/** A fact was not applied, and whatever was written for it is taken back with its transaction. */
export class TakenBack extends Error {
  readonly result: Applied

  constructor(result: Applied) {
    super(result.detail ?? result.reason ?? result.status)
    this.result = result
  }
}

/** Who reports, and by which clocks. */
interface GroupReport {
  readonly sender: Sender
  readonly clock: SenderClock
  readonly live: boolean
  /** When the report came, given the time of a transaction. */
  readonly timeOf: (now: string) => string
  readonly appliers: Appliers
}

/**
 * Applies facts one after the other, remembers them and passes them on; one result for each. Those seen before and
 * those that the sender may not report are answered and nothing else; should one fail otherwise, all are taken back.
 */
export async function applyGroup(
  tx: Tx,
  report: GroupReport,
  facts: readonly SentFact[],
): Promise<FactResult[]> {
  const { sender } = report
  const { organizer } = sender
  const nonces = facts.map(({ nonce }) => nonce)
  const known = await seenResults(tx, organizer, nonces)
  const fresh = facts.filter(({ nonce }) => !known.has(nonce))
  if (fresh.length === 0) return facts.flatMap(({ nonce }) => known.get(nonce) ?? [])
  const upstream = (await tx.get(sql`SELECT id FROM upstream WHERE id = 1`)) !== undefined
  const copied = await takenPlaces(tx, organizer, fresh)
  let around = await surroundings(tx, organizer, fresh)
  const results: FactResult[] = []
  const applied: SeenFact[] = []
  const forwarded: SentFact[] = []
  for (const fact of facts) {
    const { nonce } = fact
    const before = known.get(nonce)
    if (before) {
      results.push(before)
      continue
    }
    const refusal = (await refusalOf(tx, sender, around, fact)) ?? refusalOfKind(fact)
    if (refusal) {
      results.push({ nonce, ...refusal })
      continue
    }
    const time = correctedTime(fact, report.clock, report.timeOf(tx.now), report.live)
    const found = await applyOne(tx, report, around, { fact, time, upstream })
    const result: FactResult = { nonce, ...found, ...(copied.has(nonce) ? { rejoin: true } : {}) }
    results.push(result)
    applied.push({ fact, result })
    if (upstream) forwarded.push(datedHere(fact, time, tx.stamp()))
    known.set(nonce, { ...result, status: 'duplicate' })
    // A hub tells of its devices and, right after it, of what they did.
    if (fact.kind === 'device') around = await surroundings(tx, organizer, fresh)
  }
  await rememberFacts(tx, organizer, report.timeOf(tx.now), applied)
  if (forwarded.length > 0) await appendForwarded(tx, organizer, forwarded)
  return results
}

async function surroundings(tx: Tx, organizer: number, facts: readonly SentFact[]): Promise<Surroundings> {
  const devices = new Set(facts.flatMap(({ device }) => (device === null ? [] : [device])))
  const events = new Set(facts.map(({ event }) => event))
  const found = await tx.all<{ id: number }>(
    sql`SELECT id FROM event WHERE organizer = ${organizer} AND id IN (${join([...events])})`,
  )
  return {
    devices: await devicesById(tx, organizer, [...devices]),
    events: new Set(found.map(({ id }) => id)),
  }
}

/** A program that is newer than this one may know it one day: it is kept by who knows it and reported again. */
const refusalOfKind = (fact: SentFact): Applied | null =>
  factKinds.includes(fact.kind)
    ? null
    : { status: 'retry', reason: 'unknown_kind', detail: 'This server is too old to understand it.' }

/** A fact with the right time of it. */
interface DatedFact {
  readonly fact: SentFact
  readonly time: CorrectedTime
  readonly upstream: boolean
}

async function applyOne(
  tx: Tx,
  { sender, appliers }: GroupReport,
  { devices }: Surroundings,
  { fact, time, upstream }: DatedFact,
): Promise<Applied> {
  const place = { organizer: sender.organizer, event: fact.event }
  const device = (fact.device === null ? undefined : devices.get(fact.device)) ?? sender.device
  const result = await appliers[fact.kind](
    tx,
    {
      ...time,
      actor: device.actor,
      place,
      sender: { device: sender.device.id, site: sender.device.site ?? fact.site },
      upstream,
    },
    fact,
  )
  if (result.status === 'retry' || result.status === 'rejected') throw new TakenBack(result)
  const isNoted = result.conflicts?.some(({ kind }) => kind === 'clock_skew')
  if (time.skew === null || upstream || fact.event === 0 || isNoted) return result
  const skewed = await recordConflict(tx, place, {
    key: fact.nonce,
    kind: 'clock_skew',
    severity: 'info',
    position: null,
    list: null,
    checkin: null,
    other_checkin: null,
    device: fact.device,
    other_device: null,
    datetime: time.at,
    other_datetime: null,
    data: { kind: fact.kind, milliseconds: time.skew },
  })
  return { ...result, conflicts: [...(result.conflicts ?? []), skewed] }
}
