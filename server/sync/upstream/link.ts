import type { LinkState } from '../../../schema/station-link.ts'
import type { Ping } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Clock } from '../clock/clock.ts'
import type { Trouble, UpstreamClient } from './upstream-client.ts'

/** Knows whether the upstream server can be reached. */
export interface Link {
  readonly state: LinkState
  /** When it became so: milliseconds since 1970, corrected. */
  readonly since: number
  /** Why the last probe failed, or null. */
  readonly trouble: Trouble | null
  /** The last answer, or null. */
  readonly ping: Ping | null
  /** Calls back on every change of the state, and with every answer. */
  onChange(listener: () => void): () => void
  /** Probes at once, for instance because the network has just come back. */
  probe(): Promise<void>
  stop(): void
}

/** What a link needs. */
interface LinkParts {
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly client: UpstreamClient
}

const every = 3000
const soon = 700
const jitter = 600
const within = 2500
/** How many probes in a row must say otherwise before the state changes. */
const needed = 2

/** Probes the upstream server for as long as it is not stopped; at first the state is `alone`. */
export const startLink = (parts: LinkParts): Link => new ProbedLink(parts)

class ProbedLink implements Link {
  readonly #parts: LinkParts
  readonly #listeners = new Set<() => void>()
  readonly #stopping = new AbortController()
  #state: LinkState = 'alone'
  #since: number
  #trouble: Trouble | null = null
  #ping: Ping | null = null
  /** Which other state was seen, and in how many probes in a row. */
  #against: { readonly state: LinkState; readonly times: number } | null = null
  #isFirst = true
  #cancel = (): void => {}
  #running: Promise<void> | undefined

  constructor(parts: LinkParts) {
    this.#parts = parts
    this.#since = parts.clock.now()
    void this.probe()
  }

  get state(): LinkState {
    return this.#state
  }

  get since(): number {
    return this.#since
  }

  get trouble(): Trouble | null {
    return this.#trouble
  }

  get ping(): Ping | null {
    return this.#ping
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  probe(): Promise<void> {
    this.#cancel()
    this.#running ??= this.#once().finally(() => {
      this.#running = undefined
      if (!this.#stopping.signal.aborted) this.#schedule()
    })
    return this.#running
  }

  stop(): void {
    this.#stopping.abort()
    this.#cancel()
    this.#listeners.clear()
  }

  #schedule(): void {
    const { env } = this.#parts
    const [chance = 0] = env.randomBytes(1)
    const wait = this.#against === null ? every : soon
    const delay = wait + ((chance - 128) / 128) * Math.min(jitter, wait / 2)
    this.#cancel = env.after(delay, () => void this.probe())
  }

  async #once(): Promise<void> {
    const { env, log, clock, client } = this.#parts
    const { signal } = this.#stopping
    const jump = clock.jumped()
    if (jump !== 0) log.warn('clock jumped', { milliseconds: jump })
    const sent = env.now()
    const answer = await client.get<Ping>('sync/ping/', { within, signal })
    if (signal.aborted) return
    if (answer.kind === 'ok') {
      this.#observe(answer.body, sent)
      this.#ping = answer.body
      this.#trouble = null
      this.#saw(answer.body.upstream === 'alone' ? 'hub only' : 'online')
    } else {
      this.#trouble = answer
      // Who refuses us by name is there: that is no reason to look for the network.
      this.#saw('alone')
    }
  }

  /** Sets the clock by an answer to what was sent at a time. */
  #observe(ping: Ping, sent: number): void {
    const { env, clock } = this.#parts
    clock.observe({
      sent,
      received: Date.parse(ping.received),
      answered: Date.parse(ping.sent),
      arrived: env.now(),
    })
  }

  #saw(next: LinkState): void {
    if (next === this.#state) this.#against = null
    else {
      const times = this.#against?.state === next ? this.#against.times + 1 : 1
      this.#against = { state: next, times }
      if (this.#isFirst || times >= needed) this.#change(next)
    }
    this.#isFirst = false
    for (const listener of this.#listeners) listener()
  }

  #change(next: LinkState): void {
    const { log, clock } = this.#parts
    log.info('link', { from: this.#state, to: next, why: this.#trouble?.kind })
    this.#state = next
    this.#since = clock.now()
    this.#against = null
  }
}
