import { microsecondsOf } from '../../schema/instants.ts'
import { readNetworks } from '../domain/notifications/webhook-targets.ts'
import { type Env, instantOf } from '../env.ts'
import type { Log } from '../log.ts'
import type { Transactions } from '../resource/transactions.ts'
import type { Receiver } from '../resource/webhook-queue.ts'
import {
  claimDelivery,
  type Delivery,
  forgetOld,
  releaseAll,
  releaseDelivery,
  settleDelivery,
  waitingReceivers,
} from '../services/notifications/webhook-deliveries.ts'
import { type Caller, callWebhook } from './webhook-call.ts'

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
  const stopping = new AbortController()
  const networks = readNetworks(allowed)
  const caller: Caller = { env, networks, stopping: stopping.signal }
  const lines = new Map<string, Line>()
  /** Those whose last call failed: they are called one at a time, so that they cannot keep many busy. */
  const ailing = new Set<string>()
  const waiting: Line[] = []
  const working = new Set<Promise<void>>()
  let calls = 0
  let stopTimer = (): void => {}
  let looksAt = Number.POSITIVE_INFINITY
  let forgetsAt = env.elapsed()

  function keepWorking(work: () => Promise<void>): void {
    const promise: Promise<void> = work()
      .catch((cause: unknown) =>
        log.error('job failed', {
          job: 'webhooks',
          stack: cause instanceof Error ? cause.stack : String(cause),
        }),
      )
      .finally(() => working.delete(promise))
    working.add(promise)
  }

  /** Looks again after some milliseconds, or before that. */
  function lookAfter(milliseconds: number): void {
    const rest = Math.max(soonest, milliseconds)
    const at = env.elapsed() + rest
    if (stopping.signal.aborted || at >= looksAt) return
    stopTimer()
    looksAt = at
    stopTimer = env.after(rest, () => {
      looksAt = Number.POSITIVE_INFINITY
      keepWorking(look)
    })
  }

  const millisecondsUntil = (moment: string): number =>
    Math.ceil((microsecondsOf(moment) - microsecondsOf(instantOf(env.now()))) / 1000)

  async function look(): Promise<void> {
    try {
      for (const { organizer, webhook, due } of await waitingReceivers(transactions)) {
        const left = millisecondsUntil(due)
        if (left <= 0) serve({ organizer, webhook })
        else lookAfter(left)
      }
      if (env.elapsed() >= forgetsAt) await forget()
    } finally {
      lookAfter(lookEvery)
    }
  }

  async function forget(): Promise<void> {
    forgetsAt = env.elapsed() + forgetEvery
    const { attempts, messages } = await forgetOld(transactions)
    if (attempts > 0) log.info('old webhook attempts', { count: attempts })
    if (messages > 0) log.warn('webhook messages that nobody took', { count: messages })
  }

  /** Begins a call to a receiver if there is room, or lets it wait for its turn. */
  function serve(receiver: Receiver): void {
    if (stopping.signal.aborted) return
    const key = `${receiver.organizer} ${receiver.webhook}`
    const line = lines.get(key) ?? { ...receiver, key, calls: 0, isWaiting: false }
    if (line.isWaiting || line.calls >= (ailing.has(key) ? 1 : mostToOne)) return
    lines.set(key, line)
    if (calls >= mostCalls) {
      line.isWaiting = true
      waiting.push(line)
      return
    }
    line.calls += 1
    calls += 1
    keepWorking(async () => {
      try {
        await work(line)
      } finally {
        line.calls -= 1
        calls -= 1
        if (line.calls === 0 && !line.isWaiting) lines.delete(key)
        serveWaiting()
      }
    })
  }

  /** Gives their turn to those that wait, as far as there is room. */
  function serveWaiting(): void {
    while (calls < mostCalls) {
      const next = waiting.shift()
      if (!next) return
      next.isWaiting = false
      serve(next)
    }
  }

  /** Sends messages of a line one after the other, as long as there are any and nobody else waits. */
  async function work(line: Line): Promise<void> {
    let claim = await transactions.write((tx) => claimDelivery(tx, line))
    while (true) {
      const { delivery, more, next } = claim
      if (!delivery) {
        if (next !== null) lookAfter(millisecondsUntil(next))
        return
      }
      if (more) serve(line)
      const outcome = await callWebhook(caller, delivery)
      if (outcome === null) {
        await transactions.write((tx) => releaseDelivery(tx, delivery))
        return
      }
      const makesRoom = waiting.length > 0
      const { verdict, claimed } = await transactions.write(async (tx) => {
        const verdict = await settleDelivery(tx, delivery, outcome)
        const goesOn = verdict.kind === 'delivered' && !makesRoom
        return { verdict, claimed: goesOn ? await claimDelivery(tx, line) : null }
      })
      if (verdict.kind === 'delivered') ailing.delete(line.key)
      else ailing.add(line.key)
      note(delivery, verdict.kind, outcome.code)
      if (verdict.kind === 'again') lookAfter(verdict.delay * 1000)
      if (verdict.kind !== 'delivered') return lookAfter(restOfAiling)
      if (claimed === null) {
        line.isWaiting = true
        waiting.push(line)
        return
      }
      claim = claimed
    }
  }

  function note({ organizer, webhook, notification, action }: Delivery, kind: string, code: number): void {
    const fields = { organizer, webhook, notification, action, code }
    if (kind === 'given up') log.warn('webhook message given up', fields)
    if (kind === 'refused for good') log.warn('webhook disabled, its receiver is gone', fields)
  }

  const stopListening = transactions.onQueued((receivers) => {
    for (const receiver of receivers) serve(receiver)
  })
  keepWorking(async () => {
    await transactions.write(releaseAll)
    await look()
  })
  return async () => {
    stopListening()
    stopping.abort()
    stopTimer()
    while (working.size > 0) await Promise.all(working)
  }
}
