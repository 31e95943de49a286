import sql, { join } from 'sql-template-tag'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { sellsBy } from '../../../schema/security-profiles.ts'
import { keepBack, type UsableLease } from '../../domain/quotas/lease-sales.ts'
import { freeOf, sellingTime, type TimeAnchor } from '../../domain/quotas/leases.ts'
import { counts, type ProductLine } from '../../domain/quotas/quotas.ts'
import { rowOf } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { readOutboxTotals, withOutboxTotals } from './lease-outbox.ts'
import { leasesWhere, type StoredLease } from './lease-rows.ts'
import { countCarts } from './quota-counts.ts'

/** How a node sells while its upstream cannot be asked; part of the settings of that. */
export interface SellingSettings {
  /** The quotas that it keeps leases of. */
  readonly sell_quotas: 'all' | 'none' | readonly number[]
  /** How many it may sell of each quota without a lease, knowingly. */
  readonly sell_at_risk: number
}

/** A node below another one as the one who sells from leases. */
export interface LeaseHolder {
  readonly organizer: number
  readonly device: number
  readonly site: number
  /** The site after the last one that it gives to its own devices. */
  readonly siteEnd: number
  readonly role: string
  readonly settings: SellingSettings
  /** Whether it is known that more was sold or given under its site than this copy says; see UpstreamSettings. */
  readonly isOutdated: boolean
}

/** The node as a holder of leases, or undefined where it has no upstream that could give any. */
export async function readHolder(db: Queryable): Promise<LeaseHolder | undefined> {
  const row = await db.get<Record<string, string | number>>(
    sql`SELECT organizer, device, site, site_end, role, security_profile, settings FROM upstream WHERE id = 1`,
  )
  if (!row) return undefined
  const { sell_quotas, sell_at_risk, outdated_site } = JSON.parse(String(row.settings))
  const sells = sellsBy(String(row.security_profile))
  return {
    organizer: Number(row.organizer),
    device: Number(row.device),
    site: Number(row.site),
    siteEnd: Number(row.site_end),
    role: String(row.role),
    settings: {
      sell_quotas: sells ? chosenQuotas(sell_quotas) : 'none',
      sell_at_risk: Number.isSafeInteger(sell_at_risk) && sell_at_risk > 0 ? sell_at_risk : 0,
    },
    isOutdated: outdated_site === row.site,
  }
}

const chosenQuotas = (value: unknown): SellingSettings['sell_quotas'] => {
  if (value === 'none') return 'none'
  return Array.isArray(value) ? value.filter((id) => Number.isSafeInteger(id)) : 'all'
}

/** What a node holds of some quotas at a moment. */
export interface LeasedStock {
  /** The time by which leases end. */
  readonly now: string
  /** Its own leases, with what the outbox says of them, and how many are free of each. */
  readonly own: readonly (StoredLease & { readonly free: number })[]
  /** Those that it has given to its own devices. */
  readonly parts: readonly StoredLease[]
  /** How many it has sold of each quota without a lease. */
  readonly risks: ReadonlyMap<number, number>
}

/**
 * What a node may still sell of some quotas of its organizer without asking. What its own carts hold is not free, apart
 * from those that become what is sold. Of a copy that is known to be outdated nothing is left until it is replaced.
 */
export async function readLeasedStock(
  tx: Tx,
  holder: LeaseHolder,
  quotas: readonly number[],
  sold: readonly ProductLine[] = [],
): Promise<LeasedStock> {
  const now = await leaseTime(tx)
  const { organizer, device, site } = holder
  // Facts may hold leases that the rows lack, so the outbox is added up before the rows are read.
  const { risks } = await readOutboxTotals(tx, [], quotas)
  const rows =
    quotas.length === 0 || holder.isOutdated
      ? []
      : await leasesWhere(
          tx,
          organizer,
          sql`quota IN (${join([...quotas])}) AND device = ${device} AND site = ${site}`,
        )
  const given =
    rows.length === 0
      ? []
      : await leasesWhere(tx, organizer, sql`parent IN (${join(rows.map(({ id }) => id))})`)
  const totals = await readOutboxTotals(
    tx,
    [...rows, ...given].map(({ id }) => id),
    [],
  )
  const parts = withOutboxTotals(given, totals)
  const own = withOutboxTotals(rows, totals).map((lease) => ({
    ...lease,
    free: freeOf(
      lease,
      parts.filter(({ parent }) => parent === lease.id),
      totals.leases.get(lease.id)?.sold ?? 0,
      now,
    ),
  }))
  const held = await heldByCarts(tx, organizer, quotas, sold)
  return { now, own: keepBack(own, held), parts, risks }
}

/** How many of each of some quotas the carts of this node hold. */
async function heldByCarts(
  tx: Tx,
  organizer: number,
  ids: readonly number[],
  sold: readonly ProductLine[],
): Promise<Map<number, number>> {
  if (ids.length === 0) return new Map()
  const cells = await tx.all(
    sql`SELECT * FROM quota WHERE organizer = ${organizer} AND id IN (${join([...ids])})`,
  )
  const quotas = cells.map((row) => rowOf(quota, row))
  const items = [...new Set(quotas.flatMap((one) => one.items))]
  const carts = await countCarts(tx, organizer, items, tx.now)
  return new Map(
    quotas.map((one) => {
      const held = carts.reduce((all, row) => (counts(one, row) ? all + row.count : all), 0)
      return [one.id, Math.max(0, held - sold.filter((line) => counts(one, line)).length)]
    }),
  )
}

/** Those of its leases that a node can sell from now. */
export const usableOf = ({ own }: LeasedStock): UsableLease[] => own.filter(({ free }) => free > 0)

/** The quotas that a node holds open leases of. */
export const heldQuotas = async (
  tx: Tx,
  { organizer, device: own, site }: LeaseHolder,
): Promise<number[]> => [
  ...new Set(
    (await leasesWhere(tx, organizer, sql`device = ${own} AND site = ${site} AND state = 'open'`)).map(
      (lease) => lease.quota,
    ),
  ),
]

const unknownStamp = { mono: 0, boot: '', clockOffset: 0 }

/**
 * What time it is for the end of leases, which no clock set back brings to life again; see sellingTime. It is
 * remembered, also for the next start of the program, unless this machine does not know the time yet.
 */
export async function leaseTime(tx: Tx): Promise<string> {
  const { mono, boot, clockOffset } = tx.stamp() ?? unknownStamp
  const anchor = await tx.get<TimeAnchor>(sql`SELECT "at", mono, boot FROM lease_clock WHERE id = 1`)
  const known = anchor ? { ...anchor, mono: anchor.mono } : null
  const at = sellingTime(tx.now, Math.round(mono), boot, known)
  if (clockOffset !== null) await remember(tx, { at, mono: Math.round(mono), boot })
  return at
}

/**
 * Takes the time of the transaction as right, since the upstream has just given it: a machine whose clock was ahead
 * can sell again.
 */
export async function trustTime(tx: Tx): Promise<void> {
  const { mono, boot, clockOffset } = tx.stamp() ?? unknownStamp
  if (clockOffset !== null) await remember(tx, { at: tx.now, mono: Math.round(mono), boot })
}

const remember = (tx: Tx, { at, mono, boot }: TimeAnchor): Promise<number> =>
  tx.run(
    sql`INSERT INTO lease_clock (id, "at", mono, boot) VALUES (1, ${at}, ${mono}, ${boot})
        ON CONFLICT (id) DO UPDATE SET "at" = excluded."at", mono = excluded.mono, boot = excluded.boot`,
  )
