import type { FactKind, FactResult, SentFact } from '../../../schema/sync.ts'
import { Refusal } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { StorageError } from '../../storage/database.ts'

/** What is known of a fact besides itself when it is applied. */
export interface ApplyContext {
  /** When it happened by the right time: 27 characters, UTC; never in the future. */
  readonly at: string
  /** The machine did not know the time when it happened: `at` may be wrong by any amount. */
  readonly uncertain: boolean
  /** How many milliseconds too far in the future it was dated before `at` was set to now, or null. */
  readonly skew: number | null
  /** The device where it happened, for the audit trail. */
  readonly actor: Actor
  /** The organizer, and the event of the fact: 0 for what belongs to the organizer itself. */
  readonly place: Place
  /** The device that has reported it, which may be a hub that passes it on, and that device's own site. */
  readonly sender: { readonly device: number; readonly site: number }
  /** Whether this server has one upstream, to which the fact is passed on by itself: appliers call no `tx.fact`. */
  readonly upstream: boolean
}

/** What became of a fact, without its nonce. */
export type Applied = Omit<FactResult, 'nonce'>

/**
 * Applies a fact of one kind, which this server has not seen before, in the transaction that remembers it. Throws a
 * Refusal for what can never be applied: the fact is then `rejected` with its detail, and nothing of it stays.
 */
export type Applier = (tx: Tx, context: ApplyContext, fact: SentFact) => Promise<Applied>

/** So many are applied in one transaction: few enough that a scan that comes in between does not notice. */
export const perTransaction = 10

const waitedFor: readonly FactKind[] = ['checkin', 'annulment', 'answers']

/** Whether somebody at a door may wait for the answer: it is few scans. Many were collected offline. */
export const isWaitedFor = (facts: readonly SentFact[]): boolean =>
  facts.length <= perTransaction && facts.every(({ kind }) => waitedFor.includes(kind))

/** A fact was not applied, and whatever was written for it is taken back with its transaction. */
export class TakenBack extends Error {
  readonly result: Applied

  constructor(result: Applied) {
    super(result.detail ?? result.reason ?? result.status)
    this.result = result
  }
}

/** What is answered for a fact whose application failed; nothing of it is stored. */
export function failure(log: Log, fact: SentFact, cause: unknown): Applied {
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
