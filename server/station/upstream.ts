import type { FactResult } from '../../schema/sync.ts'
import type { Env } from '../env.ts'
import type { Sync } from '../sync/node/sync.ts'
import type { UpstreamSettings } from '../sync/upstream/upstream.ts'
import { timeLimit } from '../sync/upstream/upstream-client.ts'
import type { Ruling } from './upstream-ruling.ts'

/** How a station waits for the server above. */
export type Patience = Pick<
  UpstreamSettings,
  'confirm_ms' | 'strict_lists' | 'strict_wait_ms' | 'strict_fallback'
>

/** The server above a station, as far as somebody at the door waits for it. */
export interface Above {
  /** Nobody above can be reached, as far as is known: there is no sense in waiting. */
  readonly isAlone: boolean
  patience(): Promise<Patience>
  /** What became of a fact above, or null when that is not known within some milliseconds. */
  confirm(nonce: string, milliseconds: number): Promise<Omit<FactResult, 'nonce'> | null>
  /** Has a scan decided above; null when nobody who can do so has answered, which may take long. */
  redeem(body: Readonly<Record<string, unknown>>): Promise<Ruling | null>
}

/** So long an answer is listened for: one that comes too late for the door still says what has to be undone. */
const listenFor = 30_000

/** The server above that a node follows, or null where there is none. */
export function aboveOf(sync: Sync | undefined, env: Env): Above | null {
  const client = sync?.client
  if (!sync || !client || sync.upstream === null) return null
  return {
    get isAlone() {
      return sync.isAlone
    },
    patience: () => sync.settings(),
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
        return readRuling(answer.status, await answer.json())
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
export function readRuling(status: number, body: unknown): Ruling | null {
  const isAnswer = status === 200 || status === 201 || status === 400 || status === 404
  if (!isAnswer || typeof body !== 'object' || body === null || !('status' in body)) return null
  return statuses.has(body.status) ? (body as Ruling) : null
}
