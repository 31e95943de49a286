import sql from 'sql-template-tag'
import type { Env } from '../../env.ts'
import type { Change, Transactions } from '../../resource/transactions.ts'

/** What has changed since a listener was woken last. */
export interface Touched {
  /** Whether something changed in the feed of an event, or with 0 in the organizer's own. */
  has(organizer: number, event: number): boolean
  /** The changes themselves, as far as they were made by this process. */
  readonly changes: readonly Change[]
}

/** Reports changes to feeds, whoever made them. */
export interface FeedWatch {
  /** Calls back soon after changes; the more listen, the more changes share a call. The result takes it back. */
  listen(listener: (touched: Touched) => void): () => void
  /** Waits for a change that is looked for, at most some milliseconds; false when none came. */
  watchFor(wanted: (touched: Touched) => boolean): Watching
  /** Lets all that wait go, for good. */
  stop(): void
  readonly stopped: boolean
  /** Calls back when all are let go. */
  onStop(callback: () => void): () => void
}

/** A look-out that is kept from the moment it was asked for. */
interface Watching {
  within(milliseconds: number, signal: AbortSignal): Promise<boolean>
  end(): void
}

/** How often is looked for changes by other processes. */
const lookEvery = 1000
/** The shortest time between two calls, and what each listener adds to it: asking costs the server about that. */
const atLeast = 20
const perListener = 5
const atMost = 1000

/** How many are woken before others have their turn. */
const atATime = 4

const keyOf = (organizer: number, event: number): string => `${organizer}/${event}`

/** Watches the feeds of a database for as long as somebody listens. */
export const watchFeeds = (transactions: Transactions, env: Env): FeedWatch =>
  new DatabaseWatch(transactions, env)

class DatabaseWatch implements FeedWatch {
  readonly #transactions: Transactions
  readonly #env: Env
  readonly #listeners = new Set<(touched: Touched) => void>()
  readonly #whenStopped = new Set<() => void>()
  readonly #unhook: () => void
  #feeds = new Set<string>()
  #changes: Change[] = []
  #heads: ReadonlyMap<string, number> = new Map()
  #calledAt = Number.NEGATIVE_INFINITY
  #cancelCall: (() => void) | null = null
  #cancelLook: (() => void) | null = null
  #isStopped = false

  constructor(transactions: Transactions, env: Env) {
    this.#transactions = transactions
    this.#env = env
    this.#unhook = transactions.onCommit((made) => {
      if (this.#listeners.size === 0) return
      for (const { place } of made) this.#feeds.add(keyOf(place.organizer, place.event))
      this.#changes.push(...made)
      this.#callSoon()
    })
  }

  get stopped(): boolean {
    return this.#isStopped
  }

  listen(listener: (touched: Touched) => void): () => void {
    this.#listeners.add(listener)
    this.#keepLooking()
    return () => {
      this.#listeners.delete(listener)
    }
  }

  watchFor(wanted: (touched: Touched) => boolean): Watching {
    const env = this.#env
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const forget = this.listen((touched) => {
      if (wanted(touched)) resolve(true)
    })
    const forgetStop = this.onStop(() => resolve(false))
    return {
      async within(milliseconds, signal) {
        const giveUp = (): void => resolve(false)
        const cancel = env.after(milliseconds, giveUp)
        signal.addEventListener('abort', giveUp, { once: true })
        if (signal.aborted) giveUp()
        const came = await promise
        cancel()
        signal.removeEventListener('abort', giveUp)
        return came
      },
      end() {
        forget()
        forgetStop()
      },
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#unhook()
    this.#cancelCall?.()
    this.#cancelLook?.()
    for (const callback of [...this.#whenStopped]) callback()
    this.#whenStopped.clear()
    this.#listeners.clear()
  }

  onStop(callback: () => void): () => void {
    if (this.#isStopped) callback()
    else this.#whenStopped.add(callback)
    return () => {
      this.#whenStopped.delete(callback)
    }
  }

  #callSoon(): void {
    if (this.#cancelCall || this.#listeners.size === 0) return
    const pause = Math.min(atLeast + perListener * this.#listeners.size, atMost)
    const left = Math.max(this.#calledAt + pause - this.#env.elapsed(), 0)
    this.#cancelCall = this.#env.after(left, () => this.#call())
  }

  #call(): void {
    this.#cancelCall = null
    this.#calledAt = this.#env.elapsed()
    const [feeds, changes] = [this.#feeds, this.#changes]
    this.#feeds = new Set()
    this.#changes = []
    const touched: Touched = { has: (organizer, event) => feeds.has(keyOf(organizer, event)), changes }
    this.#callSome([...this.#listeners], touched)
  }

  /** Calls a few at a time: what they do then is not to keep a scan waiting. */
  #callSome(waiting: readonly ((touched: Touched) => void)[], touched: Touched): void {
    for (const listener of waiting.slice(0, atATime)) if (this.#listeners.has(listener)) listener(touched)
    const rest = waiting.slice(atATime)
    if (rest.length > 0) setImmediate(() => this.#callSome(rest, touched))
  }

  #keepLooking(): void {
    if (this.#cancelLook || this.#isStopped || this.#listeners.size === 0) return
    this.#cancelLook = this.#env.after(lookEvery, () => {
      // Who asks next looks by itself, so what fails here is only later.
      const looked = this.#look().catch(() => undefined)
      void looked.then(() => {
        this.#cancelLook = null
        this.#keepLooking()
      })
    })
  }

  async #look(): Promise<void> {
    const rows = await this.#transactions.database.all<{ organizer: number; event: number; seq: number }>(
      sql`SELECT organizer, event, seq FROM feed`,
    )
    const now = new Map(rows.map(({ organizer, event, seq }) => [keyOf(organizer, event), seq]))
    for (const [key, seq] of now) if (this.#heads.get(key) !== seq) this.#feeds.add(key)
    this.#heads = now
    if (this.#feeds.size > 0) this.#callSoon()
  }
}
