import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { endOf, isForfeited, outstandingOf } from '../../domain/quotas/leases.ts'
import { availability } from '../../domain/quotas/quota-availability.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import { contradictory, denied, impossible, notFound, Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { findRow, insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { type LeaseHolder, leaseTime, readHolder, readLeasedStock } from './lease-holder.ts'
import { readOutboxTotals, withOutboxTotals } from './lease-outbox.ts'
import {
  leaseIdFor,
  leaseShown,
  leasesWhere,
  lockLease,
  oneOf,
  placeOf,
  type StoredLease,
} from './lease-rows.ts'
import { quotaUsage } from './quota-usage.ts'

/** What a device asks for: some of a quota, until a moment or as long as is usual. */
interface LeaseWish {
  readonly quota: number
  readonly size: number
  readonly until: string | null
  /** Asked again with the same nonce, a device gets the same lease. */
  readonly nonce: string
}

/** 409: there is nothing left to give. */
const nothingLeft = (name: string): Refusal =>
  new Refusal(409, { detail: `Nothing is left of quota "${name}".` })

/**
 * Gives a device part of a quota to sell by itself, as many as asked for or what is left. Central gives from the quota;
 * a hub from its own leases. Refuses with 409 when nothing is left.
 */
export async function grantLease(tx: Tx, actor: Actor, place: Place, wish: LeaseWish): Promise<StoredLease> {
  const id = leaseIdFor(actor.id, wish.nonce)
  const limit = await lockQuota(tx, place, wish.quota)
  const known = await lockLease(tx, place.organizer, id)
  if (known) return known
  const asking = await findRow(tx, device, { organizer: place.organizer, event: 0 }, { id: actor.id })
  if (typeof asking?.site !== 'number')
    throw contradictory('Only a device that has joined as a station can sell without asking.')
  if (limit.size === null && !limit.closed)
    throw impossible('This quota has no limit, so nobody needs to ask.')
  const holder = await readHolder(tx)
  const source = holder ? await ownSource(tx, holder, limit) : await quotaSource(tx, place, limit)
  const row: StoredLease = {
    ...place,
    id,
    quota: limit.id,
    device: actor.id,
    site: asking.site,
    parent: source.parent,
    size: Math.min(wish.size, source.left),
    used: 0,
    state: 'open',
    created: source.now,
    until: endOf(source.now, wish.until, source.end),
  }
  if (row.size < 1) throw nothingLeft(limit.name)
  await insertRow(tx, quotaLease, place, leaseShown(row))
  report(tx, actor, row, 'granted')
  return row
}

/** Where a lease comes from: how many there are, until when, and which lease it becomes a part of. */
interface Source {
  readonly now: string
  readonly left: number
  readonly parent: number | null
  readonly end: string | null
}

async function quotaSource(tx: Tx, place: Place, limit: QuotaFacts): Promise<Source> {
  const usage = (await quotaUsage(tx, place, [limit], tx.now)).get(limit.id) ?? { paid: 0, pending: 0 }
  return { now: tx.now, left: availability(limit, usage).number ?? 0, parent: null, end: null }
}

/** The own lease with the most that is free. A part comes from one lease, so that its end is clear. */
async function ownSource(tx: Tx, holder: LeaseHolder, limit: QuotaFacts): Promise<Source> {
  const { now, own } = await readLeasedStock(tx, holder, limit.closed ? [] : [limit.id])
  const best = own.reduce<(typeof own)[number] | undefined>(
    (most, one) => (one.free > (most?.free ?? 0) ? one : most),
    undefined,
  )
  return { now, left: best?.free ?? 0, parent: best?.id ?? null, end: best?.until ?? null }
}

/** A quota of an event, which nobody else takes from until the commit; 400 where there is none with the id. */
async function lockQuota(tx: Tx, place: Place, id: number): Promise<QuotaFacts> {
  const row = await lockRow(tx, quota, place, { id })
  if (!row) throw impossible('The event has no such quota.')
  return row
}

