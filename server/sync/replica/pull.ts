import type { Changes } from '../../../schema/sync.ts'
import type { Clock } from '../clock/clock.ts'
import type { Link } from '../upstream/link.ts'
import { listenForNudges, type Nudges } from '../upstream/nudges.ts'
import { saveDataAge, type Upstream } from '../upstream/upstream.ts'
import type { Answered, Trouble, UpstreamClient } from '../upstream/upstream-client.ts'
import { type ApplyParts, applyChanges } from './apply-changes.ts'
import { dropUnconfirmed, unconfirmedConflicts } from './found-conflicts.ts'
import { shredCopies } from './shred-copies.ts'

/** What following the upstream server needs. */
interface PullParts extends ApplyParts {
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
export const startPull = (parts: PullParts): Pull => new Following(parts)

class Following implements Pull {
  readonly #parts: PullParts
  readonly #stopping = new AbortController()
  readonly #nudges: Nudges
  readonly #waiting = new Set<() => void>()
  readonly #stopListening: () => void
  readonly #running: Promise<void>
  #cursor: string | null
  #limit = 500
  #completeAt: number | null = null
  #failures = 0
  /** When the age of the data was noted last. */
  #noted: number
  /** How often somebody wanted to know what is new, and up to which time that was answered. */
  #asked = 0
  #answered = 0
  #wakeUp = (): void => {}
  /** The question that the upstream server holds. */
  #question: AbortController | null = null
  #wasOffline: boolean

  constructor(parts: PullParts) {
    const { env, client, link, upstream } = parts
    this.#parts = parts
    this.#cursor = upstream.cursor
    this.#noted = env.elapsed()
    this.#nudges = listenForNudges({ env, client, link, nudge: () => this.nudge() })
    this.#wasOffline = link.state === 'alone'
    this.#stopListening = link.onChange(() => this.#noteLink())
    this.#running = this.#follow()
  }

  get completeAt(): number | null {
    return this.#completeAt
  }

  nudge(): void {
    this.#asked += 1
    // A question that the upstream server holds was asked before whatever happened now: it is asked anew.
    this.#question?.abort()
    this.#wakeUp()
  }

