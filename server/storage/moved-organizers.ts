import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from './database.ts'

/** Where organizers went that were moved from here to another server. */
const movedOrganizers = (db: Queryable): Promise<ReadonlyMap<number, string>> =>
  db.remembered('moved organizers', async () => {
    const rows = await db.all<{ id: number; moved_to: string }>(
      sql`SELECT id, moved_to FROM organizer_move WHERE moved_to IS NOT NULL`,
    )
    return new Map(rows.map(({ id, moved_to }) => [id, moved_to]))
  })

/** Where the first of some organizers went that is not here any more; undefined where all of them are. */
export async function movedAwayTo(db: Queryable, organizers: Iterable<number>): Promise<string | undefined> {
  const moved = await movedOrganizers(db)
  if (moved.size === 0) return undefined
  for (const one of organizers) if (moved.has(one)) return moved.get(one)
  return undefined
}

/** The condition that an organizer, by a column that names it, is still here. */
export const isHere = (organizer: Sql): Sql =>
  sql`${organizer} NOT IN (SELECT v.id FROM organizer_move v WHERE v.moved_to IS NOT NULL)`
