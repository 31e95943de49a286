import { microsecondsOf } from '../../../schema/instants.ts'
import type { FactResult } from '../../../schema/sync.ts'
import { type Claimed, Worker } from '../../jobs/worker.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Database } from '../../storage/database.ts'
import { later, nextRetry, type QueuedFact, waitingFacts } from './outbox.ts'
import { recordResults } from './outbox-results.ts'
import { type Confirmations, createConfirmations } from './push-confirm.ts'
import { createPace, type Pace } from './push-pace.ts'
import { type PushAsking, type PushOutcome, pushFacts } from './push-request.ts'

/** What pushing needs of the node it belongs to. */
interface PushParts extends PushAsking {
  readonly transactions: Transactions
  readonly log: Log
  /** Hears how an attempt went: answered, no answer of a server of ours, or not admitted. */
  readonly heard?: (outcome: 'answered' | 'silent' | 'refused') => void
  /** Hears what became of facts, once that is noted. */
  readonly reported?: (results: readonly FactResult[]) => void
  /** Hears that the upstream server wants this node to be loaded anew; once for each fact that says so. */
  readonly rejoin?: () => void
  /** Hears that the numbers of waiting and parked facts may be others now. */
  readonly changed?: () => void
}

/** Tells the upstream server what has happened here, for as long as it runs. */
export interface PushLoop {
  /** Tries at once, also when the last attempt has failed: the link is there again, or a person wants it. */
  wake(): void
  /**
   * What became of a fact upstream, waiting at most some milliseconds for it: null when that is not known by then. It
   * goes ahead of everything that waits about other tickets.
   */
  confirm(nonce: string, milliseconds: number): Promise<FactResult | null>
  /** Ends what is under way; whoever waits for a confirmation gets null. */
  stop(): Promise<void>
}

/** Milliseconds that a whole answer may take. */
const answerWithin = 15_000

/** Milliseconds after which is looked for facts that nobody has reported: another program may have added some. */
const lookEvery = 30_000

/** What a body holds at most, in characters, well below the four mebibytes that are read. */
const largestBody = 3_000_000

/**
 * Reports waiting facts in the order in which they happened, some hundreds at a time. One that is to be reported again
 * later or was refused holds nobody up, not even those of its own ticket: the server upstream judges by the time at
 * which things happened and not by that of their arrival, so that the order in which it hears of them changes nothing
 * in the end.
 */
export const startPush = (parts: PushParts): PushLoop => new Pushing(parts)

class Pushing implements PushLoop {
  readonly #parts: PushParts
  readonly #database: Database
  readonly #pace: Pace
  readonly #worker: Worker<readonly QueuedFact[]>
  readonly #confirmations: Confirmations
  readonly #stopListening: () => void
  /** Nonces that are being reported at this moment, so that none is reported twice at once. */
  readonly #onTheWay = new Set<string>()

