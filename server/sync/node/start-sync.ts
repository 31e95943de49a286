import type { LinkStatus, Loading } from '../../../schema/station-link.ts'
import type { FactResult } from '../../../schema/sync.ts'
import type { Clock } from '../clock/clock.ts'
import type { UpstreamPairing } from '../upstream/joining.ts'
import {
  readUpstream,
  saveUpstreamSettings,
  type Upstream,
  type UpstreamSettings,
  upstreamDefaults,
  writeUpstream,
} from '../upstream/upstream.ts'
import type { UpstreamClient } from '../upstream/upstream-client.ts'
import { type Maintenance, startMaintenance } from './maintenance.ts'
import { membershipOf, type NodeMembership } from './membership.ts'
import { type RenewingParts, renewUntilDone } from './renewing.ts'
import { openSession, type SyncSession } from './session.ts'
import { linkStatus } from './status.ts'
import { createStatusNews, type StatusNews } from './status-news.ts'
import type { Sync, SyncParts } from './sync.ts'

/** Starts what a node has to do with the server upstream of it. */
export async function startSync(parts: SyncParts): Promise<Sync> {
  const node = new NodeSync(parts, (await readUpstream(parts.transactions.database)) ?? null)
  await node.start()
  return node
}

class NodeSync implements Sync {
  readonly clock: Clock
  readonly #parts: SyncParts
  readonly #news: StatusNews
  readonly #maintenance: Maintenance
  readonly #membership: NodeMembership
  readonly #opened: number
  readonly #stopping = new AbortController()
  readonly #listeners = new Set<(results: readonly FactResult[]) => void>()
  readonly #stopListening: () => void
  #up: Upstream | null
  #session: SyncSession | null = null
  #loading: Loading | null = null
  #problem: string | null = null
  #renewing: Promise<void> | null = null

