import sql from 'sql-template-tag'
import type { Loading } from '../../../schema/station-link.ts'
import type { Ping } from '../../../schema/sync.ts'
import type { Env } from '../../env.ts'
import type { Log } from '../../log.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { reconcileConflicts } from '../../services/checkin/conflicts.ts'
import type { Clock } from '../clock/clock.ts'
import { type Host, makeCopy } from '../renewal/renewal.ts'
import { pause } from '../replica/download.ts'
import { askToJoin, joinedRow, lastSiteSeq, needsOtherSite } from '../upstream/joining.ts'
import { type Upstream, writeUpstream } from '../upstream/upstream.ts'
import type { Trouble } from '../upstream/upstream-client.ts'
import type { SyncSession } from './session.ts'

/** What replacing a copy by a new one needs. */
export interface RenewingParts {
  readonly transactions: Transactions
  readonly env: Env
  readonly log: Log
  readonly clock: Clock
  readonly host: Host
  /** The row as it is now, and as it is from now on. */
  readonly upstream: () => Upstream | null
  readonly saw: (row: Upstream) => void
  readonly revoked: () => void
  readonly progress: (loading: Loading | null) => void
  readonly problem: (detail: string | null) => void
}

const longestPause = 60_000

/** Tries to replace the copy by a new one until that is done, which ends this node, or the session is over. */
export async function renewUntilDone(parts: RenewingParts, session: SyncSession): Promise<void> {
  const { env, log } = parts
  const signal = session.ended
  const given: Given = { site: null }
  for (let failures = 0; !signal.aborted; failures += 1) {
    try {
      if (await renewOnce(parts, session, given)) return
    } catch (cause) {
      if (signal.aborted) return
      log.error('new copy failed', { stack: cause instanceof Error ? cause.stack : String(cause) })
      parts.problem(cause instanceof Error ? cause.message : String(cause))
    }
    parts.progress(null)
    await pause(env, Math.min(longestPause, 1000 * 2 ** Math.min(failures, 6)), signal)
  }
}

/** The number that an attempt was given; the next one says it, so that attempts that fail use up no more of them. */
interface Given {
  site: number | null
}

/** One attempt; whether there is nothing left to do. */
async function renewOnce(parts: RenewingParts, session: SyncSession, given: Given): Promise<boolean> {
  const { transactions, env, log, clock, host } = parts
  const { database } = transactions
  const { client, ended: signal } = session
  const before = parts.upstream()
  if (before === null || before.state === 'revoked') return true
  const problem = (trouble: Trouble | null): void => parts.problem(trouble?.detail ?? null)
  // Of its own number an upstream server that has forgotten the other facts would know nothing bad.
  const own = (await needsOtherSite(database, before)) ? 0 : before.site
  const site = given.site === null || given.site === before.site ? own : given.site
  const answer = await askToJoin(client, { ...before, site }, await lastSiteSeq(database, site), signal)
  if (answer.kind === 'revoked' && before.state === 'following') {
    parts.revoked()
    return true
  }
  if (answer.kind !== 'ok') {
    problem(answer)
    return false
  }
  problem(null)
  const joined = answer.body
  given.site = joined.site
  const row = await withPast(transactions, joinedRow(before, joined))
  if (before.state === 'joining') {
    // Which site it has is not asked for again after a restart.
    await transactions.database.transaction((tx) => writeUpstream(tx, row))
    parts.saw(row)
  }
  // Asked before the copy is made: what is complete by then is complete in the copy.
  const ping = await client.get<Ping>('sync/ping/', { within: 10_000, signal })
  if (ping.kind !== 'ok') {
    problem(ping)
    return false
  }
  const copy = await makeCopy(
    {
      env,
      log,
      client,
      host,
      signal,
      now: clock.now,
      reconcile: reconcileConflicts,
      progress: parts.progress,
      problem,
    },
    row,
  )
  try {
    await host.replace({
      next: copy.next,
      since: copy.since,
      keepOwn: before.state !== 'joining' || (await holdsDataOf(transactions, joined.organizer)),
      reportAgain: before.epoch !== null && joined.epoch !== before.epoch,
      mayBeOlder: ping.body.complete === false,
    })
  } catch (cause) {
    await copy.discard()
    throw cause
  }
  return true
}

/** The row of a node that joins, with what it reported to another server before; of any other node as it is. */
async function withPast({ database }: Transactions, row: Upstream): Promise<Upstream> {
  if (row.state !== 'joining') return row
  const outbox = await database.get<{ last: number }>(sql`SELECT coalesce(max(seq), 0) AS last FROM outbox`)
  return { ...row, settings: { ...row.settings, told_before: outbox?.last ?? 0 } }
}

/** Whether a node that joins again has a copy of the same organizer from before, and facts of its own about it. */
async function holdsDataOf(
  { site, database }: Transactions,
  { id, slug }: { readonly id: number; readonly slug: string },
): Promise<boolean> {
  if (site === 0) return false
  return (await database.get(sql`SELECT id FROM organizer WHERE id = ${id} AND slug = ${slug}`)) !== undefined
}
