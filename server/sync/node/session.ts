import type { FactResult } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { reconcileConflicts } from '../../services/checkin/conflicts.ts'
import type { Clock } from '../clock/clock.ts'
import { askKnownUpstream, type KnownUpstream } from '../outbox/known-upstream.ts'
import { type PushLoop, startPush } from '../outbox/push.ts'
import { type Pull, startPull } from '../replica/pull.ts'
import { clientOf } from '../upstream/joining.ts'
import { type Link, startLink } from '../upstream/link.ts'
import { saveOutdated, type Upstream } from '../upstream/upstream.ts'
import type { UpstreamClient } from '../upstream/upstream-client.ts'
import { type LeaseKeeper, startLeases } from './lease-keeper.ts'

/** What a session needs, and whom it tells. */
interface SessionParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  /** Something that the screens show may have changed. */
  readonly changed: () => void
  /** The upstream server knows this device as revoked. */
  readonly revoked: () => void
  /** Only a new copy helps, for this reason. */
  readonly needsSnapshot: (reason: string) => void
  /** What became of facts upstream. */
  readonly reported: (results: readonly FactResult[]) => void
  /** Facts may all have been reported. */
  readonly pushed: () => void
}

/** Everything that goes on between a node and the server upstream of it. */
export interface SyncSession {
  readonly client: UpstreamClient
  readonly link: Link
  /** Follows the upstream server; null while nothing is to be followed. */
  readonly pull: Pull | null
  /** Reports what happens here; null for a node that holds nothing yet. */
  readonly push: PushLoop | null
  readonly leases: LeaseKeeper | null
  /** Whether everything that the top has was here since the session began. */
  readonly isComplete: boolean
  /** Aborted when the session ends. */
  readonly ended: AbortSignal
  /**
   * Asks whether the upstream server still knows what it has acknowledged; what it has forgotten is to be reported
   * again.
   */
  knownUpstream(): Promise<KnownUpstream>
  /** Follows no more; what happens here is still reported. */
  stopFollowing(): Promise<void>
  /** Follows with other settings. */
  follow(row: Upstream): Promise<void>
  end(): Promise<void>
}

const wantedUpstream = 'the upstream server wants it'

/** Why a new copy is needed after asking what is known upstream. */
const reasons = {
  forgotten: 'the upstream server has forgotten what was reported to it',
  older: 'the data here is older than what was reported to the upstream server',
  copied: wantedUpstream,
} as const

/** Begins to work with the upstream server, as far as its row says that this is possible. */
export const openSession = (parts: SessionParts, row: Upstream): SyncSession =>
  new UpstreamSession(parts, row)

class UpstreamSession implements SyncSession {
  readonly client: UpstreamClient
  readonly link: Link
  readonly push: PushLoop | null
  readonly leases: LeaseKeeper | null
  readonly #parts: SessionParts
  readonly #row: Upstream
  readonly #ending = new AbortController()
  #pull: Pull | null
  /** The start of the upstream program that was asked what it still knows. */
  #asked: string | null = null
  #asking: Promise<void> | null = null
  #wasOffline = true

  constructor(parts: SessionParts, row: Upstream) {
    const { transactions, env, log, clock } = parts
    this.#parts = parts
    this.#row = row
    const client = clientOf(env, row)
    this.client = client
    // What was known at an earlier start holds unless the machine's clock has gone back behind it.
    if (row.clockOffset !== null && Date.parse(row.lastContact ?? '') <= env.now() + row.clockOffset)
      clock.recall({ offset: row.clockOffset, uncertainty: row.clockUncertainty })
    const link = startLink({ env, log, clock, client })
    this.link = link
    this.push = row.state === 'joining' ? null : this.#startPush()
    const isFollowing = row.state === 'following'
    this.#pull = isFollowing ? this.#startPull(row) : null
    this.leases = isFollowing ? startLeases({ transactions, env, log, client, link }) : null
    link.onChange(() => this.#noteLink())
  }

  get ended(): AbortSignal {
    return this.#ending.signal
  }

  get pull(): Pull | null {
    return this.#pull
  }

  get isComplete(): boolean {
    const { ping } = this.link
    return this.#pull !== null && this.#pull.completeAt !== null && ping !== null && ping.complete !== false
  }

  knownUpstream(): Promise<KnownUpstream> {
    const { database } = this.#parts.transactions
    return askKnownUpstream({ database, client: this.client, upstream: this.#row, signal: this.ended })
  }

  async stopFollowing(): Promise<void> {
    const stopped = this.#pull
    this.#pull = null
    await stopped?.stop()
  }

  async follow(next: Upstream): Promise<void> {
    await this.stopFollowing()
    if (!this.ended.aborted) this.#pull = this.#startPull(next)
  }

  async end(): Promise<void> {
    this.#ending.abort()
    this.link.stop()
    await Promise.all([this.stopFollowing(), this.push?.stop(), this.leases?.stop(), this.#asking])
  }

  #startPull(row: Upstream): Pull {
    return startPull({
      ...this.#parts,
      client: this.client,
      link: this.link,
      upstream: row,
      organizer: row.organizer,
      device: row.device,
      reconcile: reconcileConflicts,
      forgotten: new Set(row.settings.forgotten),
    })
  }

  #startPush(): PushLoop {
    const { transactions, env, log, clock, reported, pushed } = this.#parts
    return startPush({
      transactions,
      env,
      log,
      ask: this.client.ask,
      stamp: clock.stamp,
      reported,
      rejoin: () => void this.#noteOutdated(wantedUpstream),
      changed: pushed,
    })
  }

  #noteLink(): void {
    const { ping, trouble, state } = this.link
    const { epoch } = this.#row
    if (trouble?.kind === 'revoked') this.#parts.revoked()
    else if (ping && epoch !== null && ping.epoch !== epoch)
      this.#parts.needsSnapshot('another epoch upstream')
    else if (ping?.boot !== undefined && trouble === null) this.#askOnce(ping.boot)
    if (this.#wasOffline && state !== 'alone') this.push?.wake()
    this.#wasOffline = state === 'alone'
    this.#parts.changed()
  }

  /** Asks an upstream program that has started anew whether it still knows what was reported to it. */
  #askOnce(boot: string): void {
    if (this.#asking || this.#asked === boot || this.#row.state !== 'following') return
    this.#asking = this.knownUpstream()
      .then((known) => this.#noteKnown(known, boot))
      .catch((cause: unknown) => {
        if (!this.ended.aborted)
          this.#parts.log.warn('not asked what is known upstream', { why: String(cause) })
      })
      .finally(() => {
        this.#asking = null
      })
  }

  async #noteKnown(known: KnownUpstream, boot: string): Promise<void> {
    if (this.ended.aborted || known === 'unasked' || known === 'refused') return
    this.#asked = boot
    if (known === 'same') return
    this.push?.wake()
    if (known === 'forgotten') this.#parts.needsSnapshot(reasons[known])
    else await this.#noteOutdated(reasons[known])
  }

  /** Facts of this node's site exist that it does not know of: nothing more is sold from its leases. */
  async #noteOutdated(reason: string): Promise<void> {
    const { transactions, log, needsSnapshot } = this.#parts
    try {
      await transactions.database.transaction(saveOutdated)
    } catch (cause) {
      log.error('leases not disowned', { stack: cause instanceof Error ? cause.stack : String(cause) })
    }
    needsSnapshot(reason)
  }
}
