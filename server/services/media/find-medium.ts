import sql, { join } from 'sql-template-tag'
import { type ReusableMedium, reusableMedium } from '../../../schema/resources/media/reusable-medium.ts'
import { rowOf } from '../../resource/store.ts'
import type { Queryable } from '../../storage/database.ts'

/** What was read of a medium. */
export interface ReadMedium {
  readonly type: string
  readonly identifier: string
}

/** The medium of an organizer that was read, whether it may be used or not. */
export async function findMedium(
  db: Queryable,
  organizer: number,
  { type, identifier }: ReadMedium,
): Promise<ReusableMedium | undefined> {
  const cells = await db.get(
    sql`SELECT * FROM reusable_medium
        WHERE organizer = ${organizer} AND "identifier" = ${identifier} AND "type" = ${type}`,
  )
  return cells && rowOf(reusableMedium, cells)
}

/** The ids of the positions that a medium stands for, none where it may not be used at a moment. */
export async function ticketsOnMedium(
  db: Queryable,
  organizer: number,
  read: ReadMedium,
  at: string,
): Promise<readonly number[]> {
  const medium = await findMedium(db, organizer, read)
  const isUsable = medium?.active === true && (medium.expires === null || medium.expires >= at)
  return isUsable ? medium.linked_orderpositions : []
}

/** Those of some positions that an organizer has here, each with its event. */
export async function knownPositions(
  db: Queryable,
  organizer: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (ids.length === 0) return new Map()
  const found = await db.all<{ id: number; event: number }>(
    sql`SELECT id, event FROM order_position WHERE organizer = ${organizer} AND id IN (${join([...ids])})`,
  )
  return new Map(found.map(({ id, event }) => [id, event]))
}
