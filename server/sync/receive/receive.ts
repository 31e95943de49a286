import type { FactResult, SentFact } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import { Refusal } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { StorageError } from '../../storage/database.ts'
import type { SenderClock } from '../clock/corrected-time.ts'
import { readFact } from '../outbox/read-fact.ts'
import type { Applied } from './applier.ts'
import { type Appliers, appliers } from './appliers.ts'
import { quarantineFacts } from './quarantine.ts'
import { applyGroup, TakenBack } from './receive-group.ts'
import type { Sender } from './receive-rights.ts'

/** What receiving facts needs of the node. */
export interface ReceiveParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  /** How facts are applied where that is not as usual. */
  readonly appliers?: Appliers
}

/** What a sender tells. */
interface PushOutcome {
  readonly clock: SenderClock
  /** Whether it has just come from the sender itself, so that its arrival dates it. */
  readonly live: boolean
  /** As they came: each is judged for itself. */
  readonly facts: readonly unknown[]
}

/** So many are applied in one transaction: few enough that a scan that comes in between does not notice. */
const perTransaction = 10

/**
 * Applies what a node tells of and remembers it for good; one result for each fact, in their order. Facts that cannot
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
      return await parts.transactions.write((tx) =>
        sender.device.isRevoked
          ? quarantineFacts(tx, sender.device, clock, some)
          : applyGroup(tx, groupReport, some),
      )
    } catch (cause) {
      const [only, ...others] = some
      if (!only) return []
      if (others.length === 0) return [{ nonce: only.nonce, ...failure(parts.log, only, cause) }]
      const single: FactResult[] = []
      for (const fact of some) single.push(...(await apply([fact])))
      return single
    }
  }

  for (let first = 0; first < readable.length; first += perTransaction) {
    const some = readable.slice(first, first + perTransaction)
    const applied = await apply(some.map(({ fact }) => fact))
    for (const [place, { index }] of some.entries()) {
      const result = applied[place]
      if (result) results.set(index, result)
    }
    // Others who want something of this server get their turn.
    if (first + perTransaction < readable.length)
      await new Promise<void>((resolve) => parts.env.after(0, resolve))
  }
  const answers = facts.map((_, index) => results.get(index) ?? lost(readable, index))
  report(parts.log, sender, answers)
  return answers
}

/** What is answered for a fact whose application failed; nothing of it is stored. */
function failure(log: Log, fact: SentFact, cause: unknown): Applied {
  if (cause instanceof TakenBack) return cause.result
  if (cause instanceof Refusal) return { status: 'rejected', ...wordsOf(cause) }
  if (cause instanceof StorageError && cause.problem === 'unstorable')
    return { status: 'rejected', reason: 'too_large', detail: 'A value in it is too large to be stored.' }
  if (cause instanceof StorageError)
    return {
      status: 'retry',
      reason: cause.problem,
      detail: 'The database could not store it at the moment.',
    }
  log.error('fact not applied', {
    kind: fact.kind,
    site: fact.site,
    site_seq: fact.site_seq,
    stack: cause instanceof Error ? cause.stack : String(cause),
  })
  return {
    status: 'retry',
    reason: 'failed',
    detail: 'Something went wrong; the log of the server has more.',
  }
}

function wordsOf({ status, body }: Refusal): { reason: string; detail: string } {
  const said = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {}
  const { reason, detail } = said as { reason?: unknown; detail?: unknown }
  return {
    reason: typeof reason === 'string' ? reason : status === 403 ? 'forbidden' : 'refused',
    detail: typeof detail === 'string' ? detail : JSON.stringify(body),
  }
}

const lost = (readable: readonly { index: number; fact: SentFact }[], index: number): FactResult => ({
  nonce: readable.find((one) => one.index === index)?.fact.nonce ?? '',
  status: 'retry',
  reason: 'failed',
})

function report(log: Log, { device }: Sender, results: readonly FactResult[]): void {
  const refused = results.filter(({ status }) => status === 'rejected')
  if (refused.length === 0) return
  log.warn('facts refused', {
    device: device.id,
    count: refused.length,
    reasons: [...new Set(refused.map(({ reason }) => reason))],
  })
}
