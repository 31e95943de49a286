import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../storage/database.ts'

/** More ids and sites than were given out since any backup that somebody would still restore. */
const idsLeftOut = 10_000_000
const sitesLeftOut = 1000

/**
 * What marks a database as one that was brought back from a backup: nodes below notice and load it anew, ids and sites
 * that were given out after the backup are not given out again, and a node below another one joins that one anew.
 */
export const restoredMarks = (epoch: string): readonly Sql[] => [
  sql`UPDATE node SET epoch = ${epoch}, next_id = next_id + ${idsLeftOut},
        next_site = CASE WHEN next_site + ${sitesLeftOut} < site_end THEN next_site + ${sitesLeftOut} ELSE next_site END`,
  sql`UPDATE upstream SET epoch = 'restored'`,
]

/** Marks a database as one that was brought back from a backup. */
export async function markRestored(database: Database, epoch: string): Promise<void> {
  await database.transaction(async (tx) => {
    for (const mark of restoredMarks(epoch)) await tx.run(mark)
  })
}
