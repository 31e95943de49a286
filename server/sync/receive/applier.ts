import type { FactResult, SentFact } from '../../../schema/sync.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

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
