import type { Env } from '../env.ts'
import type { Log } from '../log.ts'
import { forTrace } from '../trace.ts'

/** What looking for work has found. */
export interface Claimed<Item> {
  readonly items: readonly Item[]
  /** Whether there may be more as soon as there is room for it. */
  readonly more: boolean
  /** Milliseconds until something else is due, where that is known. */
  readonly next?: number | undefined
}

/** What a worker does, and how often. */
export interface WorkerParts<Item> {
  readonly env: Env
  readonly log: Log
  /** What its work is called in the log. */
  readonly job: string
  /** Milliseconds after which it looks for work though nobody woke it: other programs may have left some. */
  readonly every: number
  /** How many items are worked on at once. */
  readonly atOnce: number
  /** Whether it also claims when it has no room: what it finds waits for its turn. */
  readonly claimsAhead?: boolean
  /** Is done before it looks for work for the first time, and again until it succeeds. */
  begin?(): Promise<void>
  /** Is done for what is being worked on whenever it looks for work: says that this goes on. */
  renew?(item: Item): Promise<void>
  /** Takes what is due; of what others could take as well, no more than there is room for. */
  claim(room: number): Promise<Claimed<Item>>
  /** Works on an item. Everything claimed comes here, also at the end: then it gives back what it does not begin. */
  work(item: Item, signal: AbortSignal): Promise<void>
  /** What the log says about an item whose work failed. */
  describe?(item: Item): Readonly<Record<string, unknown>>
}

/** Milliseconds between attempts that fail: twice as long each time, up to the worker's usual time. */
const firstPause = 1000

/**
 * Claims work and does it for as long as the server runs: some items at once, again as long as there are more, and
 * whenever it is woken. An item that fails keeps no other one from its work, but makes the worker claim more slowly.
 */
export class Worker<Item> {
  readonly #parts: WorkerParts<Item>
  readonly #stopping = new AbortController()
  readonly #queue: Item[] = []
  readonly #current = new Map<Promise<void>, Item>()
  #hasBegun = false
  #looking: Promise<void> | null = null
  #isWoken = false
  #hasMore = false
  #isPaused = false
  #failures = 0
  #looksAt = Number.POSITIVE_INFINITY
  #cancelTimer = (): void => {}

  /** Begins to work at once. */
  constructor(parts: WorkerParts<Item>) {
    this.#parts = parts
    this.wake()
  }

  /** Ends with the worker. */
  get signal(): AbortSignal {
    return this.#stopping.signal
  }

  /** How many items wait for their turn. */
  get waiting(): number {
    return this.#queue.length
  }

  /** Hands over an item that needs not be claimed. */
  add(item: Item): void {
    this.#queue.push(item)
    // A request may have woken it, but its work is for all of them.
    forTrace(undefined, () => this.#beginWaiting())
  }

  /** Has it look for work now; while it looks, once more after that. */
  wake(): void {
    if (this.signal.aborted) return
    this.#isWoken = true
    if (this.#looking) return
    this.#looking = forTrace(undefined, () => this.#lookWhileWoken()).finally(() => {
      this.#looking = null
      if (this.#isWoken) this.wake()
    })
  }

  /** Has it look for work after some milliseconds, or before that. */
  wakeWithin(milliseconds: number): void {
    const at = this.#parts.env.elapsed() + milliseconds
    if (this.signal.aborted || at >= this.#looksAt) return
    this.#cancelTimer()
    this.#looksAt = at
    this.#cancelTimer = this.#parts.env.after(Math.max(1, milliseconds), () => this.wake())
  }

  /** Claims no more, and resolves once everything claimed was finished or given back. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#cancelTimer()
    while (this.#looking || this.#current.size > 0)
      await Promise.all([this.#looking, ...this.#current.keys()])
  }

  async #lookWhileWoken(): Promise<void> {
    while (this.#isWoken && !this.signal.aborted) {
      this.#isWoken = false
      this.#isPaused = false
      this.#cancelTimer()
      this.#looksAt = Number.POSITIVE_INFINITY
      try {
        await this.#look()
      } catch (cause) {
        this.#fail(cause)
      }
    }
    this.#isWoken = false
  }

  async #look(): Promise<void> {
    const parts = this.#parts
    if (!this.#hasBegun) await parts.begin?.()
    this.#hasBegun = true
    await Promise.all([...this.#current.values()].map(async (item) => parts.renew?.(item)))
    const room = Math.max(0, parts.atOnce - this.#current.size - this.#queue.length)
    this.#hasMore = true
    if (room === 0 && !parts.claimsAhead) {
      this.#wait(parts.every)
      return
    }
    const { items, more, next = parts.every } = await parts.claim(room)
    this.#hasMore = more
    if (items.length === 0) this.#failures = 0
    for (const item of items) this.add(item)
    this.#wakeForMore()
    this.#wait(Math.min(next, parts.every))
  }

  /** Sleeps until the next look; where there is no room and nothing to renew, the end of the work ends it. */
  #wait(milliseconds: number): void {
    if (this.#hasRoom || this.#parts.claimsAhead || this.#parts.renew) this.wakeWithin(milliseconds)
    else this.#hasMore = true
  }

  #beginWaiting(): void {
    while (this.#current.size < this.#parts.atOnce) {
      const item = this.#queue.shift()
      if (item === undefined) return
      const done: Promise<void> = this.#work(item).finally(() => {
        this.#current.delete(done)
        this.#beginWaiting()
        this.#wakeForMore()
      })
      this.#current.set(done, item)
    }
  }

  async #work(item: Item): Promise<void> {
    try {
      await this.#parts.work(item, this.signal)
      this.#failures = 0
    } catch (cause) {
      this.#fail(cause, this.#parts.describe?.(item))
    }
  }

  #wakeForMore(): void {
    if (this.#hasMore && this.#hasRoom && !this.#isPaused) this.wake()
  }

  get #hasRoom(): boolean {
    return this.#current.size + this.#queue.length < this.#parts.atOnce
  }

  #fail(cause: unknown, facts: Readonly<Record<string, unknown>> = {}): void {
    const { log, job, every } = this.#parts
    log.error('job failed', { job, ...facts, stack: cause instanceof Error ? cause.stack : String(cause) })
    const pause = Math.min(every, firstPause * 2 ** Math.min(this.#failures, 20))
    this.#failures += 1
    this.#isPaused = true
    this.wakeWithin(pause)
  }
}
