import type { LinkStatus, Loading } from '../../../schema/station-link.ts'
import type { FactResult } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import { busy, Refusal } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Clock } from '../clock/clock.ts'
import type { Host } from '../renewal/renewal.ts'
import { pause } from '../replica/download.ts'
import { wipe } from '../replica/retention.ts'
import { createInitializer } from '../upstream/initializer.ts'
import type { Pairing } from '../upstream/joining.ts'
import { pairingTrouble } from '../upstream/pairing-trouble.ts'
import {
  readUpstream,
  removeUpstream,
  saveUpstreamSettings,
  type Upstream,
  upstreamDefaults,
  writeUpstream,
} from '../upstream/upstream.ts'
import { startMaintenance } from './maintenance.ts'
import { countAll } from './readiness.ts'
import { renewUntilDone } from './renewing.ts'
import { openSession, type Session } from './session.ts'
import { linkStatus } from './status.ts'
import { createStatusNews } from './status-news.ts'
import type { Sync } from './sync.ts'

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
  /** The server to be let in by where there is none yet; tried until it works. */
  readonly pairing: Pairing | null
}

const longestPause = 60_000

/** Starts what a node has to do with the server upstream of it. */
export async function startSync(parts: SyncParts): Promise<Sync> {
  const { transactions, env, log, clock } = parts
  const { database } = transactions
  let up = (await readUpstream(database)) ?? null
  let session: Session | null = null
  let loading: Loading | null = null
  let problem: string | null = null
  let renewing: Promise<void> | null = null
  let isStopped = false
  const opened = clock.now()
  const pairing = new AbortController()
  const initializer = createInitializer(env, parts.softwareVersion)
  const told = new Set<(results: readonly FactResult[]) => void>()
  const status = (): Promise<LinkStatus> =>
    linkStatus({ database, clock, folder: parts.folder, upstream: up, session, loading, problem, opened })
  const news = createStatusNews(env, status)
  const forgetCommits = transactions.onCommit(() => news.changed())
  const maintenance = startMaintenance({
    transactions,
    env,
    log,
    clock,
    session: () => session,
    upstream: () => up,
    isRenewing: () => renewing !== null,
    renew,
    async reread() {
      up = (await readUpstream(database)) ?? null
      news.changed()
      return up
    },
    halt,
  })

  /** Works with the upstream server for as long as this node knows it. */
  function begin(row: Upstream): void {
    session = openSession(
      {
        transactions,
        env,
        log,
        clock,
        changed: news.changed,
        revoked: noteRevoked,
        needsSnapshot: renew,
        told(results) {
          for (const listener of told) listener(results)
        },
        pushed() {
          news.changed()
          maintenance.wipeIfReported()
        },
      },
      row,
    )
    if (row.state === 'joining') renew('joining')
    maintenance.wipeIfReported()
  }

  function noteRevoked(): void {
    if (!up || up.state === 'wiped' || isStopped) return
    if (up.state !== 'revoked') {
      log.warn('revoked', { device: up.device })
      // Of a server that lets it in no more before it held anything there is nothing to give up.
      if (up.state === 'joining') return
      up = { ...up, state: 'revoked' }
      void session?.stopFollowing()
      news.changed()
    }
    maintenance.wipeIfReported()
  }

  /** Makes a new copy and has it put in place of this one, which ends this node. */
  function renew(reason: string): void {
    if (renewing || isStopped || !session || !up || up.state === 'revoked') return
    log.info('new copy', { reason })
    void session.stopFollowing()
    renewing = renewUntilDone(
      {
        ...parts,
        upstream: () => up,
        saw(row) {
          up = row
        },
        revoked: noteRevoked,
        progress(next) {
          loading = next
          news.changed()
        },
        problem(detail) {
          problem = detail
          news.changed()
        },
      },
      session,
    ).finally(() => {
      renewing = null
      if (loading?.phase !== 'switching') loading = null
      news.changed()
    })
  }

  /** Ends all work with the upstream server. */
  async function halt(): Promise<void> {
    const ended = session
    session = null
    await ended?.end()
    // A copy that is being put in place waits for this node to end, not the other way round.
    if (loading?.phase !== 'switching') await renewing
  }

  async function pairUntilDone(wanted: Pairing): Promise<void> {
    for (let failures = 0; !pairing.signal.aborted && up === null; failures += 1) {
      try {
        await join(wanted)
        return
      } catch (cause) {
        problem = pairingTrouble(cause)
        log.warn('not let in yet', { why: problem })
      }
      await pause(env, Math.min(longestPause, 1000 * 2 ** Math.min(failures, 6)), pairing.signal)
    }
  }

  async function join(wanted: Pairing): Promise<void> {
    if (database.engine !== 'sqlite')
      throw new Refusal(400, { detail: 'A server on PostgreSQL cannot be below another one.' })
    if (up && (up.state === 'following' || up.state === 'revoked'))
      throw busy(`This machine belongs to ${up.url} already. Leave that server first.`)
    const row = await initializer.by(wanted)
    await halt()
    // Stored at once: the token can be used only once.
    await database.transaction((tx) => writeUpstream(tx, row))
    initializer.stored()
    up = row
    problem = null
    if (!isStopped) begin(row)
    news.changed()
  }

  async function leave(exported: boolean): Promise<void> {
    if (up === null) return
    await session?.leases?.giveBack().catch(() => 0)
    const { waiting } = await countAll(database)
    if (waiting > 0 && !exported && up.state !== 'joining')
      throw busy(
        `${waiting} scans and sales still wait to be told to the server. Wait, or export them first.`,
      )
    await halt()
    // A machine whose access was revoked keeps nothing of that server, whoever is quicker.
    if (up.state === 'revoked') await wipe(transactions)
    await database.transaction(removeUpstream)
    up = null
    problem = null
    news.changed()
  }

  if (up) {
    const { pairing: configured } = parts
    if (configured && configured.url !== up.url) {
      up = { ...up, url: configured.url }
      await writeUpstream(database, up)
    }
    if (up.state !== 'wiped') begin(up)
  } else if (parts.pairing) void pairUntilDone(parts.pairing)

  return {
    get upstream() {
      return up
    },
    get reach() {
      return up === null ? 'top' : session?.link.state === 'online' ? 'online' : 'alone'
    },
    get isComplete() {
      return up === null ? null : (session?.isComplete ?? false)
    },
    get isOffline() {
      return up !== null && (session === null || session.link.state === 'alone')
    },
    get client() {
      return session?.client ?? null
    },
    clock,
    status,
    onStatus: news.listen,
    async settings() {
      return (await readUpstream(database))?.settings ?? upstreamDefaults
    },
    async saveSettings(settings) {
      await database.transaction((tx) => saveUpstreamSettings(tx, settings))
      if (up) up = { ...up, settings }
      news.changed()
    },
    confirm: (nonce, milliseconds) => session?.push?.confirm(nonce, milliseconds) ?? Promise.resolve(null),
    onReported(listener) {
      told.add(listener)
      return () => told.delete(listener)
    },
    pushNow: () => session?.push?.wake(),
    pullNow: (milliseconds) => session?.pull?.settled(milliseconds) ?? Promise.resolve(),
    provideLeases: (place, needs) => session?.leases?.provide(place, needs) ?? Promise.resolve(false),
    join,
    leave,
    async stop() {
      isStopped = true
      pairing.abort()
      news.stop()
      forgetCommits()
      await halt()
      await maintenance.stop()
    },
  }
}
