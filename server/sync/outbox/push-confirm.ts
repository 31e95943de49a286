import type { FactResult } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import { payloadOf } from '../../resource/facts.ts'
import type { Database } from '../../storage/database.ts'
import { factsOf, type QueuedFact, waitingBefore } from './outbox.ts'
import type { PushOutcome } from './push-request.ts'

/** What waiting for confirmations needs of the loop that reports facts. */
interface ConfirmParts {
  readonly database: Database
  readonly env: Env
  readonly isOnTheWay: (nonce: string) => boolean
  readonly mayReport: () => boolean
  /** Reports some facts, notes what became of them and resolves who waits for them. */
  readonly tell: (facts: readonly QueuedFact[], timeout: number) => Promise<PushOutcome>
}

/** Those who wait to learn what became of facts. */
export interface Confirmations {
  of(nonce: string, milliseconds: number): Promise<FactResult | null>
  /** Reports what somebody waits for and nobody is reporting, beside what else is being reported. */
  hurry(): void
  /** Tells them what has become of facts. */
  resolve(results: readonly FactResult[]): void
  /** Nobody waits any more. */
  stop(): void
  /** Resolves once nothing is being reported on their behalf. */
  idle(): Promise<void>
}

/** How many facts go ahead of the others in one request. */
const mostAtOnce = 50

/** Milliseconds for their answer: nobody waits that long, but what is reported is reported. */
const answerWithin = 10_000

/** Keeps those who wait for confirmations. */
export const createConfirmations = (parts: ConfirmParts): Confirmations => new WaitingConfirmations(parts)

type Hear = (result: FactResult | null) => void

class WaitingConfirmations implements Confirmations {
  readonly #parts: ConfirmParts
  readonly #waiting = new Map<string, Set<Hear>>()
  #running: Promise<void> | null = null

  constructor(parts: ConfirmParts) {
    this.#parts = parts
  }

  of(nonce: string, milliseconds: number): Promise<FactResult | null> {
    if (milliseconds <= 0) return Promise.resolve(null)
    return new Promise((answer) => {
      const listeners = this.#waiting.get(nonce) ?? new Set()
      this.#waiting.set(nonce, listeners)
      const listen: Hear = (result) => {
        forget()
        listeners.delete(listen)
        if (listeners.size === 0 && this.#waiting.get(nonce) === listeners) this.#waiting.delete(nonce)
        answer(result)
      }
      const forget = this.#parts.env.after(milliseconds, () => listen(null))
      listeners.add(listen)
      void this.#known(nonce).then((result) => {
        if (result) listen(result)
        else this.hurry()
      })
    })
  }

  hurry(): void {
    if (this.#running || !this.#parts.mayReport()) return
    if ([...this.#waiting.keys()].every(this.#parts.isOnTheWay)) return
    this.#running = this.#reportWanted()
      // The loop that reports everything meets the same failure and says so.
      .catch(() => undefined)
      .finally(() => {
        this.#running = null
      })
  }

  resolve(results: readonly FactResult[]): void {
    for (const result of results) {
      const listeners = this.#waiting.get(result.nonce)
      this.#waiting.delete(result.nonce)
      for (const listen of listeners ?? []) listen(result)
    }
  }

  stop(): void {
    for (const listeners of [...this.#waiting.values()]) for (const listen of [...listeners]) listen(null)
    this.#waiting.clear()
  }

  async idle(): Promise<void> {
    await this.#running
  }

  /** What is known already of a fact. */
  async #known(nonce: string): Promise<FactResult | null> {
    const [fact] = await factsOf(this.#parts.database, [nonce]).catch(() => [])
    if (!fact || fact.state === 'waiting' || fact.result === null) return null
    return { ...(JSON.parse(fact.result) as Omit<FactResult, 'nonce'>), nonce }
  }

  /** Reports, one request after the other, what is waited for; gives up at the first that fails. */
  async #reportWanted(): Promise<void> {
    const { database, isOnTheWay, mayReport, tell } = this.#parts
    for (const tried = new Set<string>(); mayReport(); ) {
      const wanted = [...this.#waiting.keys()].filter((nonce) => !isOnTheWay(nonce) && !tried.has(nonce))
      if (wanted.length === 0) return
      for (const nonce of wanted) tried.add(nonce)
      const found = (await factsOf(database, wanted.slice(0, mostAtOnce))).filter(
        ({ nonce, state }) => state === 'waiting' && !isOnTheWay(nonce),
      )
      if (found.length === 0) continue
      const facts = (await withEarlier(database, found)).filter(({ nonce }) => !isOnTheWay(nonce))
      if (!mayReport() || facts.length === 0) return
      const { kind } = await tell(facts, answerWithin)
      if (kind !== 'answered') return
    }
  }
}

/** With what waits about the same tickets from before, so that the facts of one ticket stay in their order. */
async function withEarlier(database: Database, found: readonly QueuedFact[]): Promise<readonly QueuedFact[]> {
  const facts = new Map(found.map((fact) => [fact.seq, fact]))
  for (const fact of found) {
    const position = positionOf(fact)
    const earlier = position === null ? [] : await waitingBefore(database, fact, position, mostAtOnce)
    for (const one of earlier) facts.set(one.seq, one)
  }
  return [...facts.values()].sort((a, b) => a.seq - b.seq)
}

function positionOf({ payload }: QueuedFact): number | null {
  const { row, position } = payloadOf(payload) as { row?: { position?: unknown }; position?: unknown }
  const id = row?.position ?? position
  return typeof id === 'number' ? id : null
}