  settled(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        if (this.#answered < goal && !this.#signal.aborted) return
        cancel()
        this.#waiting.delete(done)
        resolve()
      }
      this.nudge()
      const goal = this.#asked
      this.#waiting.add(done)
      const cancel = this.#parts.env.after(milliseconds, () => {
        this.#waiting.delete(done)
        resolve()
      })
    })
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#question?.abort()
    this.#stopListening()
    this.#nudges.stop()
    this.#wakeUp()
    for (const resolve of this.#waiting) resolve()
    await this.#running
    await this.#nudges.ended
  }

  get #signal(): AbortSignal {
    return this.#stopping.signal
  }

  #noteLink(): void {
    const { link, clock } = this.#parts
    const isOffline = link.state === 'alone'
    if (this.#wasOffline && !isOffline) this.nudge()
    this.#wasOffline = isOffline
    const isUpToDate = this.#completeAt !== null && this.#nudges.alive && this.#answered >= this.#asked
    if (!isOffline && isUpToDate) this.#completeAt = clock.now()
  }

  async #follow(): Promise<void> {
    while (!this.#signal.aborted)
      try {
        await this.#once()
      } catch (cause) {
        if (this.#signal.aborted) return
        const stack = cause instanceof Error ? cause.stack : String(cause)
        this.#parts.log.error('pull failed', { stack })
        await this.#rest(this.#fail())
      }
  }

  async #once(): Promise<void> {
    const outcome = await this.#ask()
    if (this.#signal.aborted || outcome === 'more') return
    if (outcome === 'all') {
      this.#failures = 0
      // Where nudges come, there is nothing to do until the next one; elsewhere the next question waits upstream.
      if (this.#nudges.alive) await this.#rest(safety)
      return
    }
    if (outcome.kind === 'gone' || outcome.kind === 'revoked') {
      if (outcome.kind === 'gone') this.#parts.needsSnapshot(outcome.detail)
      else this.#parts.revoked()
      this.#stopping.abort()
      return
    }
    const [chance = 0] = this.#parts.env.randomBytes(1)
    const asksFor = 'retryAfter' in outcome ? (outcome.retryAfter ?? 0) : 0
    await this.#rest(Math.max(asksFor, this.#fail() * (1 - chance / 512)))
  }

  /** Notes a failure; how long to pause after it. */
  #fail(): number {
    this.#failures += 1
    this.#answered = this.#asked
    return Math.min(longestPause, 500 * 2 ** Math.min(this.#failures, 8))
  }

  /** Asks for changes and applies them. */
  async #ask(): Promise<'more' | 'all' | Trouble> {
    const { transactions, organizer, clock } = this.#parts
    const unconfirmed = await unconfirmedConflicts(transactions.database, organizer)
    const number = this.#asked
    const requested = clock.instant()
    const answer = await this.#askForPage()
    if (answer === 'hurried') return 'more'
    if (answer.kind !== 'ok') return answer
    const trouble = await this.#apply(answer.body, requested)
    if (trouble) return trouble
    if (answer.body.more) return 'more'
    if (unconfirmed.length > 0) await dropUnconfirmed(transactions, organizer, unconfirmed)
    await shredCopies(transactions, organizer, answer.body.shredded ?? [])
    this.#completeAt = clock.now()
    this.#answered = Math.max(this.#answered, number)
    for (const resolve of this.#waiting) resolve()
    this.#parts.changed()
    return 'all'
  }

  /** A page of changes, for which the upstream server may wait; `hurried` where that was broken off to ask anew. */
  async #askForPage(): Promise<Answered<Changes> | 'hurried'> {
    const { client, upstream } = this.#parts
    const isHurried = this.#asked > this.#answered || this.#completeAt === null || this.#nudges.alive
    const wait = isHurried ? 0 : patience
    const question = wait > 0 ? new AbortController() : null
    this.#question = question
    const signal = question ? AbortSignal.any([this.#signal, question.signal]) : this.#signal
    const epoch = upstream.epoch === null ? '' : `&epoch=${encodeURIComponent(upstream.epoch)}`
    const answer = await client.get<Changes>(
      `sync/changes/?after=${encodeURIComponent(this.#cursor ?? '')}&wait=${wait}&limit=${this.#limit}${epoch}`,
      { within: wait * 1000 + 20_000, signal },
    )
    this.#question = null
    return answer.kind !== 'ok' && question?.signal.aborted ? 'hurried' : answer
  }

  /** Applies a page that was asked for at a moment; why it cannot be applied. */
  async #apply(page: Changes, requested: string): Promise<Trouble | null> {
    const { env, upstream, transactions } = this.#parts
    if (upstream.epoch !== null && page.epoch !== upstream.epoch)
      return { kind: 'gone', detail: 'The central server or hub was restored from a backup.' }
    const begun = env.elapsed()
    if (page.cursor !== this.#cursor) {
      if (!(await applyChanges(this.#parts, page, requested)))
        return { kind: 'gone', detail: 'The changes contradict what is here.' }
      this.#cursor = page.cursor
      this.#noted = env.elapsed()
    } else if (env.elapsed() - this.#noted >= noteEvery) {
      await transactions.database.transaction((tx) => saveDataAge(tx, requested))
      this.#noted = env.elapsed()
    }
    const isSlow = env.elapsed() - begun > pageTime
    this.#limit = isSlow ? Math.max(fewestRows, this.#limit >> 1) : Math.min(mostRows, this.#limit * 2)
    return null
  }

  /** Waits until there is a reason to go on, or some milliseconds. */
  #rest(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      if (this.#signal.aborted || this.#asked > this.#answered) return resolve()
      const cancel = this.#parts.env.after(milliseconds, () => this.#wakeUp())
      this.#wakeUp = () => {
        this.#wakeUp = () => {}
        cancel()
        resolve()
      }
    })
  }
}
