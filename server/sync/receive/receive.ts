import sql from 'sql-template-tag'
import type { FactKind, FactResult, SentFact } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import { Refusal } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import { recordConflict } from '../../services/checkin/conflict-rows.ts'
import { countReported, isReached, noteReported } from '../../services/devices/report-limit.ts'
import { requireHere } from '../../services/events/events.ts'
import { type CorrectedTime, correctedTime, datedHere, type SenderClock } from '../clock/corrected-time.ts'
import { appendForwarded } from '../outbox/outbox.ts'
import { readFact } from '../outbox/read-fact.ts'
import { applyAnnulment } from './annulment.ts'
import { applyAnswers } from './answers.ts'
import { type Applied, type Applier, failure, isWaitedFor, perTransaction, TakenBack } from './applier.ts'
import { applyAttendeeName } from './attendee-name.ts'
import { applyCheckin } from './checkin.ts'
import { applyDevice } from './device.ts'
import { naming, refusalFor } from './fact-rules.ts'
import { applyGiftCard } from './gift-card.ts'
import { rememberFacts, type SeenFact, seenResults, takenPlaces, withoutDeleted } from './known-facts.ts'
import { applyLease } from './lease.ts'
import { logReported } from './log-reported.ts'
import { applyOrder } from './orders/order.ts'
import { applyPrint } from './print.ts'
import {
  beyondLimit,
  limitOf,
  recordReportLimit,
  type Sender,
  type Surroundings,
  surroundingsOf,
} from './receive-rights.ts'
import { quarantineAll, quarantineSale } from './refused-sale.ts'
import { tillAppliers } from './till.ts'

type Appliers = Readonly<Record<FactKind, Applier>>

/** How each kind of fact is applied. */
export const appliers: Appliers = {
  checkin: applyCheckin,
  annulment: applyAnnulment,
  answers: applyAnswers,
  attendee_name: applyAttendeeName,
  order: applyOrder,
  device: applyDevice,
  lease: applyLease,
  gift_card: applyGiftCard,
  print: applyPrint,
  ...tillAppliers,
}

/** What receiving facts needs of the node. */
export interface ReceiveParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** How facts are applied where that is not as usual. */
  readonly appliers?: Appliers
}

/** What a sender reports. */
interface PushOutcome {
  readonly clock: SenderClock
  /** Whether it has just come from the sender itself, so that its arrival dates it. */
  readonly live: boolean
  /** As they came: each is judged for itself. */
  readonly facts: readonly unknown[]
}

/** What is put aside takes less time than what is applied. */
const putAsidePerTransaction = 100

/**
 * Applies what a node reports and remembers it for good; one result for each fact, in their order. Facts that cannot
 * be applied keep nobody else's from it. Reported again, a fact is answered as it was the first time.
 */
