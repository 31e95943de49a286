import sql, { join, type Sql } from 'sql-template-tag'
import { type BlockedUses, blocks } from '../../domain/pricing/vouchers.ts'
import { counts, type QuotaFacts } from '../../domain/quotas/quotas.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { joinForEachRow } from '../../storage/row-by-row.ts'

/** How many of a product something holds. */
export interface ProductCount {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly count: number
}

/** The same by the state of the order. */
interface SoldCount extends ProductCount {
  readonly status: 'p' | 'n' | 'e' | 'c'
}

const idsIn = (ids: readonly number[]): Sql => sql`(${join([...ids])})`

/** The condition of positions that make room in their quotas because they are blocked. */
const isIgnored = sql`p.ignore_from_quota_while_blocked = 1 AND p.blocked IS NOT NULL`

/**
 * How many positions there are of some items, by product and state of the order, without those that are blocked and make
 * room meanwhile. Nearly all orders of an event are paid, so those of every state are counted in an index alone, and only
 * what is not paid is looked up and taken off them.
 */
export async function countSold(
  db: Queryable,
  place: Place,
  items: readonly number[],
): Promise<readonly SoldCount[]> {
  if (items.length === 0) return []
  const ofItems = sql`p.organizer = ${place.organizer} AND p.item IN ${idsIn(items)} AND p.canceled = 0`
  const all = await db.all<ProductCount>(
    sql`SELECT p.item, p.variation, p.subevent, count(*) AS count FROM order_position p WHERE ${ofItems}
        GROUP BY p.item, p.variation, p.subevent`,
  )
  const unpaid = await db.all<SoldCount>(
    sql`SELECT p.item, p.variation, p.subevent, o.status, count(*) AS count FROM orders o
        ${joinForEachRow(db.engine, ['order_position', 'p'], sql`p.organizer = o.organizer AND p.order_id = o.id`)}
        WHERE o.organizer = ${place.organizer} AND o.event = ${place.event} AND o.status IN ('n', 'e', 'c')
          AND ${ofItems}
        GROUP BY p.item, p.variation, p.subevent, o.status`,
  )
  // One by one and of all items: there are few, and any order would have them looked for among all that are sold.
  const ignored = await db.all<SoldCount>(
    sql`SELECT p.item, p.variation, p.subevent, o.status, 1 AS count FROM order_position p
        JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
        WHERE p.organizer = ${place.organizer} AND p.event = ${place.event} AND ${isIgnored} AND p.canceled = 0`,
  )
  const less = (rows: readonly SoldCount[]) => rows.map((row) => ({ ...row, count: -row.count }))
  const off = less(unpaid).map((row) => ({ ...row, status: 'p' as const }))
  return [...all.map((row) => ({ ...row, status: 'p' as const })), ...off, ...unpaid, ...less(ignored)]
}

/**
 * Of the same, those whose holders have left for good: on lists that admit nobody again, whichever, they were
 * admitted and have left after that.
 */
export async function countExited(
  db: Queryable,
  place: Place,
  items: readonly number[],
): Promise<readonly SoldCount[]> {
  if (items.length === 0) return []
  return db.all<SoldCount>(
    sql`SELECT p.item, p.variation, p.subevent, o.status, count(*) AS count FROM (
          SELECT c."position" AS id, max(CASE WHEN c."type" = 'entry' THEN c.datetime END) AS came,
            max(CASE WHEN c."type" = 'exit' THEN c.datetime END) AS went
          FROM checkin c
          WHERE c.organizer = ${place.organizer} AND c.list IN (
              SELECT l.id FROM checkin_list l
              WHERE l.organizer = ${place.organizer} AND l.event = ${place.event} AND l.allow_entry_after_exit = 0)
            AND c.successful = 1 AND c."position" IS NOT NULL
          GROUP BY c."position") seen
        ${joinForEachRow(db.engine, ['order_position', 'p'], sql`p.organizer = ${place.organizer} AND p.id = seen.id`)}
        ${joinForEachRow(db.engine, ['orders', 'o'], sql`o.organizer = p.organizer AND o.id = p.order_id`)}
        WHERE seen.went > seen.came AND p.canceled = 0
          AND (p.blocked IS NULL OR coalesce(p.ignore_from_quota_while_blocked, 0) = 0) AND p.item IN ${idsIn(items)} AND o.status IN ('p', 'n')
        GROUP BY p.item, p.variation, p.subevent, o.status`,
  )
}

/**
 * How many of some items carts hold at a moment (27 characters, UTC). What is in a cart by a voucher that keeps its own
 * place is not counted: the voucher is.
 */
export async function countCarts(
  db: Queryable,
  organizer: number,
  items: readonly number[],
  now: string,
): Promise<readonly ProductCount[]> {
  if (items.length === 0) return []
  return db.all<ProductCount>(
    sql`SELECT c.item, c.variation, c.subevent, count(*) AS count FROM cart_position c
        WHERE c.organizer = ${organizer} AND c.item IN ${idsIn(items)} AND c.expires >= ${now}
          AND (c.voucher IS NULL OR NOT EXISTS (
            SELECT 1 FROM voucher v WHERE v.organizer = c.organizer AND v.id = c.voucher AND v.block_quota = 1
              AND (v.valid_until IS NULL OR v.valid_until >= ${now})))
        GROUP BY c.item, c.variation, c.subevent`,
  )
}

/** How many of some quotas stations may still sell without asking; what hubs gave on is part of their own leases. */
export async function countLeased(
  db: Queryable,
  place: Place,
  quotas: readonly number[],
): Promise<Map<number, number>> {
  if (quotas.length === 0) return new Map()
  const rows = await db.all<{ quota: number; count: number }>(
    sql`SELECT quota, sum(size - used) AS count FROM quota_lease
        WHERE organizer = ${place.organizer} AND quota IN ${idsIn(quotas)} AND state IN ('open', 'returned')
          AND size > used AND parent IS NULL
        GROUP BY quota`,
  )
  return new Map(rows.map(({ quota, count }) => [quota, count]))
}

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
