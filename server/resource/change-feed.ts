import sql from 'sql-template-tag'
import type { Queryable } from '../storage/database.ts'
import { shaped } from '../storage/shaped.ts'
import { type Cell, insertion } from './insertion.ts'
import type { Change } from './transactions.ts'

const intoChange = insertion(
  7,
  (rows) =>
    sql`INSERT INTO change (organizer, event, resource, row_id, seq, op, site) VALUES ${rows}
        ON CONFLICT (organizer, event, resource, row_id) DO UPDATE SET seq = excluded.seq, op = excluded.op, site = excluded.site`,
)

const countOn = shaped(
  (organizer: number, event: number, entries: number) =>
    sql`INSERT INTO feed (organizer, event, seq) VALUES (${organizer}, ${event}, ${entries})
        ON CONFLICT (organizer, event) DO UPDATE SET seq = feed.seq + excluded.seq RETURNING seq`,
)

/**
 * Gives the changed rows their numbers, last in the transaction: the feed's counter row stays locked until the commit,
 * so that numbers become visible in their order on every engine.
 */
export async function numberChanges(tx: Queryable, changes: readonly Change[], site: number): Promise<void> {
  const feeds = new Map<string, Map<string, Change>>()
  for (const change of changes) {
    const feed = `${change.place.organizer}/${change.place.event}`
    const rows = feeds.get(feed) ?? new Map<string, Change>()
    rows.set(`${change.resource}/${change.row}`, change)
    feeds.set(feed, rows)
  }
  for (const [, rows] of [...feeds].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const entries = [...rows.values()]
    const place = entries[0]?.place
    if (!place) continue
    const counter = await tx.get<{ seq: number }>(countOn(place.organizer, place.event, entries.length))
    if (!counter) throw new Error('The change feed has no counter.')
    const first = counter.seq - entries.length + 1
    const values = entries.map((change, index): Cell[] => [
      place.organizer,
      place.event,
      change.resource,
      change.row,
      first + index,
      change.op,
      site,
    ])
    await intoChange(tx, values)
  }
}
