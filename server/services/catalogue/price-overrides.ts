import sql, { raw } from 'sql-template-tag'
import { type PriceOverride, subevent } from '../../../schema/resources/events/subevent.ts'
import { findRows, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** Takes items or variations that are deleted out of the prices that dates of a series have of their own. */
export async function dropOverrides(
  tx: Tx,
  place: Place,
  of: 'item' | 'variation',
  ids: readonly number[],
): Promise<void> {
  const field = `${of}_price_overrides` as const
  const gone = new Set<number | undefined>(ids)
  for (const row of await findRows(tx, subevent, place, { where: sql`${raw(field)} <> '[]'` })) {
    const overrides = row[field] as readonly PriceOverride[]
    const kept = overrides.filter((override) => !gone.has(override[of]))
    if (kept.length < overrides.length)
      await updateRow(tx, subevent, place, { id: row.id, [field]: kept, last_modified: tx.now })
  }
}
