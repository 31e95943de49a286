import { microsecondsOf } from '../../schema/instants.ts'
import { readNetworks } from '../domain/notifications/webhook-targets.ts'
import { type Env, instantOf } from '../env.ts'
import type { Log } from '../log.ts'
import type { Receiver, Transactions } from '../resource/transactions.ts'
import {
  claimDelivery,
  type Delivery,
  forgetOld,
  releaseAll,
  releaseDelivery,
  settleDelivery,
  waitingReceivers,
} from '../services/notifications/webhook-deliveries.ts'
import { forTrace } from '../trace.ts'
import { callWebhook, type WebhookCaller } from './webhook-call.ts'
import { type Claimed, Worker } from './worker.ts'

/** How often is looked for messages that other programs have left, and for what can be forgotten. */
const lookEvery = 15_000
const forgetEvery = 3_600_000

/** How soon is looked again at the earliest: the clock of the database's transactions may be a little behind. */
const soonest = 20

/** How long a receiver that has just failed is left alone: what waits for it must not keep the server busy. */
const restOfAiling = 200

/** How many messages are under way at once, of all and to one receiver. */
const mostCalls = 64
const mostToOne = 4

/** A receiver while something is under way to it or waits for its turn. */
interface Line extends Receiver {
  readonly key: string
  calls: number
  isWaiting: boolean
}

/**
 * Tells webhooks what is queued for them, for as long as the server runs; the result stops it and breaks off what is
 * under way, which is begun again at the next start. Each receiver has its own line, begun in the order in which things
 * happened; who is slow keeps only its own line waiting. Does nothing on a node below another one.
 */
export function startWebhooks(
  transactions: Transactions,
  env: Env,
  log: Log,
  allowed: readonly string[],
): () => Promise<void> {
  if (transactions.site !== 0) return async () => {}
  const calls = new WebhookCalls(transactions, env, log, allowed)
  const stopListening = transactions.onQueued((receivers) => calls.serve(receivers))
  return () => {
    stopListening()
    return calls.stop()
  }
}

class WebhookCalls {
  readonly #transactions: Transactions
  readonly #env: Env
  readonly #log: Log
  readonly #caller: WebhookCaller
  readonly #worker: Worker<Line>
  readonly #lines = new Map<string, Line>()
  /** Those whose last call failed: they are called one at a time, so that they cannot keep many busy. */
  readonly #ailing = new Set<string>()
  #forgetsAt: number

