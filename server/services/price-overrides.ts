import sql from 'sql-template-tag'
import { type PriceOverride, subevent } from '../../schema/resources/subevent.ts'
import { findRows, updateRow } from '../resource/store.ts'
import type { Place, Tx } from '../resource/transactions.ts'

/** Takes an item or variation that is deleted out of the prices that dates of a series have of their own. */
export async function dropOverrides(
  tx: Tx,
  place: Place,
  of: 'item' | 'variation',
  id: number,
): Promise<void> {
  const field = `${of}_price_overrides` as const
  for (const row of await findRows(
    tx,
    subevent,
    place,
    sql`(item_price_overrides <> '[]' OR variation_price_overrides <> '[]')`,
  )) {
    const overrides = row[field] as readonly PriceOverride[]
    const kept = overrides.filter((override) => override[of] !== id)
    if (kept.length < overrides.length)
      await updateRow(tx, subevent, place, Number(row.id), { [field]: kept, last_modified: tx.now })
  }
}
