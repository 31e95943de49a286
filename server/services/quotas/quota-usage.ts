import sql, { join } from 'sql-template-tag'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { availability, isToClose, type QuotaUsage } from '../../domain/quotas/quota-availability.ts'
import {
  counts,
  type ProductLine,
  type QuotaFacts,
  type Shortage,
  takeFrom,
} from '../../domain/quotas/quotas.ts'
import type { Actor } from '../../resource/actor.ts'
import { findRows, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import {
  blockedByVouchers,
  countCarts,
  countExited,
  countLeased,
  countSold,
  countWaiting,
  type ProductCount,
} from './quota-counts.ts'

/** The quotas of an event as selling looks at them, in the order of their ids. */
export function quotasOf(db: Queryable, place: Place): Promise<readonly QuotaFacts[]> {
  return db.remembered(`quotas ${place.organizer} ${place.event}`, () => findRows(db, quota, place))
}

/** How much of some quotas something holds at a moment, by the id of the quota, in a fixed number of statements. */
type CountHolds = (
  db: Queryable,
  place: Place,
  quotas: readonly QuotaFacts[],
  now: string,
) => Promise<ReadonlyMap<number, number>>

/** What takes from quotas by rules of its own; each under its name in QuotaUsage. */
const holds: Readonly<Partial<Record<'vouchers' | 'waiting', CountHolds>>> = {
  vouchers: (db, place, quotas, now) => blockedByVouchers(db, place, quotas, now),
  waiting: (db, place, quotas) => countWaiting(db, place, quotas),
}

const sum = (rows: readonly ProductCount[], quota: QuotaFacts): number =>
  rows.reduce((all, row) => (counts(quota, row) ? all + row.count : all), 0)

/**
 * How much of some quotas of an event is taken at a moment (27 characters, UTC), by the id of the quota. The number of
 * statements does not depend on that of the quotas.
 */
export async function quotaUsage(
  db: Queryable,
  place: Place,
  quotas: readonly QuotaFacts[],
  now: string,
): Promise<Map<number, QuotaUsage>> {
  const itemsOf = (some: readonly QuotaFacts[]) => [...new Set(some.flatMap(({ items }) => items))]
  const ids = quotas.map(({ id }) => id)
  const sold = await countSold(db, place, itemsOf(quotas))
  const exited = await countExited(db, place, itemsOf(quotas.filter((one) => one.release_after_exit)))
  const carts = await countCarts(db, place.organizer, itemsOf(quotas), now)
  const leased = await countLeased(db, place, ids)
  const vouchers = await holds.vouchers?.(db, place, quotas, now)
  const waiting = await holds.waiting?.(db, place, quotas, now)
  const of = <T extends { readonly status: string }>(rows: readonly T[], status: 'p' | 'n') =>
    rows.filter((row) => row.status === status)
  const [paid, pending] = [of(sold, 'p'), of(sold, 'n')]
  const [exitedPaid, exitedPending] = [of(exited, 'p'), of(exited, 'n')]
  return new Map(
    quotas.map((one) => [
      one.id,
      {
        paid: sum(paid, one),
        pending: sum(pending, one),
        exitedPaid: one.release_after_exit ? sum(exitedPaid, one) : 0,
        exitedPending: one.release_after_exit ? sum(exitedPending, one) : 0,
        vouchers: vouchers?.get(one.id) ?? 0,
        leased: leased.get(one.id) ?? 0,
        carts: sum(carts, one),
        waiting: waiting?.get(one.id) ?? 0,
      },
    ]),
  )
}

/** The quotas that something concerns; the limited ones stay as they are until the commit. */
export async function lockConcerned(
  tx: Tx,
  place: Place,
  isConcerned: (quota: QuotaFacts) => boolean,
): Promise<QuotaFacts[]> {
  const concerned = async (): Promise<QuotaFacts[]> => (await quotasOf(tx, place)).filter(isConcerned)
  const seen = await concerned()
  const limited = seen.flatMap((one) => (one.size === null ? [] : [one.id]))
  // SQLite has one writer at a time, and this is it.
  if (tx.engine === 'sqlite' || limited.length === 0) return seen
  await tx.all(
    sql`SELECT id FROM quota WHERE organizer = ${place.organizer} AND id IN (${join(limited)}) ORDER BY id${tx.forUpdate}`,
  )
  return concerned()
}

/** The same for the quotas that count some products. */
export const lockQuotas = (tx: Tx, place: Place, lines: readonly ProductLine[]): Promise<QuotaFacts[]> =>
  lockConcerned(tx, place, (one) => lines.some((line) => counts(one, line)))

/** Quotas as they stand in a transaction that holds them, and what is left of each; null for any number. */
export interface QuotaStock {
  readonly quotas: readonly QuotaFacts[]
  readonly left: ReadonlyMap<number, number | null>
}

/** What is given back before something is taken. */
interface GivenBack {
  /** Tickets that are replaced. */
  readonly positions?: readonly ProductLine[]
  /** Cart positions that become what is taken, and have not expired. */
  readonly carts?: readonly ProductLine[]
}

const linesOf = ({ positions = [], carts = [] }: GivenBack): ProductLine[] => [...positions, ...carts]

async function lockedStock(tx: Tx, place: Place, lines: readonly ProductLine[], given: GivenBack) {
  const quotas = await lockQuotas(tx, place, lines)
  const limited = quotas.filter((one) => one.size !== null && !one.closed)
  const usage = await quotaUsage(tx, place, limited, tx.now)
  const back = linesOf(given)
  const left = quotas.map((one) => {
    const { number } = availability(one, usage.get(one.id) ?? nothingTaken)
    return [one.id, number === null ? null : number + counted(one, back)] as const
  })
  return { quotas, left: new Map(left), usage }
}

/** How many of some products a quota counts. */
const counted = (quota: QuotaFacts, lines: readonly ProductLine[]): number =>
  lines.filter((line) => counts(quota, line)).length

/**
 * What can be taken for some products. The limited quotas concerned stay locked until the commit, always in the order of
 * their ids, so that nobody else takes the last one meanwhile and no two wait for each other.
 */
export async function stockFor(tx: Tx, place: Place, lines: readonly ProductLine[]): Promise<QuotaStock> {
  const { quotas, left } = await lockedStock(tx, place, lines, {})
  return { quotas, left }
}

/**
 * Tries to take some products for an order from the quotas of their event: what each of them lacks, or null. The limited
 * quotas concerned stay locked until the commit; one that this sells out is closed, where it asks for that.
 */
export async function takeFromQuotas(
  tx: Tx,
  place: Place,
  lines: readonly ProductLine[],
  given: GivenBack = {},
): Promise<(Shortage | null)[]> {
  const { quotas, left, usage } = await lockedStock(tx, place, lines, given)
  const shortages = takeFrom(quotas, left, lines)
  const taken = lines.filter((_, index) => shortages[index] === null)
  const soldOut = quotas.filter((one) => {
    const before = usage.get(one.id) ?? nothingTaken
    const change = counted(one, taken) - counted(one, given.positions ?? [])
    return change > 0 && isToClose(one, { ...before, pending: before.pending + change })
  })
  await closeQuotas(tx, place, soldOut)
  return shortages
}

/** The usage of a quota of which nothing is sold. */
export const nothingTaken: QuotaUsage = { paid: 0, pending: 0 }

/** What is lacking, in words for whoever wanted to sell. */
export const shortageText = (shortage: Shortage): string =>
  shortage.kind === 'none'
    ? 'This product is not assigned to a quota, so it cannot be sold.'
    : `There is not enough quota available on quota "${shortage.quota.name}".`

/** The rule that closes quotas, as the audit trail knows it: nobody did it. */
const closingRule: Actor = {
  kind: 'command',
  id: 0,
  name: 'sold out',
  organizer: null,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
}

/**
 * Closes quotas that have sold out, and says so in the audit trail. The catalogue is changed where the data is owned
 * only: a node below another one leaves it to that.
 */
export async function closeQuotas(tx: Tx, place: Place, quotas: readonly QuotaFacts[]): Promise<void> {
  if (tx.site !== 0) return
  for (const { id } of quotas) {
    await updateRow(tx, quota, place, { id, closed: true })
    tx.audit(place, closingRule, {
      action: 'ticketsvc.event.quota.closed',
      resource: quota.name,
      row: id,
    })
  }
}