  constructor(transactions: Transactions, env: Env, log: Log, allowed: readonly string[]) {
    this.#transactions = transactions
    this.#env = env
    this.#log = log
    this.#forgetsAt = env.elapsed()
    this.#worker = new Worker<Line>({
      ...{ env, log, job: 'webhooks', every: lookEvery, atOnce: mostCalls, claimsAhead: true },
      begin: () => transactions.write(releaseAll),
      claim: () => this.#claim(),
      work: (line, signal) => this.#work(line, signal),
      describe: ({ organizer, webhook }) => ({ organizer, webhook }),
    })
    this.#caller = { env, networks: readNetworks(allowed), stopping: this.#worker.signal }
  }

  /** Lets receivers wait for their turn. */
  serve(receivers: readonly Receiver[]): void {
    for (const receiver of receivers) {
      const line = this.#worker.signal.aborted ? null : this.#lineUp(receiver)
      if (line) this.#worker.add(line)
    }
  }

  stop(): Promise<void> {
    return this.#worker.stop()
  }

  async #claim(): Promise<Claimed<Line>> {
    const receivers = await waitingReceivers(this.#transactions)
    if (this.#env.elapsed() >= this.#forgetsAt) {
      this.#forgetsAt = this.#env.elapsed() + forgetEvery
      await this.#forget()
    }
    const waiting = receivers.map((receiver) => ({ receiver, left: this.#millisecondsUntil(receiver.due) }))
    const items = waiting.flatMap(({ receiver, left }) => (left <= 0 ? (this.#lineUp(receiver) ?? []) : []))
    const later = waiting.flatMap(({ left }) => (left <= 0 ? [] : left))
    return { items, more: false, next: Math.max(soonest, Math.min(lookEvery, ...later)) }
  }

  async #forget(): Promise<void> {
    const { attempts, messages } = await forgetOld(this.#transactions)
    if (attempts > 0) this.#log.info('old webhook attempts', { count: attempts })
    if (messages > 0) this.#log.warn('webhook messages that nobody took', { count: messages })
  }

  /** A receiver that shall wait for its turn, unless it does already or enough is under way to it. */
  #lineUp({ organizer, webhook }: Receiver): Line | null {
    const key = `${organizer} ${webhook}`
    const line = this.#lines.get(key) ?? { organizer, webhook, key, calls: 0, isWaiting: false }
    if (line.isWaiting || !this.#hasRoom(line)) return null
    this.#lines.set(key, line)
    line.isWaiting = true
    return line
  }

  #hasRoom({ calls, key }: Line): boolean {
    return calls < (this.#ailing.has(key) ? 1 : mostToOne)
  }

  async #work(line: Line, signal: AbortSignal): Promise<void> {
    line.isWaiting = false
    if (!signal.aborted && this.#hasRoom(line)) {
      line.calls += 1
      try {
        await this.#sendAll(line)
      } finally {
        line.calls -= 1
      }
    }
    if (line.calls === 0 && !line.isWaiting) this.#lines.delete(line.key)
  }

  /** Sends messages of a line one after the other, as long as there are any and nobody else waits. */
  async #sendAll(line: Line): Promise<void> {
    let claim = await this.#transactions.write((tx) => claimDelivery(tx, line))
    while (true) {
      const { delivery, more, next } = claim
      if (!delivery) {
        if (next !== null) this.#lookAfter(this.#millisecondsUntil(next))
        return
      }
      if (more) this.serve([line])
      const claimed = await this.#send(line, delivery)
      if (claimed === null) return
      claim = claimed
    }
  }

  /** Sends a message and notes what came of it; what to go on with at once. */
  async #send(line: Line, delivery: Delivery): Promise<Awaited<ReturnType<typeof claimDelivery>> | null> {
    const outcome = await callWebhook(this.#caller, delivery)
    if (outcome === null) {
      await this.#transactions.write((tx) => releaseDelivery(tx, delivery))
      return null
    }
    const makesRoom = this.#worker.waiting > 0
    const { verdict, claimed } = await this.#transactions.write(async (tx) => {
      const verdict = await settleDelivery(tx, delivery, outcome)
      const goesOn = verdict.kind === 'delivered' && !makesRoom
      return { verdict, claimed: goesOn ? await claimDelivery(tx, line) : null }
    })
    forTrace(delivery.traceparent ?? undefined, () => this.#note(delivery, verdict.kind, outcome.code))
    if (verdict.kind === 'again') this.#lookAfter(verdict.delay * 1000)
    if (verdict.kind === 'delivered') {
      this.#ailing.delete(line.key)
      if (claimed === null) {
        line.isWaiting = true
        this.#worker.add(line)
      }
    } else {
      this.#ailing.add(line.key)
      this.#lookAfter(restOfAiling)
    }
    return claimed
  }

  #note({ organizer, webhook, notification, action }: Delivery, kind: string, code: number): void {
    const fields = { organizer, webhook, notification, action, code }
    if (kind === 'given up') this.#log.warn('webhook message given up', fields)
    if (kind === 'refused for good') this.#log.warn('webhook disabled, its receiver is gone', fields)
  }

  #lookAfter(milliseconds: number): void {
    this.#worker.wakeWithin(Math.max(soonest, milliseconds))
  }

  #millisecondsUntil(moment: string): number {
    return Math.ceil((microsecondsOf(moment) - microsecondsOf(instantOf(this.#env.now()))) / 1000)
  }
}