export async function receiveFacts(
  parts: ReceiveParts,
  sender: Sender,
  { clock, live, facts }: PushOutcome,
): Promise<FactResult[]> {
  const results = new Map<number, FactResult>()
  const readable: { readonly index: number; readonly fact: SentFact }[] = []
  for (const [index, given] of facts.entries()) {
    const read = readFact(given)
    if ('status' in read) results.set(index, read)
    else readable.push({ index, fact: read })
  }
  let arrival: string | null = null
  const timeOf = (now: string): string => {
    arrival ??= now
    return arrival
  }
  const groupReport = { sender, clock, live, timeOf, appliers: parts.appliers ?? appliers }

  /** In a transaction of their own, or one by one if that fails; in the order in which they happened either way. */
  async function apply(some: readonly SentFact[]): Promise<FactResult[]> {
    try {
      return await parts.transactions.write(
        async (tx) => {
          await requireHere(tx, sender.organizer)
          const left = await withoutDeleted(tx, groupReport, some)
          return sender.device.isRevoked
            ? quarantineAll(tx, { sender, clock }, left)
            : applyGroup(tx, groupReport, left)
        },
        { isUrgent: live && isWaitedFor(readable.map(({ fact }) => fact)) },
      )
    } catch (cause) {
      if (cause instanceof Refusal && cause.status === 503) throw cause
      const [only, ...others] = some
      if (!only) return []
      if (others.length === 0) return [{ nonce: only.nonce, ...failure(parts.log, only, cause) }]
      const single: FactResult[] = []
      for (const fact of some) single.push(...(await apply([fact])))
      return single
    }
  }

  const atOnce = sender.device.isRevoked ? putAsidePerTransaction : perTransaction
  for (let first = 0; first < readable.length; first += atOnce) {
    const some = readable.slice(first, first + atOnce)
    const applied = await apply(some.map(({ fact }) => fact))
    for (const [place, { index }] of some.entries()) {
      const result = applied[place]
      if (result) results.set(index, result)
    }
    // Others who want something of this server get their turn.
    if (first + atOnce < readable.length) await new Promise<void>((resolve) => parts.env.after(0, resolve))
  }
  const answers = facts.map((_, index) => results.get(index) ?? lost(readable, index))
  logReported(parts.log, sender.device.id, {
    facts: readable.map(({ fact }) => fact),
    results: answers,
  })
  return answers
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
async function applyGroup(tx: Tx, report: GroupReport, facts: readonly SentFact[]): Promise<FactResult[]> {
  const { sender } = report
  const { organizer } = sender
  const known = await seenResults(tx, organizer, facts)
  const fresh = facts.filter(({ nonce }) => !known.has(nonce))
  if (fresh.length === 0) return facts.flatMap(({ nonce }) => known.get(nonce) ?? [])
  const upstream = (await tx.get(sql`SELECT id FROM upstream WHERE id = 1`)) !== undefined
  const copied = await takenPlaces(tx, organizer, fresh)
  let around = await surroundingsOf(tx, organizer, fresh)
  const before = await limitOf(tx, sender)
  let limit = before
  const results: FactResult[] = []
  const applied: SeenFact[] = []
  const forwarded: SentFact[] = []
  for (const fact of facts) {
    const { nonce } = fact
    const answered = known.get(nonce)
    if (answered) {
      results.push(answered)
      continue
    }
    if (isReached(limit)) {
      results.push({ nonce, ...beyondLimit })
      continue
    }
    const time = correctedTime(fact, report.clock, report.timeOf(tx.now), report.live)
    const refusal = await refusalFor(tx, around, { sender, fact, at: time.at })
    if (refusal && refusal.status !== 'quarantined') {
      results.push({ nonce, ...refusal })
      continue
    }
    if (refusal && !upstream) {
      results.push(await quarantineSale(tx, report, { fact, at: time.at, refusal }))
      limit = countReported(limit, fact)
      continue
    }
    // What a hub does not take in of this kind is kept at the top, where people decide about it.
    const found = refusal ?? (await applyOne(tx, report, around, { fact, time, upstream }))
    const result: FactResult = { nonce, ...found, ...(copied.has(nonce) ? { rejoin: true } : {}) }
    results.push(result)
    applied.push({ fact, result })
    limit = countReported(limit, fact)
    const named = refusal ? await naming(tx, sender, around, fact) : fact
    if (upstream) forwarded.push(datedHere(named, time, tx.stamp()))
    known.set(nonce, { ...result, status: 'duplicate' })
    // A hub reports its devices and, right after them, what they did.
    if (fact.kind === 'device') around = await surroundingsOf(tx, organizer, fresh)
  }
  await rememberFacts(tx, organizer, report.timeOf(tx.now), applied)
  if (limit !== before) await noteReported(tx, sender, limit)
  if (!upstream && isReached(limit)) await recordReportLimit(tx, sender, limit, around)
  if (forwarded.length > 0) await appendForwarded(tx, organizer, forwarded)
  return results
}

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

const lost = (readable: readonly { index: number; fact: SentFact }[], index: number): FactResult => ({
  nonce: readable.find((one) => one.index === index)?.fact.nonce ?? '',
  status: 'retry',
  reason: 'failed',
})
