import sql from 'sql-template-tag'
import { factsPerPush, type Known, type KnownAsked } from '../../../schema/sync.ts'
import type { Database } from '../../storage/database.ts'
import { lastSiteSeq, needsOtherSite } from '../upstream/joining.ts'
import type { Upstream } from '../upstream/upstream.ts'
import type { UpstreamClient } from '../upstream/upstream-client.ts'
import { reportAgain } from './outbox.ts'

/** What asking needs. */
interface KnownUpstreamParts {
  readonly database: Database
  readonly client: UpstreamClient
  readonly upstream: Upstream
  readonly signal: AbortSignal
}

/**
 * What came of asking: the upstream server knows what it has acknowledged, it has forgotten some of it, it knows more
 * of this node than the node itself, it has said before that this node is to join anew, it tells this device nothing,
 * or it could not be asked.
 */
export type KnownUpstream = 'same' | 'forgotten' | 'older' | 'copied' | 'refused' | 'unasked'

const within = 15_000

/**
 * Asks the upstream server which of the facts that it has acknowledged it still knows, and has the others reported
 * again: its disk may have been put back to an older image without anybody saying so. Asked for by their nonces, since
 * what was reported in between would hide that numbers are missing.
 */
export async function askKnownUpstream(parts: KnownUpstreamParts): Promise<KnownUpstream> {
  const { database, client, upstream, signal } = parts
  let forgotten = 0
  for (let after = upstream.settings.told_before; ; ) {
    const facts = await database.all<{ seq: number; nonce: string }>(
      sql`SELECT seq, nonce FROM outbox
          WHERE state = 'done' AND seq > ${after} AND organizer = ${upstream.organizer}
          ORDER BY seq LIMIT ${factsPerPush}`,
    )
    const body: KnownAsked = { site: upstream.site, nonces: facts.map(({ nonce }) => nonce) }
    const answer = await client.post<Known>('sync/known/', body, { within, signal })
    if (answer.kind === 'revoked' || answer.kind === 'unknown') return 'refused'
    if (signal.aborted || answer.kind !== 'ok') return 'unasked'
    const { unknown, newest } = answer.body
    if (unknown.length > 0) forgotten += await database.transaction((tx) => reportAgain(tx, unknown))
    // Read after the answer: what has happened here in between may be known upstream already.
    if (newest > (await lastSiteSeq(database, upstream.site))) return 'older'
    const last = facts.at(-1)
    if (!last || facts.length < factsPerPush) {
      if (forgotten > 0) return 'forgotten'
      return (await needsOtherSite(database, upstream)) ? 'copied' : 'same'
    }
    after = last.seq
  }
}
