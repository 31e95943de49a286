import type { Changes } from '../../../schema/sync.ts'
import type { Clock } from '../clock/clock.ts'
import type { Link } from '../upstream/link.ts'
import { listenForNudges } from '../upstream/nudges.ts'
import { saveDataAge, type Upstream } from '../upstream/upstream.ts'
import type { Trouble, UpstreamClient } from '../upstream/upstream-client.ts'
import { type ApplyParts, applyChanges } from './apply-changes.ts'
import { dropUnconfirmed, unconfirmedConflicts } from './found-conflicts.ts'

/** What following the upstream server needs. */
export interface PullParts extends ApplyParts {
  readonly clock: Clock
  readonly client: UpstreamClient
  readonly link: Link
  readonly upstream: Upstream
  /** The copy cannot be brought up to date: a new one is needed, for this reason. */
  readonly needsSnapshot: (reason: string) => void
  /** The upstream server knows this device as revoked. */
  readonly revoked: () => void
  /** Something that the screens show has changed. */
  readonly changed: () => void
}

/** Keeps the copy up to date. */
export interface Pull {
  /** When the copy was last known to hold everything, in milliseconds of the clock; null for not yet. */
  readonly completeAt: number | null
  /** Looks for changes at once. */
  nudge(): void
  /** Resolves once everything is here that was upstream when this was called, or after some milliseconds. */
  settled(milliseconds: number): Promise<void>
  stop(): Promise<void>
}

/** Seconds that the upstream server holds a question about changes until there are some. */
const patience = 20

/** How often is asked while nudges come, in case one was lost; milliseconds. */
const safety = 30_000

/** How often it is noted that there was nothing new: a signed ticket from before that is no new sale; milliseconds. */
const noteEvery = 20_000

const longestPause = 15_000
const mostRows = 2000
const fewestRows = 100

/** A page that takes this long to apply is as long as pages shall be; milliseconds. */
const pageTime = 40

/** Follows the upstream server until it is stopped. */
export function startPull(parts: PullParts): Pull {
  const { env, log, clock, client, link, upstream } = parts
  const stopping = new AbortController()
  const { signal } = stopping
  let cursor = upstream.cursor
  let limit = 500
  let completeAt: number | null = null
  let failures = 0
  let noted = env.elapsed()
  let asked = 0
  let answered = 0
  let wakeUp = (): void => {}
  let question: AbortController | null = null
  const waiting = new Set<() => void>()

  const epoch = upstream.epoch === null ? '' : `&epoch=${encodeURIComponent(upstream.epoch)}`
  const nudges = listenForNudges({ env, client, link, nudge })

  /** Waits until there is a reason to go on, or some milliseconds. */
  const rest = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted || asked > answered) return resolve()
      const cancel = env.after(milliseconds, () => wakeUp())
      wakeUp = () => {
        wakeUp = () => {}
        cancel()
        resolve()
      }
    })

  function nudge(): void {
    asked += 1
    // A question that the upstream server holds was asked before whatever happened now: it is asked anew.
    question?.abort()
    wakeUp()
  }

  async function ask(): Promise<'more' | 'all' | Trouble> {
    const unconfirmed = await unconfirmedConflicts(parts.transactions.database, parts.organizer)
    const number = asked
    const hurried = number > answered || completeAt === null || nudges.alive
    const wait = hurried ? 0 : patience
    const requested = clock.instant()
    question = wait > 0 ? new AbortController() : null
    const abort = question ? AbortSignal.any([signal, question.signal]) : signal
    const answer = await client.get<Changes>(
      `sync/changes/?after=${encodeURIComponent(cursor ?? '')}&wait=${wait}&limit=${limit}${epoch}`,
      { within: wait * 1000 + 20_000, signal: abort },
    )
    const wasHurried = question?.signal.aborted ?? false
    question = null
    if (answer.kind !== 'ok') return wasHurried ? 'more' : answer
    const page = answer.body
    if (upstream.epoch !== null && page.epoch !== upstream.epoch)
      return { kind: 'gone', detail: 'The server above was restored from a backup.' }
    const begun = env.elapsed()
    if (page.cursor !== cursor) {
      if (!(await applyChanges(parts, page, requested)))
        return { kind: 'gone', detail: 'The changes contradict what is here.' }
      cursor = page.cursor
      noted = env.elapsed()
    } else if (env.elapsed() - noted >= noteEvery) {
      await parts.transactions.database.transaction((tx) => saveDataAge(tx, requested))
      noted = env.elapsed()
    }
    const took = env.elapsed() - begun
    limit = took > pageTime ? Math.max(fewestRows, limit >> 1) : Math.min(mostRows, limit * 2)
    if (page.more) return 'more'
    if (unconfirmed.length > 0) await dropUnconfirmed(parts.transactions, parts.organizer, unconfirmed)
    completeAt = clock.now()
    answered = Math.max(answered, number)
    for (const resolve of waiting) resolve()
    parts.changed()
    return 'all'
  }

  async function once(): Promise<void> {
    const outcome = await ask()
    if (signal.aborted) return
    if (outcome === 'more') return
    if (outcome === 'all') {
      failures = 0
      // Where nudges come, there is nothing to do until the next one; elsewhere the next question waits above.
      if (nudges.alive) await rest(safety)
      return
    }
    if (outcome.kind === 'gone') {
      parts.needsSnapshot(outcome.detail)
      stopping.abort()
      return
    }
    if (outcome.kind === 'revoked') {
      parts.revoked()
      stopping.abort()
      return
    }
    failures += 1
    answered = asked
    const [chance = 0] = env.randomBytes(1)
    const asksFor = 'retryAfter' in outcome ? (outcome.retryAfter ?? 0) : 0
    const pause = Math.min(longestPause, 500 * 2 ** Math.min(failures, 8)) * (1 - chance / 512)
    await rest(Math.max(asksFor, pause))
  }

  async function follow(): Promise<void> {
    while (!signal.aborted)
      try {
        await once()
      } catch (cause) {
        if (signal.aborted) return
        log.error('pull failed', { stack: cause instanceof Error ? cause.stack : String(cause) })
        failures += 1
        answered = asked
        await rest(Math.min(longestPause, 500 * 2 ** Math.min(failures, 8)))
      }
  }

  let wasOffline = link.state === 'alone'
  const forget = link.onChange(() => {
    const isOffline = link.state === 'alone'
    if (wasOffline && !isOffline) nudge()
    wasOffline = isOffline
    if (!isOffline && completeAt !== null && nudges.alive && answered >= asked) completeAt = clock.now()
  })
  const running = follow()

  return {
    get completeAt() {
      return completeAt
    },
    nudge,
    settled: (milliseconds) =>
      new Promise((resolve) => {
        const done = (): void => {
          if (answered < goal && !signal.aborted) return
          cancel()
          waiting.delete(done)
          resolve()
        }
        nudge()
        const goal = asked
        waiting.add(done)
        const cancel = env.after(milliseconds, () => {
          waiting.delete(done)
          resolve()
        })
      }),
    async stop() {
      stopping.abort()
      question?.abort()
      forget()
      nudges.stop()
      wakeUp()
      for (const resolve of waiting) resolve()
      await running
      await nudges.ended
    },
  }
}
