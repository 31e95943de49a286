import { quotaLease } from '../../schema/resources/quota-lease.ts'
import { updateRow } from '../resource/store.ts'
import type { Place, Tx } from '../resource/transactions.ts'
import { lockLease, placeOf } from './lease-rows.ts'

/** How many a node has sold from a lease. */
export interface Sale {
  readonly lease: number
  /** What it is a part of, for whoever has not heard of it yet. */
  readonly parent: number | null
  readonly count: number
}

/** A hub below a hub below a hub; more would be a circle. */
const deepest = 8

/**
 * Counts what a site has sold from its leases, and from those that these are parts of. Whether one of them had ended
 * before, so that others may have sold the same meanwhile.
 */
export async function countSales(
  tx: Tx,
  place: Place,
  sales: readonly Sale[],
  site: number,
): Promise<boolean> {
  let isLate = false
  for (const { lease, parent, count } of sales) {
    const own = await lockLease(tx, place.organizer, lease)
    if (own && (own.site !== site || own.event !== place.event)) continue
    let next = own ? lease : parent
    for (let depth = 0; next !== null && depth < deepest; depth += 1) {
      const row = await lockLease(tx, place.organizer, next)
      if (!row || row.event !== place.event) break
      await updateRow(tx, quotaLease, placeOf(row), row.id, { used: row.used + count })
      isLate ||= row.state === 'expired'
      next = row.parent
    }
  }
  return isLate
}