  constructor(parts: SyncParts, up: Upstream | null) {
    this.#parts = parts
    this.clock = parts.clock
    this.#up = up
    this.#opened = parts.clock.now()
    this.#news = createStatusNews(parts.env, () => this.status())
    this.#stopListening = parts.transactions.onCommit(() => this.#news.changed())
    this.#maintenance = startMaintenance({
      ...parts,
      session: () => this.#session,
      upstream: () => this.#up,
      isRenewing: () => this.#renewing !== null,
      renew: (reason) => this.#renew(reason),
      reread: () => this.#reread(),
      halt: () => this.#halt(),
    })
    this.#membership = membershipOf(parts, {
      upstream: () => this.#up,
      session: () => this.#session,
      adopt: (row) => this.#adopt(row),
      report: (problem) => {
        this.#problem = problem
      },
      halt: () => this.#halt(),
    })
  }

  /** Goes on with the upstream server that this node knows, or looks for one. */
  async start(): Promise<void> {
    const { pairing, transactions } = this.#parts
    if (this.#up === null && pairing) void this.#membership.joinUntilDone(pairing, this.#stopping.signal)
    if (this.#up === null) return
    if (pairing && pairing.url !== this.#up.url) {
      this.#up = { ...this.#up, url: pairing.url }
      await writeUpstream(transactions.database, this.#up)
    }
    if (this.#up.state !== 'wiped') this.#begin(this.#up)
  }

  get upstream(): Upstream | null {
    return this.#up
  }

  get reach(): 'top' | 'online' | 'alone' {
    if (this.#up === null) return 'top'
    return this.#session?.link.state === 'online' ? 'online' : 'alone'
  }

  get isComplete(): boolean | null {
    return this.#up === null ? null : (this.#session?.isComplete ?? false)
  }

  get isOffline(): boolean {
    return this.#up !== null && (this.#session === null || this.#session.link.state === 'alone')
  }

  get client(): UpstreamClient | null {
    return this.#session?.client ?? null
  }

  status(): Promise<LinkStatus> {
    const { clock, folder, transactions } = this.#parts
    return linkStatus({
      ...{ database: transactions.database, clock, folder, upstream: this.#up, opened: this.#opened },
      ...{ session: this.#session, loading: this.#loading, problem: this.#problem },
    })
  }

  onStatus(listener: (status: LinkStatus) => void): () => void {
    return this.#news.listen(listener)
  }

  async settings(): Promise<UpstreamSettings> {
    return (await readUpstream(this.#parts.transactions.database))?.settings ?? upstreamDefaults
  }

  async saveSettings(settings: UpstreamSettings): Promise<void> {
    await this.#parts.transactions.database.transaction((tx) => saveUpstreamSettings(tx, settings))
    if (this.#up) this.#up = { ...this.#up, settings }
    this.#news.changed()
  }

  confirm(nonce: string, milliseconds: number): Promise<FactResult | null> {
    return this.#session?.push?.confirm(nonce, milliseconds) ?? Promise.resolve(null)
  }

  onReported(listener: (results: readonly FactResult[]) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  pushNow(): void {
    this.#session?.push?.wake()
  }

  pullNow(milliseconds: number): Promise<void> {
    return this.#session?.pull?.settled(milliseconds) ?? Promise.resolve()
  }

  provideLeases(...[place, needs]: Parameters<Sync['provideLeases']>): Promise<boolean> {
    return this.#session?.leases?.provide(place, needs) ?? Promise.resolve(false)
  }

  join(pairing: UpstreamPairing): Promise<void> {
    return this.#membership.join(pairing)
  }

  leave(exported: boolean): Promise<void> {
    return this.#membership.leave(exported)
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#news.stop()
    this.#stopListening()
    await this.#halt()
    await this.#maintenance.stop()
  }

  #adopt(row: Upstream | null): void {
    this.#up = row
    this.#problem = null
    if (row && !this.#stopping.signal.aborted) this.#begin(row)
    this.#news.changed()
  }

  /** Works with the upstream server for as long as this node knows it. */
  #begin(row: Upstream): void {
    this.#session = openSession(
      {
        ...this.#parts,
        changed: () => this.#news.changed(),
        revoked: () => this.#noteRevoked(),
        needsSnapshot: (reason) => this.#renew(reason),
        reported: (results) => {
          for (const listener of this.#listeners) listener(results)
        },
        pushed: () => {
          this.#news.changed()
          this.#maintenance.wipeIfReported()
        },
      },
      row,
    )
    if (row.state === 'joining') this.#renew('joining')
    this.#maintenance.wipeIfReported()
  }

  async #reread(): Promise<Upstream | null> {
    this.#up = (await readUpstream(this.#parts.transactions.database)) ?? null
    this.#news.changed()
    return this.#up
  }

  #noteRevoked(): void {
    const up = this.#up
    if (!up || up.state === 'wiped' || this.#stopping.signal.aborted) return
    if (up.state !== 'revoked') {
      this.#parts.log.warn('revoked', { device: up.device })
      // Of a server that lets it in no more before it held anything there is nothing to give up.
      if (up.state === 'joining') return
      this.#up = { ...up, state: 'revoked' }
      void this.#session?.stopFollowing()
      this.#news.changed()
    }
    this.#maintenance.wipeIfReported()
  }

  /** Makes a new copy and has it put in place of this one, which ends this node. */
  #renew(reason: string): void {
    const session = this.#session
    if (
      this.#renewing ||
      this.#stopping.signal.aborted ||
      !session ||
      !this.#up ||
      this.#up.state === 'revoked'
    )
      return
    this.#parts.log.info('new copy', { reason })
    void session.stopFollowing()
    const renewing: RenewingParts = {
      ...this.#parts,
      upstream: () => this.#up,
      saw: (row) => {
        this.#up = row
      },
      revoked: () => this.#noteRevoked(),
      progress: (next) => this.#noteLoading(next),
      problem: (detail) => {
        this.#problem = detail
        this.#news.changed()
      },
    }
    this.#renewing = renewUntilDone(renewing, session).finally(() => {
      this.#renewing = null
      this.#noteLoading(this.#loading?.phase === 'switching' ? this.#loading : null)
    })
  }

  #noteLoading(loading: Loading | null): void {
    this.#loading = loading
    this.#news.changed()
  }

  /** Ends all work with the upstream server. */
  async #halt(): Promise<void> {
    const ended = this.#session
    this.#session = null
    await ended?.end()
    // A copy that is being put in place waits for this node to end, not the other way round.
    if (this.#loading?.phase !== 'switching') await this.#renewing
  }
}
