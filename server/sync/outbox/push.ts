import { microsecondsOf } from '../../../schema/instants.ts'
import type { FactResult } from '../../../schema/sync.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { later, nextRetry, type QueuedFact, waitingFacts } from './outbox.ts'
import { recordResults } from './outbox-results.ts'
import { createConfirmations } from './push-confirm.ts'
import { createPace } from './push-pace.ts'
import { type Asking, type Telling, tellFacts } from './push-request.ts'

/** What pushing needs of the node it belongs to. */
export interface PushParts extends Asking {
  readonly transactions: Transactions
  readonly log: Log
  /** Hears how an attempt went: answered, no answer of a server of ours, or not let in. */
  readonly heard?: (outcome: 'answered' | 'silent' | 'refused') => void
  /** Hears what became of facts, once that is noted. */
  readonly told?: (results: readonly FactResult[]) => void
  /** Hears that the server above wants this node to be loaded anew; once for each fact that says so. */
  readonly rejoin?: () => void
  /** Hears that the numbers of waiting and parked facts may be others now. */
  readonly changed?: () => void
}

/** Tells the server above what has happened here, for as long as it runs. */
export interface PushLoop {
  /** Tries at once, also when the last attempt has failed: the link is there again, or a person wants it. */
  wake(): void
  /**
   * What became of a fact above, waiting at most some milliseconds for it: null when that is not known by then. It goes
   * ahead of everything that waits about other tickets.
   */
  confirm(nonce: string, milliseconds: number): Promise<FactResult | null>
  /** Ends what is under way; whoever waits for a confirmation gets null. */
  stop(): Promise<void>
}

/** Milliseconds that a whole answer may take. */
const answerWithin = 15_000

/** Milliseconds after which is looked for facts that nobody has told of: another program may have added some. */
const lookEvery = 30_000

/** What a body holds at most, in characters, well below the four mebibytes that are read. */
const largestBody = 3_000_000

/**
 * Tells waiting facts in the order in which they happened, some hundreds at a time. One that is to be told again later
 * or was refused holds nobody up, not even those of its own ticket: the server above judges by the time at which things
 * happened and not by that of their arrival, so that the order in which it hears of them changes nothing in the end.
 */
