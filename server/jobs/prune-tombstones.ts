import sql, { join } from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../schema/instants.ts'
import type { Transactions } from '../resource/transactions.ts'
import { isHere } from '../storage/moved-organizers.ts'

/** How long deletions are remembered at least: a station that was away for longer is loaded anew. */
const days = 90
const oneDay = 86_400e6

const atOnce = 500

interface Marked {
  readonly organizer: number
  readonly event: number
  readonly mark_seq: number
}

/**
 * Forgets deletions that are older than ninety days; the number forgotten. Feeds do not say when something happened, so
 * each gets a mark of where it is: what is before the mark once that is ninety days old, is older than it.
 */
export async function pruneTombstones({ database }: Transactions, now: string): Promise<number> {
  const old = instantAt(microsecondsOf(now) - days * oneDay)
  const unmarked = await database.get(sql`SELECT 1 AS one FROM feed WHERE mark_at IS NULL LIMIT 1`)
  if (unmarked)
    await database.run(sql`UPDATE feed SET mark_seq = seq, mark_at = ${now} WHERE mark_at IS NULL`)
  const due = await database.all<Marked>(
    sql`SELECT organizer, event, mark_seq FROM feed WHERE mark_at <= ${old} AND ${isHere(sql`organizer`)} ORDER BY organizer, event`,
  )
  let pruned = 0
  for (const feed of due) {
    const { organizer, event, mark_seq } = feed
    // Said first: whoever asks from before the mark meanwhile hears that something is missing.
    await database.run(
      sql`UPDATE feed SET pruned = ${mark_seq}, mark_seq = seq, mark_at = ${now} WHERE organizer = ${organizer} AND event = ${event}`,
    )
    pruned += await forget({ database }, feed)
  }
  return pruned
}

/** Deletes the marks of deletions, a few at a time so that nobody waits. */
async function forget(
  { database }: Pick<Transactions, 'database'>,
  { organizer, event, mark_seq }: Marked,
): Promise<number> {
  for (let count = 0; ; ) {
    const found = await database.all<{ seq: number }>(
      sql`SELECT seq FROM change WHERE organizer = ${organizer} AND event = ${event} AND op = 'delete' AND seq <= ${mark_seq} LIMIT ${atOnce}`,
    )
    if (found.length === 0) return count
    const numbers = found.map(({ seq }) => seq)
    count += await database.run(
      sql`DELETE FROM change WHERE organizer = ${organizer} AND event = ${event} AND op = 'delete' AND seq IN (${join(numbers)})`,
    )
  }
}
