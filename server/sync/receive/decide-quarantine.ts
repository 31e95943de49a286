import type { FactResult, FactStatus } from '../../../schema/sync.ts'
import type { Actor } from '../../resource/actor.ts'
import { awaitingDecision, noteDecision, type Quarantined } from './quarantine.ts'
import { type ReceiveParts, receiveFacts } from './receive.ts'
import { devicesById } from './senders.ts'

/** What a person decides about facts in quarantine. */
interface QuarantineDecision {
  readonly action: 'apply' | 'discard'
  /** Which ones, or null for all. */
  readonly nonces: readonly string[] | null
}

/** What came of it: how many were applied or discarded, and why others were not. */
interface DecisionReport {
  readonly applied: number
  readonly discarded: number
  readonly results: readonly FactResult[]
}

/** What is not taken in stays in quarantine. */
const undecided: ReadonlySet<FactStatus> = new Set(['rejected', 'retry', 'quarantined'])

/** As many rows as a statement names. */
const perStatement = 500

/** Applies or discards what revoked devices have reported; what cannot be applied stays in quarantine. */
export async function decideQuarantine(
  parts: ReceiveParts,
  organizer: number,
  actor: Actor,
  { action, nonces }: QuarantineDecision,
): Promise<DecisionReport> {
  const { transactions } = parts
  const facts = await awaitingDecision(transactions.database, organizer, nonces)
  const results = action === 'apply' ? await applyAll(parts, organizer, facts, nonces !== null) : []
  const decided =
    action === 'apply'
      ? results.filter(({ status }) => !undecided.has(status)).map(({ nonce }) => nonce)
      : facts.map(({ nonce }) => nonce)
  const done = action === 'apply' ? 'applied' : 'discarded'
  await transactions.write(async (tx) => {
    for (let first = 0; first < decided.length; first += perStatement)
      await noteDecision(tx, organizer, decided.slice(first, first + perStatement), done)
    if (decided.length > 0)
      tx.audit({ organizer, event: 0 }, actor, {
        action: `ticketsvc.quarantine.${done}`,
        resource: 'device',
        row: facts[0]?.device ?? 0,
        data: { nonces: decided },
      })
  })
  return {
    applied: action === 'apply' ? decided.length : 0,
    discarded: action === 'discard' ? decided.length : 0,
    results,
  }
}

/** Applies facts as if their devices reported them now and were not revoked. */
async function applyAll(
  parts: ReceiveParts,
  organizer: number,
  facts: readonly Quarantined[],
  isApproved: boolean,
): Promise<FactResult[]> {
  const ids = [...new Set(facts.map(({ device }) => device))]
  const devices = await devicesById(parts.transactions.database, organizer, ids)
  const results: FactResult[] = []
  for (const { device: id, clock, fact } of facts) {
    const device = devices.get(id)
    if (!device) continue
    const sender = { organizer, device: { ...device, isRevoked: false }, isVouchedFor: false, isApproved }
    results.push(...(await receiveFacts(parts, sender, { clock, live: false, facts: [fact] })))
  }
  return results
}
