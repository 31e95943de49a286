import type { Loading } from '../../../schema/station-link.ts'
import type { Changes } from '../../../schema/sync.ts'
import { type Env, instantOf } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Database } from '../../storage/database.ts'
import { type ApplyParts, applyChanges } from '../replica/apply-changes.ts'
import { downloadSnapshot, pause } from '../replica/download.ts'
import type { ReplicaIdentity, SnapshotLoad } from '../replica/load-snapshot.ts'
import { type Upstream, writeUpstream } from '../upstream/upstream.ts'
import type { Trouble, UpstreamClient } from '../upstream/upstream-client.ts'
import type { CarryPlan } from './swap.ts'

/** A database beside the one in use, into which a new copy is made. */
export interface NextCopy {
  readonly load: SnapshotLoad
  /** Opens it once it is loaded. */
  open(): Promise<Database>
  /** Throws it away. */
  discard(): Promise<void>
}

/** What a new copy is to replace the one in use with. */
export interface Replacement extends CarryPlan {
  readonly next: Transactions
  /** Whether what is in use was a copy of the same organizer: then what was decided here goes over. */
  readonly keepOwn: boolean
}

/** What a node's sync can ask of the program around it. */
export interface Host {
  /** Begins a database beside the one in use; `gently` where stations are scanning meanwhile. */
  beginCopy(identity: ReplicaIdentity, gently: boolean): Promise<NextCopy>
  openTransactions(database: Database): Promise<Transactions>
  /** Puts a new copy in place of the one in use, between two requests; this node is closed by it. */
  replace(replacement: Replacement): Promise<void>
}

/** What making a new copy needs. */
interface RenewalParts {
  readonly env: Env
  readonly log: Log
  readonly client: UpstreamClient
  readonly host: Host
  readonly signal: AbortSignal
  readonly now: () => number
  readonly reconcile: ApplyParts['reconcile']
  readonly progress: (loading: Loading) => void
  readonly problem: (trouble: Trouble | null) => void
}

/** A new copy that is up to date and not in use yet. */
interface FreshCopy {
  readonly next: Transactions
  readonly since: string
  discard(): Promise<void>
}

/**
 * Makes a new copy of everything that the upstream server gives to this node, and follows the changes until there are
 * no more. Throws when it cannot be finished; what was begun is thrown away then.
 */
export async function makeCopy(parts: RenewalParts, up: Upstream): Promise<FreshCopy> {
  const { env, log, host, signal } = parts
  const since = instantOf(parts.now())
  const copy = await host.beginCopy(
    { organizer: up.organizer, site: up.site, siteEnd: up.siteEnd, epoch: env.uuid() },
    up.state !== 'joining',
  )
  try {
    const head = await downloadSnapshot({ ...parts, load: copy.load })
    const { total } = head
    const begun = env.elapsed()
    const showPart = (part: number): void => {
      const took = (env.elapsed() - begun) / 1000
      const seconds_left = part > 0 && took > 0.5 ? Math.ceil((took * (1 - part)) / part) : null
      parts.progress({ phase: 'catching up', rows: Math.floor(part * total), total, seconds_left })
    }
    showPart(0)
    await copy.load.finish(showPart)
    const database = await copy.open()
    const { epoch, cursor } = head
    // A new copy holds everybody again; who must not stay is removed from it once it is in use.
    const settings = { ...up.settings, forgotten: [] }
    await database.transaction((tx) =>
      writeUpstream(tx, { ...up, settings, state: 'following', epoch, cursor, lastData: since }),
    )
    const next = await host.openTransactions(database)
    await catchUp(parts, up, next, { cursor, epoch })
    const dangling = await copy.load.countDangling()
    if (dangling > 0) log.warn('rows point at nothing', { count: dangling })
    await copy.load.close()
    parts.progress({ phase: 'switching', rows: total, total, seconds_left: 0 })
    signal.throwIfAborted()
    return { next, since, discard: () => copy.discard() }
  } catch (cause) {
    await copy.load.close().catch(() => undefined)
    await copy.discard().catch((second: unknown) => log.warn('copy left behind', { why: String(second) }))
    throw cause
  }
}

async function catchUp(
  parts: RenewalParts,
  up: Upstream,
  next: Transactions,
  from: { readonly cursor: string; readonly epoch: string },
): Promise<void> {
  const { client, env, log, signal } = parts
  const apply: ApplyParts = {
    transactions: next,
    env,
    log,
    organizer: up.organizer,
    device: up.device,
    reconcile: parts.reconcile,
    forgotten: new Set(),
  }
  let { cursor } = from
  for (let failures = 0; ; ) {
    const requested = instantOf(parts.now())
    const answer = await client.get<Changes>(
      `sync/changes/?after=${encodeURIComponent(cursor)}&wait=0&limit=2000`,
      { within: 30_000, signal },
    )
    signal.throwIfAborted()
    if (answer.kind !== 'ok') {
      parts.problem(answer)
      failures += 1
      if (answer.kind === 'gone' || answer.kind === 'revoked' || failures > 20) throw new Error(answer.detail)
      await pause(env, Math.min(10_000, 250 * 2 ** failures), signal)
      continue
    }
    failures = 0
    parts.problem(null)
    if (answer.body.epoch !== from.epoch) throw new Error('The upstream server has begun anew meanwhile.')
    if (answer.body.cursor !== cursor && !(await applyChanges(apply, answer.body, requested)))
      throw new Error('The changes contradict the snapshot.')
    cursor = answer.body.cursor
    if (!answer.body.more) return
  }
}
