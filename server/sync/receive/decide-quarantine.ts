import sql, { join, type Sql } from 'sql-template-tag'
import type { FactResult, FactStatus } from '../../../schema/sync.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Tx } from '../../resource/transactions.ts'
import { forgetRefusedTickets } from '../../services/codes/refused-tickets.ts'
import type { Queryable } from '../../storage/database.ts'
import { type QuarantineState, quarantinedFacts } from './quarantine.ts'
import { type ReceiveParts, receiveFacts } from './receive.ts'
import { devicesById } from './senders.ts'

/** What a person decides about facts in quarantine. */
interface QuarantineDecision {
  readonly action: 'apply' | 'discard'
  /** Which ones, or null for all. */
  readonly nonces: readonly string[] | null
}

/** What came of it: how many were applied or discarded, and what became of the first ones that were to be applied. */
interface DecisionReport {
  readonly applied: number
  readonly discarded: number
  readonly results: readonly FactResult[]
}

/** What is not taken in stays in quarantine. */
const undecided: ReadonlySet<FactStatus> = new Set(['rejected', 'retry', 'quarantined'])

/** As many as a statement names, and an entry of the audit. */
const perStep = 500

/** How many bytes of facts are in memory at once; one that is larger comes by itself. */
const bytesAtOnce = 2 * 1024 * 1024

/** As many results as somebody can ask for by name. */
const mostResults = 10_000

/**
 * Applies or discards what revoked devices have reported, some at a time; what cannot be applied stays in quarantine.
 */
export async function decideQuarantine(
  parts: ReceiveParts,
  organizer: number,
  actor: Actor,
  { action, nonces }: QuarantineDecision,
): Promise<DecisionReport> {
  const { database } = parts.transactions
  const state = action === 'apply' ? 'applied' : 'discarded'
  const counts = { applied: 0, discarded: 0 }
  const results: FactResult[] = []
  for await (const step of awaitingDecision(database, organizer, nonces)) {
    const decided: string[] = []
    if (action === 'discard') decided.push(...step.map(({ nonce }) => nonce))
    else
      for (const result of await applyAll(parts, organizer, step, nonces !== null)) {
        if (!undecided.has(result.status)) decided.push(result.nonce)
        if (results.length < mostResults) results.push(result)
      }
    counts[state] += await noteDecisions(
      parts,
      { organizer, actor, state, device: step[0]?.device ?? 0 },
      decided,
    )
    // Others who want something of this server get their turn.
    await new Promise<void>((resolve) => parts.env.after(0, resolve))
  }
  return { ...counts, results }
}

/** The place of a fact that waits for a decision, and how large it is. */
interface Awaiting {
  readonly nonce: string
  readonly device: number
  readonly site: number
  readonly site_seq: number
  readonly bytes: number
}

/** Facts that wait for a decision, by nonce or all of them, in the order in which they happened at each device. */
async function* awaitingDecision(
  db: Queryable,
  organizer: number,
  nonces: readonly string[] | null,
): AsyncGenerator<readonly Awaiting[]> {
  const waiting = (condition: Sql): Promise<Awaiting[]> =>
    db.all<Awaiting>(
      sql`SELECT nonce, device, site, site_seq, bytes FROM quarantine
          WHERE organizer = ${organizer} AND state = 'waiting' AND ${condition}
          ORDER BY device, site, site_seq, nonce LIMIT ${perStep}`,
    )
  if (nonces === null) {
    let step = await waiting(sql`1 = 1`)
    for (let last = step.at(-1); last; last = step.at(-1)) {
      yield step
      const { device, site, site_seq, nonce } = last
      step = await waiting(sql`(device, site, site_seq, nonce) > (${device}, ${site}, ${site_seq}, ${nonce})`)
    }
    return
  }
  const named: Awaiting[] = []
  for (let first = 0; first < nonces.length; first += perStep)
    named.push(...(await waiting(sql`nonce IN (${join([...nonces.slice(first, first + perStep)])})`)))
  named.sort((a, b) => a.device - b.device || a.site - b.site || a.site_seq - b.site_seq)
  for (let first = 0; first < named.length; first += perStep) yield named.slice(first, first + perStep)
}

interface Decided {
  readonly organizer: number
  readonly actor: Actor
  readonly state: QuarantineState
  readonly device: number
}

/** Notes what was decided; how many are stored so. */
async function noteDecisions(
  { transactions }: ReceiveParts,
  { organizer, actor, state, device }: Decided,
  nonces: readonly string[],
): Promise<number> {
  if (nonces.length === 0) return 0
  return transactions.write(async (tx) => {
    tx.audit({ organizer, event: 0 }, actor, {
      action: `ticketsvc.quarantine.${state}`,
      resource: 'device',
      row: device,
      data: { nonces },
    })
    await forgetRefusedTickets(tx, organizer, nonces)
    return decide(tx, organizer, nonces, state)
  })
}

/** What is decided makes room: of the fact only what lists show stays. */
const decide = (
  tx: Tx,
  organizer: number,
  nonces: readonly string[],
  state: QuarantineState,
): Promise<number> =>
  tx.run(
    sql`UPDATE quarantine SET state = ${state}, bytes = 0, fact = CASE WHEN shown IS NULL THEN fact ELSE '{}' END
        WHERE organizer = ${organizer} AND state = 'waiting' AND nonce IN (${join([...nonces])})`,
  )

/** Applies facts as if their devices reported them now and were not revoked. */
async function applyAll(
  parts: ReceiveParts,
  organizer: number,
  step: readonly Awaiting[],
  isApproved: boolean,
): Promise<FactResult[]> {
  const { database } = parts.transactions
  const devices = await devicesById(database, organizer, [...new Set(step.map(({ device }) => device))])
  const results: FactResult[] = []
  for (const some of readTogether(step)) {
    const device = devices.get(some[0]?.device ?? 0)
    if (!device) continue
    const nonces = some.map(({ nonce }) => nonce)
    const sender = { organizer, device: { ...device, isRevoked: false }, isVouchedFor: false, isApproved }
    for (const { clock, fact } of await quarantinedFacts(database, organizer, nonces))
      results.push(...(await receiveFacts(parts, sender, { clock, live: false, facts: [fact] })))
  }
  return results
}

/** Divides facts into those of one device that are read at once. */
function readTogether(step: readonly Awaiting[]): Awaiting[][] {
  const groups: Awaiting[][] = []
  let group: Awaiting[] = []
  let bytes = 0
  for (const one of step) {
    bytes += one.bytes
    if (group.length === 0 || bytes > bytesAtOnce || one.device !== group[0]?.device) {
      group = []
      groups.push(group)
      bytes = one.bytes
    }
    group.push(one)
  }
  return groups
}
