import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { readInstant } from '../../../schema/instants.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import type { SentFact } from '../../../schema/sync.ts'
import { impossible } from '../../errors.ts'
import { insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { takeEarly } from '../../services/quotas/lease-counting.ts'
import { leasesWhere, lockLease, oneOf, placeOf, type StoredLease } from '../../services/quotas/lease-rows.ts'
import type { Applied, Applier } from './applier.ts'
import { isOf } from './receive-rights.ts'
import { devicesById } from './senders.ts'

const applied: Applied = { status: 'applied' }

const notTheirs: Applied = {
  status: 'rejected',
  reason: 'not_theirs',
  detail: 'The lease belongs to somebody else.',
}

/**
 * Applies what a hub or station reports of a lease: that a hub has given a part of its own to one of its devices, has
 * prolonged or ended it, or that a device gives back what is left of its own. Leases only get smaller and only end; a
 * lease that a restored server has forgotten is nobody's any more.
 */
export const applyLease: Applier = async (tx, { place }, fact) => {
  const reported = readLease(place, fact)
  const known = await lockLease(tx, place.organizer, reported.id)
  const [parent] =
    reported.parent === null ? [] : await leasesWhere(tx, place.organizer, oneOf([reported.parent]))
  if (!known) return parent ? addPart(tx, parent, reported, fact) : applied
  const isGiver = parent !== undefined && known.parent === parent.id && (await holds(tx, parent, fact.site))
  const isHolder = known.site === fact.site
  if (known.event !== place.event || !(isGiver || (isHolder && reported.state === 'returned')))
    return notTheirs
  await updateRow(tx, quotaLease, placeOf(known), { id: known.id, ...changesOf(known, reported) })
  return applied
}

async function addPart(tx: Tx, parent: StoredLease, reported: StoredLease, fact: SentFact): Promise<Applied> {
  if (
    parent.event !== reported.event ||
    parent.quota !== reported.quota ||
    !(await holds(tx, parent, fact.site))
  )
    return notTheirs
  const holder = await tx.get(
    sql`SELECT id FROM device WHERE organizer = ${reported.organizer} AND id = ${reported.device}`,
  )
  if (!holder)
    return {
      status: 'retry',
      reason: 'unknown_device',
      detail: 'The device of the lease is not known here yet.',
    }
  const { organizer: _, event: __, ...row } = reported
  // Whoever reports a sale waits, so that it is either kept for the part before or counted by its row.
  await lockRow(tx, quota, placeOf(reported), { id: reported.quota })
  const used = await takeEarly(tx, placeOf(reported), reported.id, reported.site)
  // Of a whole that was given back meanwhile, a part is no more than what was sold of it.
  const size = Math.min(reported.size, parent.size)
  await insertRow(tx, quotaLease, placeOf(reported), { ...row, size, used })
  return applied
}

/** Whether a site is that of the device that holds a lease: as it was then, or after that has joined anew. */
async function holds(tx: Tx, { organizer, device, site }: StoredLease, reporter: number): Promise<boolean> {
  if (site === reporter) return true
  const holder = (await devicesById(tx, organizer, [device])).get(device)
  return holder !== undefined && isOf(holder, reporter)
}

/** What becomes of a lease by what is reported of it. */
function changesOf(
  known: StoredLease,
  reported: StoredLease,
): Partial<Pick<StoredLease, 'state' | 'size' | 'until'>> {
  if (known.state === 'expired') return {}
  if (reported.state === 'expired') return { state: 'expired' }
  if (reported.state === 'returned')
    return { state: 'returned', size: Math.min(known.size, Math.max(reported.size, known.used)) }
  return known.state === 'open' && reported.until > known.until ? { until: reported.until } : {}
}

/** A lease as it was sent; throws 400 for anything else. */
function readLease(place: Place, fact: SentFact): StoredLease {
  const { row } = fact.payload as { row?: JsonObject | null }
  const { id, quota, device, site, parent, size, state } = row ?? {}
  const created = momentOf(row?.created)
  const until = momentOf(row?.until)
  if (![id, quota, device, site, size].every(isCount) || !(parent === null || isCount(parent)))
    throw impossible('The lease is not complete.')
  if (created === undefined || until === undefined) throw impossible('The lease has no times.')
  if (state !== 'open' && state !== 'returned' && state !== 'expired')
    throw impossible('The lease is in no state that is known.')
  const numbers = { id, quota, device, site, parent, size } as Pick<
    StoredLease,
    'id' | 'quota' | 'device' | 'site' | 'parent' | 'size'
  >
  return { ...place, ...numbers, used: 0, state, created, until }
}

const momentOf = (value: unknown): string | undefined =>
  typeof value === 'string' ? readInstant(value) : undefined

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0