/** Notes what became of a lease, and reports it to the upstream where there is one. */
function report(tx: Tx, actor: Actor, lease: StoredLease, action: string): void {
  const place = placeOf(lease)
  tx.audit(place, actor, {
    action: `gatehouse.lease.${action}`,
    resource: quotaLease.name,
    row: lease.id,
    data: { quota: lease.quota, size: lease.size, device: lease.device },
  })
  tx.fact(place, null, { kind: 'lease', payload: { row: leaseShown(lease) } })
}

/** A device's own lease, or one it has given as a hub; 404 where there is none that it has to do with. */
async function lockOwn(tx: Tx, actor: Actor, organizer: number, id: number): Promise<StoredLease> {
  const row = await lockLease(tx, organizer, id)
  if (!row) throw notFound()
  if (row.device !== actor.id) throw denied('This lease belongs to another device.')
  if (!(await readHolder(tx))) return row
  const [lease] = withOutboxTotals([row], await readOutboxTotals(tx, [id], []))
  return lease ?? row
}

/** A lease of an organizer. */
interface LeaseKey {
  readonly organizer: number
  readonly id: number
}

/** Lets a device sell from its lease for longer; one that has ended stays as it is. */
export async function prolongLease(
  tx: Tx,
  actor: Actor,
  { organizer, id }: LeaseKey,
  until: string | null,
): Promise<StoredLease> {
  const lease = await lockOwn(tx, actor, organizer, id)
  const isPart = (await readHolder(tx)) !== undefined
  const now = isPart ? await leaseTime(tx) : tx.now
  if (lease.state !== 'open' || isForfeited(lease, now)) return lease
  const end = endOf(now, until, isPart ? await endOfParent(tx, lease) : null)
  if (end <= lease.until) return lease
  await updateRow(tx, quotaLease, placeOf(lease), { id, until: end })
  const longer = { ...lease, until: end }
  report(tx, actor, longer, 'prolonged')
  return longer
}

async function endOfParent(tx: Tx, { organizer, parent, until }: StoredLease): Promise<string> {
  const [row] = parent === null ? [] : await leasesWhere(tx, organizer, oneOf([parent]))
  return row?.state === 'open' ? row.until : until
}

/**
 * Takes back what a device does not need any more of its lease. `sold` is how many it has sold of it: those that are
 * still on their way here stay counted.
 */
export async function returnLease(
  tx: Tx,
  actor: Actor,
  { organizer, id }: LeaseKey,
  sold: number,
): Promise<StoredLease> {
  const lease = await lockOwn(tx, actor, organizer, id)
  if (lease.state !== 'open') return lease
  const closed = await closeLease(tx, lease, sold)
  report(tx, actor, closed, 'returned')
  return closed
}

/** Makes a lease as small as what was sold of it, and ends it. */
async function closeLease(tx: Tx, lease: StoredLease, sold: number): Promise<StoredLease> {
  const size = Math.min(lease.size, Math.max(sold, lease.used))
  await updateRow(tx, quotaLease, placeOf(lease), { id: lease.id, size, state: 'returned' })
  return { ...lease, size, state: 'returned' }
}

/** The same from the side of the device: it sells nothing more of its own leases, and reports that; how many. */
export async function giveBackLeases(tx: Tx, actor: Actor, quotas: readonly number[]): Promise<number> {
  const holder = await readHolder(tx)
  if (!holder) return 0
  const { own, parts } = await readLeasedStock(tx, holder, quotas)
  // What own devices still hold of a lease is not ours to give back before its end.
  const idle = own.filter(
    (lease) =>
      lease.state === 'open' &&
      !parts.some((part) => part.parent === lease.id && part.state === 'open' && outstandingOf(part) > 0),
  )
  for (const { free: _, ...lease } of idle) {
    const ofParts = parts
      .filter(({ parent }) => parent === lease.id)
      .reduce((sum, part) => sum + part.used + outstandingOf(part), 0)
    const { leases } = await readOutboxTotals(tx, [lease.id], [])
    const sold = (leases.get(lease.id)?.sold ?? 0) + ofParts
    report(tx, actor, await closeLease(tx, lease, sold), 'returned')
  }
  return idle.length
}
