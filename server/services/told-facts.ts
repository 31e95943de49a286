import sql from 'sql-template-tag'
import type { Queryable } from '../storage/database.ts'

/** The newest place in the order of what happened at a node that this server has been told of; 0 where there is none. */
export async function newestTold(db: Queryable, organizer: number, site: number): Promise<number> {
  const row = await db.get<{ newest: number | null }>(
    sql`SELECT max(site_seq) AS newest FROM seen_fact WHERE organizer = ${organizer} AND site = ${site}`,
  )
  return Number(row?.newest ?? 0)
}
