import sql from 'sql-template-tag'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { lockLease, placeOf } from './lease-rows.ts'

/** How many a node has sold from a lease. */
interface Sale {
  readonly lease: number
  /** What it is a part of, for whoever has not heard of it yet. */
  readonly parent: number | null
  readonly count: number
}

/** A hub below a hub below a hub; more would be a circle. */
const deepest = 8

/**
 * Counts what a site has sold from its leases, and from those that these are parts of; what is sold of a part that is not
 * known yet is kept for it. Whether one of them had ended before, so that others may have sold the same meanwhile.
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
    if (!own && parent !== null) await noteEarly(tx, place, { lease, site, count })
    let next = own ? lease : parent
    for (let depth = 0; next !== null && depth < deepest; depth += 1) {
      const row = await lockLease(tx, place.organizer, next)
      if (!row || row.event !== place.event) break
      await updateRow(tx, quotaLease, placeOf(row), { id: row.id, used: row.used + count })
      isLate ||= row.state === 'expired'
      next = row.parent
    }
  }
  return isLate
}

/** Sales of a lease that is not known here yet are believed of the site that holds it, in its event, and of nobody else. */
const earlyKind = ({ organizer, event }: Place, site: number): string => `early/${organizer}/${event}/${site}`

/** A hub reports a part that it has given, and what is sold from it, separately; either can come first. */
const noteEarly = (
  tx: Tx,
  place: Place,
  { lease, site, count }: { readonly lease: number; readonly site: number; readonly count: number },
): Promise<number> =>
  tx.run(
    sql`INSERT INTO lease_ledger (kind, id, sold) VALUES (${earlyKind(place, site)}, ${lease}, ${count})
        ON CONFLICT (kind, id) DO UPDATE SET sold = lease_ledger.sold + excluded.sold`,
  )

/** How many a site has sold of a lease before this became known here; from now on its row counts them. */
export async function takeEarly(tx: Tx, place: Place, lease: number, site: number): Promise<number> {
  const which = sql`kind = ${earlyKind(place, site)} AND id = ${lease}`
  const row = await tx.get<{ sold: number }>(sql`SELECT sold FROM lease_ledger WHERE ${which}`)
  if (!row) return 0
  await tx.run(sql`DELETE FROM lease_ledger WHERE ${which}`)
  return row.sold
}
