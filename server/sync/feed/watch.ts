import sql from 'sql-template-tag'
import type { Env } from '../../env.ts'
import type { Change, Transactions } from '../../resource/transactions.ts'

/** What has changed since a listener was told last. */
export interface Touched {
  /** Whether something changed in the feed of an event, or with 0 in the organizer's own. */
  has(organizer: number, event: number): boolean
  /** The changes themselves, as far as they were made by this process. */
  readonly changes: readonly Change[]
}

/** Tells of changes to feeds, whoever made them. */
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
export interface Watching {
  within(milliseconds: number, signal: AbortSignal): Promise<boolean>
  end(): void
}

/** How often is looked for changes by other processes. */
const lookEvery = 1000
/** The shortest time between two calls, and what each listener adds to it: asking costs the server about that. */
const atLeast = 20
const perListener = 5
const atMost = 1000

/** How many are told before others have their turn. */
const atATime = 4

const keyOf = (organizer: number, event: number): string => `${organizer}/${event}`

/** Watches the feeds of a database for as long as somebody listens. */
export function watchFeeds(transactions: Transactions, env: Env): FeedWatch {
  const listeners = new Set<(touched: Touched) => void>()
  const whenStopped = new Set<() => void>()
  let feeds = new Set<string>()
  let changes: Change[] = []
  let heads: ReadonlyMap<string, number> = new Map()
  let toldAt = Number.NEGATIVE_INFINITY
  let stopTelling: (() => void) | null = null
  let stopLooking: (() => void) | null = null
  let stopped = false

  function tell(): void {
    stopTelling = null
    toldAt = env.elapsed()
    const [told, made] = [feeds, changes]
    feeds = new Set()
    changes = []
    const touched: Touched = { has: (organizer, event) => told.has(keyOf(organizer, event)), changes: made }
    tellSome([...listeners], touched)
  }

  /** Tells a few at a time: what they do then is not to keep a scan waiting. */
  function tellSome(waiting: readonly ((touched: Touched) => void)[], touched: Touched): void {
    for (const listener of waiting.slice(0, atATime)) if (listeners.has(listener)) listener(touched)
    const rest = waiting.slice(atATime)
    if (rest.length > 0) setImmediate(() => tellSome(rest, touched))
  }

  function tellSoon(): void {
    if (stopTelling || listeners.size === 0) return
    const pause = Math.min(atLeast + perListener * listeners.size, atMost)
    stopTelling = env.after(Math.max(toldAt + pause - env.elapsed(), 0), tell)
  }

  async function look(): Promise<void> {
    const rows = await transactions.database.all<{ organizer: number; event: number; seq: number }>(
      sql`SELECT organizer, event, seq FROM feed`,
    )
    const now = new Map(rows.map(({ organizer, event, seq }) => [keyOf(organizer, event), seq]))
    for (const [key, seq] of now) if (heads.get(key) !== seq) feeds.add(key)
    heads = now
    if (feeds.size > 0) tellSoon()
  }

  function keepLooking(): void {
    if (stopLooking || stopped || listeners.size === 0) return
    stopLooking = env.after(lookEvery, () => {
      // Who asks next looks by itself, so what fails here is only later.
      const looked = look().catch(() => undefined)
      void looked.then(() => {
        stopLooking = null
        keepLooking()
      })
    })
  }

  const unhook = transactions.onCommit((made) => {
    if (listeners.size === 0) return
    for (const { place } of made) feeds.add(keyOf(place.organizer, place.event))
    changes.push(...made)
    tellSoon()
  })

  function listen(listener: (touched: Touched) => void): () => void {
    listeners.add(listener)
    keepLooking()
    return () => {
      listeners.delete(listener)
    }
  }

  return {
    listen,
    watchFor(wanted) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      const forget = listen((touched) => {
        if (wanted(touched)) resolve(true)
      })
      const forgetStop = onStop(() => resolve(false))
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
    },
    get stopped() {
      return stopped
    },
    stop() {
      stopped = true
      unhook()
      stopTelling?.()
      stopLooking?.()
      for (const callback of [...whenStopped]) callback()
      whenStopped.clear()
      listeners.clear()
    },
    onStop,
  }

  function onStop(callback: () => void): () => void {
    if (stopped) callback()
    else whenStopped.add(callback)
    return () => {
      whenStopped.delete(callback)
    }
  }
}