  constructor(parts: PushParts) {
    const { transactions, env, log } = parts
    this.#parts = parts
    this.#database = transactions.database
    this.#pace = createPace(env, () => this.#chance())
    this.#worker = new Worker<readonly QueuedFact[]>({
      ...{ env, log, job: 'push', every: lookEvery, atOnce: 1 },
      claim: () => this.#claim(),
      work: (facts) => this.#work(facts),
    })
    this.#confirmations = createConfirmations({
      database: this.#database,
      env,
      isOnTheWay: (nonce) => this.#onTheWay.has(nonce),
      // A failed attempt does not keep the next scan from trying; being asked to wait does.
      mayReport: () => !this.#worker.signal.aborted && !this.#pace.mustWait,
      // What could not be reported for somebody who waits is reported with all the rest.
      tell: (facts, timeout) => this.#report(facts, timeout).finally(() => this.#worker.wake()),
    })
    this.#stopListening = transactions.onCommit(() => this.#worker.wake())
  }

  wake(): void {
    this.#pace.resume()
    this.#worker.wake()
  }

  confirm(nonce: string, milliseconds: number): Promise<FactResult | null> {
    this.#worker.wake()
    return this.#confirmations.of(nonce, milliseconds)
  }

  async stop(): Promise<void> {
    const stopped = this.#worker.stop()
    this.#stopListening()
    this.#confirmations.stop()
    await stopped
    await this.#confirmations.idle()
  }

  /** By the right time, as far as it is known: pages of changes are compared with when facts became known upstream. */
  #now(): string {
    const { deviceTime, clockOffset } = this.#parts.stamp()
    return later(deviceTime, (clockOffset ?? 0) * 1000)
  }

  #chance(): number {
    return (this.#parts.env.randomBytes(1)[0] ?? 0) / 255
  }

  /** The facts for the next attempt, unless the last one was followed by a pause. */
  async #claim(): Promise<Claimed<readonly QueuedFact[]>> {
    if (this.#pace.pause > 0) return { items: [], more: false, next: this.#pace.pause }
    while (true) {
      const waiting = await waitingFacts(this.#database, this.#now(), this.#pace.most, [...this.#onTheWay])
      if (waiting.length === 0) {
        this.#pace.empty()
        return { items: [], more: false, next: await this.#untilRetry() }
      }
      // While we looked, some may have gone ahead for somebody who waits for them.
      const facts = fitting(withoutSuspects(waiting.filter(({ nonce }) => !this.#onTheWay.has(nonce))))
      if (facts.length > 0) return { items: [facts], more: true }
    }
  }

  /** Milliseconds until a fact is due that is to be reported again, where there is one. */
  async #untilRetry(): Promise<number | undefined> {
    const retry = await nextRetry(this.#database).catch(() => null)
    return retry === null ? undefined : (microsecondsOf(retry) - microsecondsOf(this.#now())) / 1000
  }

  async #work(facts: readonly QueuedFact[]): Promise<void> {
    if (this.#worker.signal.aborted) return
    const attempt = this.#report(facts, answerWithin)
    this.#confirmations.hurry()
    const reported = await attempt
    this.#pace.conclude(reported, facts.length)
    await this.#putAside(reported, facts)
  }

  /** Reports some facts and notes what became of them; what it came to. */
  async #report(facts: readonly QueuedFact[], timeout: number): Promise<PushOutcome> {
    const { signal } = this.#worker
    for (const { nonce } of facts) this.#onTheWay.add(nonce)
    try {
      const outcome = await pushFacts(this.#parts, facts, timeout, signal)
      if (signal.aborted) return { kind: 'silent' }
      if (outcome.kind === 'wait') this.#pace.wait(outcome.milliseconds)
      if (outcome.kind === 'answered') await this.#recordAnswers(facts, outcome.results)
      this.#parts.heard?.(hearing(outcome))
      return outcome
    } finally {
      for (const { nonce } of facts) this.#onTheWay.delete(nonce)
    }
  }

  async #recordAnswers(facts: readonly QueuedFact[], results: readonly FactResult[]): Promise<void> {
    const nonces = new Set(facts.map(({ nonce }) => nonce))
    const answered = results.filter(({ nonce }) => nonces.delete(nonce))
    this.#confirmations.resolve(answered)
    const missing = [...nonces].map((nonce) => ({ nonce, status: 'retry', reason: 'no_answer' }) as const)
    await this.#record([...answered, ...missing])
    // Reported again after that, a fact is answered with what it was answered first.
    const heeded = new Set(facts.filter(wantedRejoin).map(({ nonce }) => nonce))
    if (answered.some(({ nonce, rejoin }) => rejoin && !heeded.has(nonce))) this.#parts.rejoin?.()
  }

  async #record(results: readonly FactResult[]): Promise<void> {
    const at = this.#now()
    await this.#database.transaction((tx) => recordResults(tx, results, at, () => this.#chance()))
    this.#parts.reported?.(results)
    this.#parts.changed?.()
  }

  /** Puts a fact aside that is the one at which an attempt failed. */
  async #putAside(outcome: PushOutcome, [only, ...others]: readonly QueuedFact[]): Promise<void> {
    if (!only || others.length > 0) return
    if (outcome.kind === 'too large') await this.#record([tooLarge(only, outcome.ours)])
    if (outcome.kind === 'failed')
      await this.#record([{ nonce: only.nonce, status: 'retry', reason: 'server_error' }])
  }
}

/** Whether the last answer to a fact wanted this node to be loaded anew. */
const wantedRejoin = ({ result }: QueuedFact): boolean => result?.includes('"rejoin":true') ?? false

const hearing = ({ kind }: PushOutcome): 'answered' | 'silent' | 'refused' =>
  kind === 'silent' ? 'silent' : kind === 'refused' ? 'refused' : 'answered'

/** Facts at which everything failed before are reported singly, so that they draw no others into it. */
function withoutSuspects(facts: readonly QueuedFact[]): readonly QueuedFact[] {
  const isSuspect = ({ reason }: QueuedFact): boolean => reason === 'server_error' || reason === 'too_large'
  const [first] = facts
  return first && isSuspect(first) ? [first] : facts.filter((fact) => !isSuspect(fact))
}

/** As many of the first facts as fit into a body; at least one. */
function fitting(facts: readonly QueuedFact[]): readonly QueuedFact[] {
  let size = 0
  const end = facts.findIndex(({ payload }, index) => {
    size += Buffer.byteLength(payload) + 500
    return index > 0 && size > largestBody
  })
  return end === -1 ? facts : facts.slice(0, end)
}

/** A server of ours will never take it; what is between may be set up differently tomorrow. */
const tooLarge = ({ nonce }: QueuedFact, ours: boolean): FactResult => ({
  nonce,
  status: ours ? 'rejected' : 'retry',
  reason: 'too_large',
  detail: 'It is larger than what may be reported at once.',
})
