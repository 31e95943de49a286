import sql from 'sql-template-tag'
import type { Queryable } from '../../storage/database.ts'

/** The newest place in the order of what happened at a node that was reported to this server; 0 where there is none. */
export async function newestReported(db: Queryable, organizer: number, site: number): Promise<number> {
  const row = await db.get<{ newest: number | null }>(
    sql`SELECT max(site_seq) AS newest FROM seen_fact WHERE organizer = ${organizer} AND site = ${site}`,
  )
  return row?.newest ?? 0
}

/** Whether two facts were reported of one place in the order of a node: they were made on two copies of its data. */
export async function isReportedTwice(db: Queryable, organizer: number, site: number): Promise<boolean> {
  const row = await db.get(
    sql`SELECT site_seq FROM seen_fact WHERE organizer = ${organizer} AND site = ${site}
        GROUP BY site_seq HAVING count(*) > 1 LIMIT 1`,
  )
  return row !== undefined
}

/** Of facts in the outbox: none that this hub has refused and passes on for people at the top to decide about. */
export const isTakenIn = sql`NOT EXISTS (SELECT 1 FROM seen_fact
  WHERE seen_fact.organizer = outbox.organizer AND seen_fact.nonce = outbox.nonce AND seen_fact.status = 'quarantined')`
