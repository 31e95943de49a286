import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { availability, isToClose, type QuotaUsage } from '../../domain/quotas/quota-availability.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Transactions, Tx } from '../../resource/transactions.ts'
import type { Database, Queryable } from '../../storage/database.ts'
import { closeQuotas, nothingTaken, quotaUsage } from './quota-usage.ts'

/** Everything that the API shows of how much of a quota is left. */
export function availabilityShown(facts: QuotaFacts, usage: QuotaUsage): JsonObject {
  const { state, number } = availability(facts, usage)
  return {
    available: state === 'available',
    available_number: number,
    total_size: facts.size,
    pending_orders: usage.pending,
    paid_orders: usage.paid,
    exited_orders: (usage.exitedPaid ?? 0) + (usage.exitedPending ?? 0),
    cart_positions: usage.carts ?? 0,
    blocking_vouchers: usage.vouchers ?? 0,
    waiting_list: usage.waiting ?? 0,
  }
}

/** Where quotas are measured: as is committed, or in a transaction, which closes what has sold out as well. */
export type Measuring = Pick<Transactions, 'horizon' | 'site' | 'write'> & { readonly database: Queryable }

/** Where quotas are measured for whoever reads from `db`, which may be a transaction under way. */
export const measuringOn = (transactions: Transactions, db: Database | Tx): Measuring =>
  'forUpdate' in db
    ? { database: db, site: db.site, horizon: () => db.now, write: (work) => work(db) }
    : transactions

/**
 * How much is taken of some quotas just now. Those that are found to be sold out are closed, where they ask for that;
 * the answer is how it was before.
 */
export async function measureQuotas(
  transactions: Measuring,
  place: Place,
  quotas: readonly QuotaFacts[],
): Promise<Map<number, QuotaUsage>> {
  const usage = await quotaUsage(transactions.database, place, quotas, transactions.horizon())
  const soldOut = quotas.filter((one) => isToClose(one, usage.get(one.id) ?? nothingTaken))
  await closeIfSoldOut(
    transactions,
    place,
    soldOut.map(({ id }) => id),
  )
  return usage
}

/** Quota rows with `available` and `available_number`. */
export async function withAvailability(
  transactions: Measuring,
  place: Place,
  quotas: readonly StoredRow<typeof quota>[],
): Promise<JsonObject[]> {
  const usage = await measureQuotas(transactions, place, quotas)
  return quotas.map((row) => {
    const { state, number } = availability(row, usage.get(row.id) ?? nothingTaken)
    return { ...row, available: state === 'available', available_number: number }
  })
}

/** Looks again at quotas of an event that seem to be sold out, and closes those that are; how many. */
async function closeIfSoldOut(
  transactions: Measuring,
  place: Place,
  ids: readonly number[],
): Promise<number> {
  // Quotas are closed where they belong: a node below another one hears of it.
  if (ids.length === 0 || transactions.site !== 0) return 0
  const chosen = sql`id IN (${join([...ids])})`
  return transactions.write(async (tx) => {
    await tx.all(
      sql`SELECT id FROM quota WHERE organizer = ${place.organizer} AND ${chosen} ORDER BY id${tx.forUpdate}`,
    )
    const quotas = await findRows(tx, quota, place, { where: chosen })
    const usage = await quotaUsage(tx, place, quotas, tx.now)
    const soldOut = quotas.filter((one) => isToClose(one, usage.get(one.id) ?? nothingTaken))
    await closeQuotas(tx, place, soldOut)
    return soldOut.length
  })
}

/**
 * Closes what has sold out without anybody looking, such as by a voucher or by what a station has sold while it was
 * offline. How many were closed.
 */
export async function closeSoldOutQuotas(transactions: Transactions): Promise<number> {
  if (transactions.site !== 0) return 0
  const rows = await transactions.database.all<{ organizer: number; event: number; id: number }>(
    sql`SELECT organizer, event, id FROM quota WHERE close_when_sold_out = 1 AND closed = 0 ORDER BY organizer, event, id`,
  )
  const events = new Map<string, { place: Place; ids: number[] }>()
  for (const { organizer, event, id } of rows) {
    const key = `${organizer}/${event}`
    const entry = events.get(key) ?? { place: { organizer, event }, ids: [] }
    entry.ids.push(id)
    events.set(key, entry)
  }
  let closed = 0
  for (const { place, ids } of events.values()) {
    const { database } = transactions
    const quotas = await findRows(database, quota, place, { where: sql`id IN (${join(ids)})` })
    const usage = await quotaUsage(database, place, quotas, transactions.horizon())
    const soldOut = quotas.filter((one) => isToClose(one, usage.get(one.id) ?? nothingTaken))
    closed += await closeIfSoldOut(
      transactions,
      place,
      soldOut.map(({ id }) => id),
    )
  }
  return closed
}
