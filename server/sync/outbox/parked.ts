import sql, { empty } from 'sql-template-tag'
import { instantAt, microsecondsOf, shownInstant } from '../../../schema/instants.ts'
import type { QueueState, ShownFact } from '../../../schema/station-link.ts'
import type { FactResult } from '../../../schema/sync.ts'
import { payloadOf } from '../../resource/facts.ts'
import type { Queryable } from '../../storage/database.ts'
import { describeFact, topicOf } from './describe-fact.ts'
import type { QueuedFact } from './outbox.ts'

function shown(fact: QueuedFact): ShownFact {
  const { nonce, kind, state, attempts, reason, retry_at } = fact
  const result: Partial<FactResult> = JSON.parse(fact.result ?? '{}')
  const described = { kind, payload: payloadOf(fact.payload) }
  const at = instantAt(microsecondsOf(fact.device_time) + (fact.clock_offset ?? 0) * 1000)
  return {
    nonce,
    kind,
    state,
    at: shownInstant(at),
    text: describeFact(described),
    ...topicOf(described),
    attempts,
    reason,
    detail: result.detail ?? null,
    retry_at: retry_at === null ? null : shownInstant(retry_at),
  }
}

/**
 * Part of the outbox as users see it, what is waiting in its order and the rest newest first, and how much there is.
 */
export async function shownFacts(
  db: Queryable,
  state: QueueState | null,
  { offset, size }: { readonly offset: number; readonly size: number },
): Promise<{ count: number; results: ShownFact[] }> {
  const which = state === null ? empty : sql` WHERE state = ${state}`
  const order = state === 'waiting' ? sql`seq` : sql`seq DESC`
  const total = await db.get<{ count: number }>(sql`SELECT count(*) AS count FROM outbox${which}`)
  const rows = await db.all<QueuedFact>(
    sql`SELECT * FROM outbox${which} ORDER BY ${order} LIMIT ${size} OFFSET ${offset}`,
  )
  return { count: total?.count ?? 0, results: rows.map(shown) }
}
