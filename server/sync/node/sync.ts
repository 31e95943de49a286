import type { LinkStatus } from '../../../schema/station-link.ts'
import type { FactResult } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Clock } from '../clock/clock.ts'
import type { Host } from '../renewal/renewal.ts'
import type { UpstreamPairing } from '../upstream/joining.ts'
import type { Upstream, UpstreamSettings } from '../upstream/upstream.ts'
import type { UpstreamClient } from '../upstream/upstream-client.ts'
import type { LeaseKeeper } from './lease-keeper.ts'

/** What a node's sync is made of. */
export interface SyncParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly host: Host
  /** Where files of this machine are kept, or null where the data is not in a folder. */
  readonly folder: string | null
  readonly softwareVersion: string
  /** The server to join where there is none yet; tried until it works. */
  readonly pairing: UpstreamPairing | null
}

/**
 * A node's dealings with the server upstream of it. There is one on every node; where nobody is upstream, it is idle.
 */
export interface Sync {
  /** The upstream server as it is known now, or null where nobody is upstream. */
  readonly upstream: Upstream | null
  /** Whether the top can be reached from here: `top` where nobody is upstream. What a ping answers. */
  readonly reach: 'top' | 'online' | 'alone'
  /** Whether everything that the top has was here since this program started; null where nobody is upstream. */
  readonly isComplete: boolean | null
  /** Whether there is an upstream server that cannot be reached. */
  readonly isOffline: boolean
  /** Asks the upstream server; null where nobody is upstream. */
  readonly client: UpstreamClient | null
  readonly clock: Clock
  /** What the screens show. */
  status(): Promise<LinkStatus>
  /** Calls back, at most twice a second, when the status has changed. */
  onStatus(listener: (status: LinkStatus) => void): () => void
  /** Settings of confirmation and retention. */
  settings(): Promise<UpstreamSettings>
  saveSettings(settings: UpstreamSettings): Promise<void>
  /** What became upstream of a fact made here, waiting at most some milliseconds; null where that is not known by then. */
  confirm(nonce: string, milliseconds: number): Promise<FactResult | null>
  /** Hears what became of facts upstream. */
  onReported(listener: (results: readonly FactResult[]) => void): () => void
  /** Looks for facts to report now. */
  pushNow(): void
  /** Fetches what is new at once; resolves when it is here, or after some milliseconds. */
  pullNow(milliseconds: number): Promise<void>
  /** Asks for more of what may be sold without asking; whether more came. See Api.askForLeases. */
  provideLeases: LeaseKeeper['provide']
  /** Joins an upstream server, with a one-time token; throws a Refusal that says what to do. */
  join(pairing: UpstreamPairing): Promise<void>
  /** Gives the upstream server up and keeps the data; throws 409 while facts wait, unless `exported`. */
  leave(exported: boolean): Promise<void>
  stop(): Promise<void>
}
