import sql from 'sql-template-tag'
import { counts, type QuotaFacts } from '../../domain/quotas/quotas.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { ProductCount } from './quota-counts.ts'

/** How many people wait for each product of an event that somebody waits for. */
export const waitingFor = (db: Queryable, place: Place): Promise<ProductCount[]> =>
  db.all<ProductCount>(
    sql`SELECT item, variation, subevent, count(*) AS count FROM waiting_list_entry
        WHERE organizer = ${place.organizer} AND event = ${place.event} AND voucher IS NULL
        GROUP BY item, variation, subevent`,
  )

/** How many people wait for something that some quotas count, by the id of the quota. */
export async function countWaiting(
  db: Queryable,
  place: Place,
  quotas: readonly QuotaFacts[],
): Promise<Map<number, number>> {
  if (quotas.length === 0) return new Map()
  const waiting = await waitingFor(db, place)
  return new Map(
    quotas.map((quota) => [
      quota.id,
      waiting.reduce((all, row) => (counts(quota, row) ? all + row.count : all), 0),
    ]),
  )
}
