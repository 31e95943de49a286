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
export interface LinkParts {
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
export function startLink({ env, log, clock, client }: LinkParts): Link {
  const listeners = new Set<() => void>()
  const stopping = new AbortController()
  let state: LinkState = 'alone'
  let since = clock.now()
  let trouble: Trouble | null = null
  let ping: Ping | null = null
  let against: { state: LinkState; times: number } | null = null
  let isFirst = true
  let cancel = (): void => {}
  let running: Promise<void> | undefined

  const tell = (): void => {
    for (const listener of listeners) listener()
  }

  function saw(next: LinkState): void {
    if (next === state) against = null
    else {
      against =
        against?.state === next ? { state: next, times: against.times + 1 } : { state: next, times: 1 }
      if (isFirst || against.times >= needed) {
        log.info('link', { from: state, to: next, why: trouble?.kind })
        state = next
        since = clock.now()
        against = null
      }
    }
    isFirst = false
    tell()
  }

  async function once(): Promise<void> {
    const jump = clock.jumped()
    if (jump !== 0) log.warn('clock jumped', { milliseconds: jump })
    const sent = env.now()
    const answer = await client.get<Ping>('sync/ping/', { within, signal: stopping.signal })
    if (stopping.signal.aborted) return
    if (answer.kind === 'ok') {
      const { received, sent: answered } = answer.body
      clock.observe({
        sent,
        received: Date.parse(received),
        answered: Date.parse(answered),
        arrived: env.now(),
      })
      ping = answer.body
      trouble = null
      saw(answer.body.upstream === 'alone' ? 'hub only' : 'online')
    } else {
      trouble = answer
      // Who refuses us by name is there: that is no reason to look for the network.
      saw('alone')
    }
  }

  function schedule(): void {
    const [chance = 0] = env.randomBytes(1)
    const wait = against === null ? every : soon
    cancel = env.after(wait + ((chance - 128) / 128) * Math.min(jitter, wait / 2), () => void probe())
  }

  function probe(): Promise<void> {
    cancel()
    running ??= once().finally(() => {
      running = undefined
      if (!stopping.signal.aborted) schedule()
    })
    return running
  }

  void probe()
  return {
    get state() {
      return state
    },
    get since() {
      return since
    },
    get trouble() {
      return trouble
    },
    get ping() {
      return ping
    },
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    probe,
    stop() {
      stopping.abort()
      cancel()
      listeners.clear()
    },
  }
}
