import type { FactResult } from '../../schema/sync.ts'
import type { Env } from '../env.ts'
import type { Sync } from '../sync/node/sync.ts'
import type { UpstreamSettings } from '../sync/upstream/upstream.ts'
import { timeLimit } from '../sync/upstream/upstream-client.ts'
import type { UpstreamAnswer } from './upstream-answer.ts'

/** How long a station waits for the server upstream, and on which lists it has the last word. */
export type ConfirmSettings = Pick<
  UpstreamSettings,
  'confirm_ms' | 'strict_lists' | 'strict_wait_ms' | 'strict_fallback'
>

/** The server upstream of a station, as far as somebody at the door waits for it. */
export interface UpstreamLink {
  /** Upstream cannot be reached, as far as is known: there is no sense in waiting. */
  readonly isOffline: boolean
  settings(): Promise<ConfirmSettings>
  /** What became of a fact upstream, or null when that is not known within some milliseconds. */
  confirm(nonce: string, milliseconds: number): Promise<Omit<FactResult, 'nonce'> | null>
  /** Has a scan decided upstream; null when nobody who can do so has answered, which may take long. */
  redeem(body: Readonly<Record<string, unknown>>): Promise<UpstreamAnswer | null>
}

/** So long an answer is listened for: one that comes too late for the door still says what has to be undone. */
const listenFor = 30_000

/** The server that a node follows, or null where there is none. */
export function upstreamLink(sync: Sync | undefined, env: Env): UpstreamLink | null {
  const client = sync?.client
  if (!sync || !client || sync.upstream === null) return null
  return {
    get isOffline() {
      return sync.isOffline
    },
    settings: () => sync.settings(),
    confirm: (nonce, milliseconds) => sync.confirm(nonce, milliseconds),
    async redeem(body) {
      const limit = timeLimit(env, { within: listenFor })
      try {
        const answer = await client.ask('checkinrpc/redeem/?expand=item&expand=variation&expand=subevent', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
          signal: limit.signal,
        })
        return readUpstreamAnswer(answer.status, await answer.json())
      } catch {
        return null
      } finally {
        limit.end()
      }
    },
  }
}

const statuses: ReadonlySet<unknown> = new Set(['ok', 'incomplete', 'error'])

/** An answer to a scan, or null for anything else, such as the login page of a wireless network. */
export function readUpstreamAnswer(status: number, body: unknown): UpstreamAnswer | null {
  const isAnswer = status === 200 || status === 201 || status === 400 || status === 404
  if (!isAnswer || typeof body !== 'object' || body === null || !('status' in body)) return null
  return statuses.has(body.status) ? (body as UpstreamAnswer) : null
}
