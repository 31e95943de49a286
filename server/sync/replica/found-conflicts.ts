import sql from 'sql-template-tag'
import { conflict } from '../../../schema/resources/checkin/conflict.ts'
import { removeRow } from '../../resource/store.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { listOf } from '../feed/rows.ts'
import { queueCounts } from '../outbox/outbox.ts'

/** Notes that the upstream server reports these contradictions as well. */
export async function confirmFound(tx: Tx, organizer: number, ids: readonly number[]): Promise<void> {
  await tx.run(sql`DELETE FROM found_conflict WHERE organizer = ${organizer} AND id IN ${listOf(ids)}`)
}

/**
 * Contradictions that were found here, and that the upstream server has not sent by now although it was reported
 * everything: what it does not report either in its next complete answer, it does not see. None while there is
 * something to report.
 */
export async function unconfirmedConflicts(db: Queryable, organizer: number): Promise<readonly number[]> {
  const rows = await db.all<{ id: number }>(
    sql`SELECT id FROM found_conflict WHERE organizer = ${organizer} ORDER BY id LIMIT 200`,
  )
  if (rows.length === 0) return []
  const { waiting, parked } = await queueCounts(db)
  return waiting + parked > 0 ? [] : rows.map(({ id }) => id)
}

/**
 * Lets those of these contradictions go that the upstream server did not confirm: it judges by more than is known here,
 * such as the audit trail. What somebody has resolved stays.
 */
export const dropUnconfirmed = (
  transactions: Transactions,
  organizer: number,
  ids: readonly number[],
): Promise<void> =>
  transactions.write(async (tx) => {
    const found = await tx.all<{ id: number; event: number; state: string }>(
      sql`SELECT c.id, c.event, c.state FROM found_conflict f
          JOIN conflict c ON c.organizer = f.organizer AND c.id = f.id
          WHERE f.organizer = ${organizer} AND f.id IN ${listOf(ids)}`,
    )
    for (const { id, event, state } of found)
      if (state === 'open') await removeRow(tx, conflict, { organizer, event }, id)
    await confirmFound(tx, organizer, ids)
  })
