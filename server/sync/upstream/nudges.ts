import type { Env } from '../../env.ts'
import type { Link } from './link.ts'
import type { UpstreamClient } from './upstream-client.ts'

/** The stream by which the upstream server says that there is something new. */
export interface Nudges {
  /** Whether the stream brings something, if only its signs of life. */
  readonly alive: boolean
  readonly ended: Promise<void>
  stop(): void
}

interface NudgeParts {
  readonly env: Env
  readonly client: UpstreamClient
  readonly link: Link
  readonly nudge: () => void
}

/** Without a sign of life for so long the stream is dead; milliseconds. */
const silence = 40_000

const again = 3000

/** Proxies that keep a stream to themselves do so always: then it is tried seldom. */
const seldom = 120_000

/** Listens until it is stopped. */
export function listenForNudges({ env, client, link, nudge }: NudgeParts): Nudges {
  const stopping = new AbortController()
  const { signal } = stopping
  let alive = false
  let wakeUp = (): void => {}

  const rest = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const cancel = env.after(milliseconds, () => wakeUp())
      wakeUp = () => {
        wakeUp = () => {}
        cancel()
        resolve()
      }
      if (signal.aborted) wakeUp()
    })

  /** Whether the stream ever brought anything. */
  async function listen(): Promise<boolean> {
    const answer = await client.stream('sync/live/', { within: silence, signal })
    if (answer.kind !== 'ok') return false
    let heard = false
    const decoder = new TextDecoder()
    let rest = ''
    try {
      for await (const chunk of answer.chunks) {
        if (!heard) {
          heard = true
          alive = true
          // What happened before the stream was open has made no nudge.
          nudge()
        }
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
        rest = lines.pop() ?? ''
        if (lines.some((line) => line.startsWith('data:'))) nudge()
      }
    } catch {
      // Cut off: it is opened again.
    }
    return heard
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      const heard = link.state === 'alone' ? true : await listen()
      const wasAlive = alive
      alive = false
      // Whoever relied on the stream has to ask again.
      if (wasAlive && !signal.aborted) nudge()
      if (!signal.aborted) await rest(heard ? again : seldom)
    }
  }

  let wasOffline = link.state === 'alone'
  const forget = link.onChange(() => {
    const isOffline = link.state === 'alone'
    if (wasOffline && !isOffline) wakeUp()
    wasOffline = isOffline
  })
  return {
    get alive() {
      return alive
    },
    ended: run().catch(() => undefined),
    stop() {
      stopping.abort()
      forget()
      wakeUp()
    },
  }
}
