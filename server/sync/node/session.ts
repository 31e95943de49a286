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
import type { Upstream } from '../upstream/upstream.ts'
import type { UpstreamClient } from '../upstream/upstream-client.ts'
import { type LeaseKeeper, startLeases } from './lease-keeper.ts'

/** What a session needs, and whom it tells. */
export interface SessionParts {
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
  /** Facts may all have been told. */
  readonly pushed: () => void
}

/** Everything that goes on between a node and the server upstream of it. */
export interface Session {
  readonly client: UpstreamClient
  readonly link: Link
  /** Follows the upstream server; null while nothing is to be followed. */
  readonly pull: Pull | null
  /** Tells of what happens here; null for a node that holds nothing yet. */
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
  /** Follows no more; what happens here is still told. */
  stopFollowing(): Promise<void>
  /** Follows with other settings. */
  follow(row: Upstream): Promise<void>
  end(): Promise<void>
}

const wantedUpstream = 'the server above wants it'

/** Why a new copy is needed after asking what is known upstream. */
const reasons = {
  forgotten: 'the server above has forgotten what it was told',
  older: 'the data here is older than what the server above was told',
  copied: wantedUpstream,
} as const

/** Begins to work with the upstream server, as far as its row says that this is possible. */
export function openSession(parts: SessionParts, row: Upstream): Session {
  const { transactions, env, log, clock } = parts
  const ending = new AbortController()
  const client = clientOf(env, row)
  // What was known at an earlier start holds unless the machine's clock has gone back behind it.
  if (row.clockOffset !== null && Date.parse(row.lastContact ?? '') <= env.now() + row.clockOffset)
    clock.recall({ offset: row.clockOffset, uncertainty: row.clockUncertainty })
  const link = startLink({ env, log, clock, client })
  const holdsData = row.state !== 'joining'
  const push = holdsData ? pushing() : null
  let pull = row.state === 'following' ? pulling(row) : null
  const leases = row.state === 'following' ? startLeases({ transactions, env, log, client, link }) : null

  function pulling(row: Upstream): Pull {
    return startPull({
      ...parts,
      client,
      link,
      upstream: row,
      organizer: row.organizer,
      device: row.device,
      reconcile: reconcileConflicts,
      forgotten: new Set(row.settings.forgotten),
    })
  }

  function pushing(): PushLoop {
    return startPush({
      transactions,
      env,
      log,
      ask: client.ask,
      stamp: clock.stamp,
      reported: parts.reported,
      rejoin: () => parts.needsSnapshot(wantedUpstream),
      changed: parts.pushed,
    })
  }

  const knownUpstream = (): Promise<KnownUpstream> =>
    askKnownUpstream({ database: transactions.database, client, upstream: row, signal: ending.signal })

  /** The start of the upstream program that was asked what it still knows. */
  let asked: string | null = null
  let asking: Promise<void> | null = null

  /** Asks an upstream program that has started anew whether it still knows what it was told. */
  function askOnce(boot: string): void {
    if (asking || asked === boot || row.state !== 'following') return
    asking = knownUpstream()
      .then((known) => {
        if (ending.signal.aborted || known === 'unasked' || known === 'refused') return
        asked = boot
        if (known === 'same') return
        push?.wake()
        parts.needsSnapshot(reasons[known])
      })
      .catch((cause: unknown) => {
        if (!ending.signal.aborted) log.warn('not asked what is known above', { why: String(cause) })
      })
      .finally(() => {
        asking = null
      })
  }

  let wasOffline = true
  link.onChange(() => {
    if (link.trouble?.kind === 'revoked') parts.revoked()
    else if (link.ping && row.epoch !== null && link.ping.epoch !== row.epoch)
      parts.needsSnapshot('another epoch above')
    else if (link.ping?.boot !== undefined && link.trouble === null) askOnce(link.ping.boot)
    if (wasOffline && link.state !== 'alone') push?.wake()
    wasOffline = link.state === 'alone'
    parts.changed()
  })

  async function stopFollowing(): Promise<void> {
    const stopped = pull
    pull = null
    await stopped?.stop()
  }

  return {
    client,
    link,
    push,
    leases,
    ended: ending.signal,
    get pull() {
      return pull
    },
    get isComplete() {
      return pull !== null && pull.completeAt !== null && link.ping !== null && link.ping.complete !== false
    },
    knownUpstream,
    stopFollowing,
    async follow(next) {
      await stopFollowing()
      if (!ending.signal.aborted) pull = pulling(next)
    },
    async end() {
      ending.abort()
      link.stop()
      await Promise.all([stopFollowing(), push?.stop(), leases?.stop(), asking])
    },
  }
}
