import sql, { raw, type Sql } from 'sql-template-tag'
import { siteSpan } from '../../../schema/sites.ts'
import type { Database, Queryable } from '../../storage/database.ts'
import { shaped } from '../../storage/shaped.ts'

/** More ids and sites than were given out since any backup that somebody would still restore. */
const idsLeftOut = 10_000_000
const sitesLeftOut = 1000
/**
 * Beyond these, chance leaves out up to this part of what remains: nothing that outlives a database says that the same
 * backup was brought back before, and what was given out since then is to be met as good as never.
 */
const leap = 16

/** How far a database had come with what it gives out. */
export interface GivenOut {
  readonly next_id: number
  readonly next_site: number
}

const storedEpoch = shaped(
  (organizer: number) =>
    sql`SELECT coalesce((SELECT epoch FROM organizer_move WHERE id = ${organizer}), epoch) AS epoch
        FROM node WHERE id = 1`,
)

/**
 * Names the history of a server's data, or of an organizer that came from another server and has its history from there:
 * another one after they were restored from a backup.
 */
export async function epochOf(db: Queryable, organizer = 0): Promise<string> {
  const node = await db.get<{ epoch: string }>(storedEpoch(organizer))
  if (!node) throw new Error('The database has lost its node row.')
  return node.epoch
}

/** What is drawn and known when a database is marked. */
interface Marking {
  readonly epoch: string
  /** From 0 to below 1. */
  readonly chance: number
  /** How far the data had come that is replaced, where that is known. */
  readonly before?: GivenOut | undefined
}

/**
 * What marks a database as one that was brought back from a backup: nodes below notice and load it anew, ids and sites
 * that were given out after the backup are not given out again, also where it is brought back twice, and a node below
 * another one joins that one anew.
 */
export function restoredMarks({ epoch, chance, before }: Marking): readonly Sql[] {
  const drawn = Math.floor(chance * 2 ** 20)
  const after = (column: Sql, end: Sql, atLeast: number): Sql =>
    sql`${column} + ${atLeast} + (${end} - ${column}) / ${raw(String(leap))} * ${raw(String(drawn))} / 1048576`
  const nextSite = after(raw('next_site'), raw('site_end'), sitesLeftOut)
  return [
    ...(before
      ? [
          sql`UPDATE node SET next_id = ${before.next_id} WHERE next_id < ${before.next_id}`,
          sql`UPDATE node SET next_site = ${before.next_site}
              WHERE next_site < ${before.next_site} AND ${before.next_site} < site_end`,
        ]
      : []),
    sql`UPDATE node SET epoch = ${epoch}, moved_to = NULL, written_on = NULL, next_id = ${after(raw('next_id'), raw(String(siteSpan)), idsLeftOut)},
          next_site = CASE WHEN ${nextSite} < site_end THEN ${nextSite} ELSE next_site END`,
    sql`UPDATE organizer_move SET epoch = NULL`,
    sql`UPDATE upstream SET epoch = 'restored'`,
  ]
}

/** Marks a database as one that was brought back from a backup. */
export async function markRestored(database: Database, marking: Marking): Promise<void> {
  await database.transaction(async (tx) => {
    for (const mark of restoredMarks(marking)) await tx.run(mark)
  })
}
