import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '../../storage/database.ts'

/** More ids and sites than were given out since any backup that somebody would still restore. */
const idsLeftOut = 10_000_000
const sitesLeftOut = 1000

/** How far a database had come with what it gives out. */
export interface GivenOut {
  readonly next_id: number
  readonly next_site: number
}

/**
 * What marks a database as one that was brought back from a backup: nodes below notice and load it anew, ids and sites
 * that were given out after the backup are not given out again, and a node below another one joins that one anew.
 * `before` is how far the data had come that it replaces, where that is known: the same backup may be brought back twice.
 */
export const restoredMarks = (epoch: string, before?: GivenOut): readonly Sql[] => [
  ...(before
    ? [
        sql`UPDATE node SET next_id = ${before.next_id} WHERE next_id < ${before.next_id}`,
        sql`UPDATE node SET next_site = ${before.next_site}
            WHERE next_site < ${before.next_site} AND ${before.next_site} < site_end`,
      ]
    : []),
  sql`UPDATE node SET epoch = ${epoch}, next_id = next_id + ${idsLeftOut},
        next_site = CASE WHEN next_site + ${sitesLeftOut} < site_end THEN next_site + ${sitesLeftOut} ELSE next_site END`,
  sql`UPDATE upstream SET epoch = 'restored'`,
]

/** Marks a database as one that was brought back from a backup. */
export async function markRestored(database: Database, epoch: string, before?: GivenOut): Promise<void> {
  await database.transaction(async (tx) => {
    for (const mark of restoredMarks(epoch, before)) await tx.run(mark)
  })
}
