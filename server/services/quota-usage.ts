import sql, { join } from 'sql-template-tag'
import { quota } from '../../schema/resources/quota.ts'
import {
  availability,
  counts,
  type ProductLine,
  type QuotaFacts,
  type QuotaUsage,
  type Shortage,
  takeFrom,
} from '../domain/quotas.ts'
import { findRows } from '../resource/store.ts'
import type { Place, Tx } from '../resource/transactions.ts'
import type { Queryable } from '../storage/database.ts'

/** The quotas of an event as selling looks at them, in the order of their ids. */
async function quotasOf(db: Queryable, place: Place): Promise<QuotaFacts[]> {
  return (await findRows(db, quota, place)) as unknown as QuotaFacts[]
}

interface SoldCells {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly status: 'p' | 'n' | 'e' | 'c'
  readonly count: number
}

/**
 * How many positions there are of some items, by product and state of the order. Nearly all orders of an event are paid,
 * so those of every state are counted in an index alone, and only what is not paid is looked up and taken off them.
 */
async function countSold(db: Queryable, place: Place, items: readonly number[]): Promise<SoldCells[]> {
  if (items.length === 0) return []
  const ofItems = sql`p.organizer = ${place.organizer} AND p.item IN (${join([...items])}) AND p.canceled = 0`
  const all = await db.all<Omit<SoldCells, 'status'>>(
    sql`SELECT p.item, p.variation, p.subevent, count(*) AS count FROM order_position p WHERE ${ofItems}
        GROUP BY p.item, p.variation, p.subevent`,
  )
  const unpaid = await db.all<SoldCells>(
    sql`SELECT p.item, p.variation, p.subevent, o.status, count(*) AS count FROM orders o CROSS JOIN order_position p
        WHERE o.organizer = ${place.organizer} AND o.event = ${place.event} AND o.status IN ('n', 'e', 'c')
          AND p.order_id = o.id AND ${ofItems}
        GROUP BY p.item, p.variation, p.subevent, o.status`,
  )
  const off = unpaid.map((row) => ({ ...row, status: 'p' as const, count: -Number(row.count) }))
  return [...all.map((row) => ({ ...row, status: 'p' as const })), ...off, ...unpaid]
}

/** How much of some quotas of an event is taken, by the id of the quota. */
export async function quotaUsage(
  db: Queryable,
  place: Place,
  quotas: readonly QuotaFacts[],
): Promise<Map<number, QuotaUsage>> {
  const sold = await countSold(db, place, [...new Set(quotas.flatMap((one) => one.items))])
  return new Map(
    quotas.map((one) => {
      const sum = (status: 'n' | 'p'): number =>
        sold.reduce(
          (all, row) => (row.status === status && counts(one, row) ? all + Number(row.count) : all),
          0,
        )
      return [one.id, { paid: sum('p'), pending: sum('n') }]
    }),
  )
}

/** The quotas that count some products; the limited ones stay as they are until the commit. */
async function lockQuotas(tx: Tx, place: Place, lines: readonly ProductLine[]): Promise<QuotaFacts[]> {
  const concerned = async (): Promise<QuotaFacts[]> =>
    (await quotasOf(tx, place)).filter((one) => lines.some((line) => counts(one, line)))
  const seen = await concerned()
  const limited = seen.flatMap((one) => (one.size === null ? [] : [one.id]))
  // SQLite has one writer at a time, and this is it.
  if (tx.engine === 'sqlite' || limited.length === 0) return seen
  await tx.all(
    sql`SELECT id FROM quota WHERE organizer = ${place.organizer} AND id IN (${join(limited)}) ORDER BY id${tx.forUpdate}`,
  )
  return concerned()
}

/**
 * Tries to take some products from the quotas of their event, where `given` is given back: what each of them lacks, or
 * null. The limited quotas concerned stay locked until the commit, so that nobody else takes the last one meanwhile.
 */
export async function takeFromQuotas(
  tx: Tx,
  place: Place,
  lines: readonly ProductLine[],
  given: readonly ProductLine[] = [],
): Promise<(Shortage | null)[]> {
  const quotas = await lockQuotas(tx, place, lines)
  const limited = quotas.filter((one) => one.size !== null && !one.closed)
  const usage = await quotaUsage(tx, place, limited)
  const left = quotas.map((one) => {
    const { number } = availability(one, usage.get(one.id) ?? nothingTaken)
    const back = given.filter((line) => counts(one, line)).length
    return [one.id, number === null ? null : number + back] as const
  })
  return takeFrom(quotas, new Map(left), lines)
}

const nothingTaken: QuotaUsage = { paid: 0, pending: 0 }

/** What is lacking, in words for whoever wanted to sell. */
export const shortageText = (shortage: Shortage): string =>
  shortage.kind === 'none'
    ? 'This product is not assigned to a quota, so it cannot be sold.'
    : `There is not enough quota available on quota "${shortage.quota.name}".`