export function startPush(parts: PushParts): PushLoop {
  const { transactions, env, log } = parts
  const { database } = transactions
  const stopping = new AbortController()
  const { signal } = stopping
  /** Nonces that are being told at this moment, so that none is told twice at once. */
  const onTheWay = new Set<string>()
  let running: Promise<void> | null = null
  let again = false
  let stopTimer = (): void => {}

  /** By the right time, as far as it is known: pages of changes are compared with when facts became known above. */
  const now = (): string => {
    const { deviceTime, clockOffset } = parts.stamp()
    return later(deviceTime, (clockOffset ?? 0) * 1000)
  }
  const chance = (): number => (env.randomBytes(1)[0] ?? 0) / 255
  const pace = createPace(env, chance)

  async function record(results: readonly FactResult[]): Promise<void> {
    const at = now()
    await database.transaction((tx) => recordResults(tx, results, at, chance))
    parts.told?.(results)
    parts.changed?.()
  }

  /** Tells some facts and notes what became of them; what it came to. */
  async function tell(facts: readonly QueuedFact[], timeout: number): Promise<Telling> {
    const nonces = new Set(facts.map(({ nonce }) => nonce))
    for (const nonce of nonces) onTheWay.add(nonce)
    try {
      const telling = await tellFacts(parts, facts, timeout, signal)
      if (signal.aborted) return { kind: 'silent' }
      if (telling.kind === 'wait') pace.wait(telling.milliseconds)
      if (telling.kind === 'answered') {
        const answered = telling.results.filter(({ nonce }) => nonces.delete(nonce))
        confirmations.resolve(answered)
        const missing = [...nonces].map((nonce) => ({ nonce, status: 'retry', reason: 'no_answer' }) as const)
        await record([...answered, ...missing])
        // Told again after that, a fact is answered with what it was answered first.
        const heeded = new Set(facts.filter(wantedRejoin).map(({ nonce }) => nonce))
        if (answered.some(({ nonce, rejoin }) => rejoin && !heeded.has(nonce))) parts.rejoin?.()
      }
      parts.heard?.(hearing(telling))
      return telling
    } finally {
      for (const { nonce } of facts) onTheWay.delete(nonce)
    }
  }

  const confirmations = createConfirmations({
    database,
    env,
    isOnTheWay: (nonce) => onTheWay.has(nonce),
    // A failed attempt does not keep the next scan from trying; being asked to wait does.
    mayTell: () => !signal.aborted && !pace.mustWait,
    // What could not be told for somebody who waits is told with all the rest.
    tell: (facts, timeout) => tell(facts, timeout).finally(stir),
  })

  /** Puts a fact aside that is the one at which an attempt failed. */
  async function putAside(telling: Telling, [only, ...others]: readonly QueuedFact[]): Promise<void> {
    if (!only || others.length > 0) return
    if (telling.kind === 'too large') await record([tooLarge(only, telling.ours)])
    if (telling.kind === 'failed')
      await record([{ nonce: only.nonce, status: 'retry', reason: 'server_error' }])
  }

  async function drain(): Promise<void> {
    while (!signal.aborted && pace.pause <= 0) {
      again = false
      const waiting = await waitingFacts(database, now(), pace.most, [...onTheWay])
      if (waiting.length === 0) pace.empty()
      if (waiting.length === 0 && !again) return
      // While we looked, some may have gone ahead for somebody who waits for them.
      const facts = fitting(withoutSuspects(waiting.filter(({ nonce }) => !onTheWay.has(nonce))))
      if (facts.length === 0) continue
      const attempt = tell(facts, answerWithin)
      confirmations.hurry()
      const telling = await attempt
      pace.conclude(telling, facts.length)
      await putAside(telling, facts)
    }
  }

  /** Looks for facts to tell, unless that is being done. */
  function stir(): void {
    again = true
    if (running || signal.aborted) return
    stopTimer()
    running = drain()
      .catch((cause: unknown) => {
        if (!signal.aborted)
          log.error('push failed', { stack: cause instanceof Error ? cause.stack : String(cause) })
        pace.fail()
      })
      .then(sleep)
      .finally(() => {
        running = null
        if (again && pace.pause <= 0) stir()
      })
  }

  /** Sets the clock for the next look. */
  async function sleep(): Promise<void> {
    if (signal.aborted) return
    const retry = await nextRetry(database).catch(() => null)
    if (signal.aborted) return
    const untilRetry = retry === null ? lookEvery : (microsecondsOf(retry) - microsecondsOf(now())) / 1000
    const wait = pace.pause > 0 ? pace.pause : Math.min(lookEvery, untilRetry)
    stopTimer = env.after(Math.max(wait, 1), stir)
  }

  const forget = transactions.onCommit(stir)
  stir()

  return {
    wake() {
      pace.resume()
      stir()
    },
    confirm(nonce, milliseconds) {
      stir()
      return confirmations.of(nonce, milliseconds)
    },
    async stop() {
      stopping.abort()
      forget()
      stopTimer()
      confirmations.stop()
      while (running) await running
      await confirmations.idle()
    },
  }
}

/** Whether the last answer to a fact wanted this node to be loaded anew. */
const wantedRejoin = ({ result }: QueuedFact): boolean => result?.includes('"rejoin":true') ?? false

const hearing = ({ kind }: Telling): 'answered' | 'silent' | 'refused' =>
  kind === 'silent' ? 'silent' : kind === 'refused' ? 'refused' : 'answered'

/** Facts at which everything failed before are told alone, so that they draw no others into it. */
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
  detail: 'It is larger than what may be told at once.',
})
