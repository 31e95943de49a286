import sql, { type Sql } from 'sql-template-tag'
import { type BlockedUses, blocks } from '../../domain/pricing/vouchers.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** The condition of vouchers that keep part of a quota for themselves at a moment, as it is stored. */
export const isBlockingAt = (now: string): Sql =>
  sql`block_quota = 1 AND redeemed < max_usages AND (valid_until IS NULL OR valid_until >= ${now})`

/**
 * How much of some quotas of an event is kept for vouchers at a moment (27 characters, UTC), by the id of the quota: of
 * each that blocks it, the uses that are left.
 */
export async function blockedByVouchers(
  db: Queryable,
  place: Place,
  quotas: readonly QuotaFacts[],
  now: string,
): Promise<Map<number, number>> {
  if (quotas.length === 0) return new Map()
  const rows = await db.all<BlockedUses>(
    sql`SELECT item, variation, quota, subevent, sum(max_usages - redeemed) AS uses FROM voucher
        WHERE organizer = ${place.organizer} AND event = ${place.event} AND ${isBlockingAt(now)}
        GROUP BY item, variation, quota, subevent`,
  )
  return new Map(
    quotas.map((quota) => [
      quota.id,
      rows.reduce((all, row) => (blocks(row, quota) ? all + row.uses : all), 0),
    ]),
  )
}
