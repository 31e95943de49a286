import sql, { join } from 'sql-template-tag'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { siteSpan } from '../../../schema/sites.ts'
import { isToProlong, laterBy, salesWindow, wishFor } from '../../domain/quotas/leases.ts'
import { availability } from '../../domain/quotas/quota-availability.ts'
import { counts, type ProductLine, type QuotaFacts } from '../../domain/quotas/quotas.ts'
import { findRows, insertRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { stationSettings } from '../devices/station-settings.ts'
import { type LeasedStock, type LeaseHolder, readLeasedStock, trustTime } from './lease-holder.ts'
import { leaseShown, lockLease, type StoredLease } from './lease-rows.ts'
import type { Need } from './lease-sales.ts'
import { quotaUsage } from './quota-usage.ts'

/** What a node asks its upstream for. */
type LeaseTask =
  | { readonly kind: 'ask'; readonly place: Place; readonly quota: number; readonly size: number }
  | { readonly kind: 'prolong'; readonly lease: number }

const day = 24 * 3_600_000

/** What a node should ask for now, so that it can go on selling by itself: more of what it sells, and more time. */
export async function leaseTasks(tx: Tx, holder: LeaseHolder): Promise<LeaseTask[]> {
  const tasks: LeaseTask[] = []
  for (const [event, quotas] of await leasedQuotas(tx, holder)) {
    const place = { organizer: holder.organizer, event }
    const stock = await readLeasedStock(
      tx,
      holder,
      quotas.map(({ id }) => id),
    )
    tasks.push(...(await asksFor(tx, place, holder, { quotas, stock })), ...prolongations(stock))
  }
  return tasks
}

async function asksFor(
  tx: Tx,
  place: Place,
  holder: LeaseHolder,
  { quotas, stock }: { readonly quotas: readonly QuotaFacts[]; readonly stock: LeasedStock },
): Promise<LeaseTask[]> {
  const { own, now } = stock
  const usage = await quotaUsage(tx, place, quotas, tx.now)
  const sold = await soldHere(tx, place, holder, laterBy(now, -salesWindow))
  return quotas.flatMap((one): LeaseTask[] => {
    const rest = availability(one, usage.get(one.id) ?? { paid: 0, pending: 0 }).number ?? 0
    const free = own.reduce((sum, lease) => (lease.quota === one.id ? sum + lease.free : sum), 0)
    const size = wishFor({ recent: sold.filter((line) => counts(one, line)).length, rest, free })
    return size > 0 ? [{ kind: 'ask', place, quota: one.id, size }] : []
  })
}

const prolongations = ({ own, now }: LeasedStock): LeaseTask[] =>
  own
    .filter((lease) => lease.free > 0 && isToProlong(lease, now))
    .map((lease) => ({ kind: 'prolong', lease: lease.id }))

/** What was sold by this node and those below it since a moment. */
const soldHere = (
  tx: Tx,
  place: Place,
  { site, siteEnd }: LeaseHolder,
  since: string,
): Promise<ProductLine[]> =>
  tx.all<ProductLine>(
    sql`SELECT p.item, p.variation, p.subevent FROM orders o
          JOIN order_position p ON p.organizer = o.organizer AND p.order_id = o.id
        WHERE o.organizer = ${place.organizer} AND o.event = ${place.event} AND o.datetime >= ${since}
          AND o.id >= ${site * siteSpan} AND o.id < ${siteEnd * siteSpan} AND p.canceled = 0`,
  )

/**
 * The limited quotas that leases are kept of, by event: those chosen, or all of the event that this machine is set up
 * for and of those it has sold something of in the last day.
 */
async function leasedQuotas(tx: Tx, holder: LeaseHolder): Promise<Map<number, QuotaFacts[]>> {
  const { organizer, settings } = holder
  const { sell_quotas: chosen } = settings
  const kept = new Map<number, QuotaFacts[]>()
  if (chosen === 'none') return kept
  const events = chosen === 'all' ? await ownEvents(tx, holder) : await eventsOf(tx, organizer, chosen)
  for (const event of events) {
    const rows = await findRows(
      tx,
      quota,
      { organizer, event },
      { where: sql`"size" IS NOT NULL AND closed = 0` },
    )
    const wanted = chosen === 'all' ? rows : rows.filter(({ id }) => chosen.includes(id))
    if (wanted.length > 0) kept.set(event, wanted)
  }
  return kept
}

async function ownEvents(tx: Tx, { organizer, site, siteEnd }: LeaseHolder): Promise<Set<number>> {
  const sold = await tx.all<{ event: number }>(
    sql`SELECT DISTINCT event FROM orders WHERE organizer = ${organizer} AND id >= ${site * siteSpan}
          AND id < ${siteEnd * siteSpan} AND datetime >= ${laterBy(tx.now, -day)}`,
  )
  const station = await stationSettings(tx)
  const chosen = station?.organizer === organizer ? [station.event] : []
  return new Set([...chosen, ...sold.map(({ event }) => event)])
}

async function eventsOf(tx: Tx, organizer: number, quotas: readonly number[]): Promise<Set<number>> {
  if (quotas.length === 0) return new Set()
  const rows = await tx.all<{ event: number }>(
    sql`SELECT DISTINCT event FROM quota WHERE organizer = ${organizer} AND id IN (${join([...quotas])})`,
  )
  return new Set(rows.map(({ event }) => event))
}

/** How many are missing of what is needed, of each quota that lacks some. */
export async function missingOf(tx: Tx, holder: LeaseHolder, needs: readonly Need[]): Promise<Need[]> {
  const { own } = await readLeasedStock(
    tx,
    holder,
    needs.map((need) => need.quota),
  )
  return needs.flatMap(({ quota: id, count }) => {
    const free = own.reduce((sum, lease) => (lease.quota === id ? sum + lease.free : sum), 0)
    return free < count ? [{ quota: id, count: count - free }] : []
  })
}

/**
 * Stores a lease as the upstream has answered it, before the changes bring it. False when what it is about is not
 * here yet; then the changes will bring it.
 */
export async function keepLease(tx: Tx, lease: StoredLease): Promise<boolean> {
  const { organizer, event, id } = lease
  const place = { organizer, event }
  const known = await lockLease(tx, organizer, id)
  if (known) {
    if (lease.until > known.until) await updateRow(tx, quotaLease, place, { id, until: lease.until })
    return true
  }
  const whole = await tx.get(
    sql`SELECT q.id FROM quota q JOIN device d ON d.organizer = q.organizer AND d.id = ${lease.device}
        WHERE q.organizer = ${organizer} AND q.event = ${event} AND q.id = ${lease.quota}`,
  )
  if (whole) await insertRow(tx, quotaLease, place, leaseShown(lease))
  return whole !== undefined
}

/** The same for one that was granted just now, and with it the time. */
export async function keepGranted(tx: Tx, lease: StoredLease): Promise<boolean> {
  await trustTime(tx)
  return keepLease(tx, lease)
}
