import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { readInstant } from '../../../schema/instants.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { siteOf } from '../../../schema/sites.ts'
import type { SentFact } from '../../../schema/sync.ts'
import { outstandingOf } from '../../domain/quotas/leases.ts'
import { impossible } from '../../errors.ts'
import { insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { takeEarly } from '../../services/quotas/lease-counting.ts'
import { leasesWhere, lockLease, oneOf, placeOf, type StoredLease } from '../../services/quotas/lease-rows.ts'
import type { Applied, Applier } from './applier.ts'
import { isBelow, isOf } from './receive-rights.ts'
import { devicesById, type KnownDevice } from './senders.ts'

const applied: Applied = { status: 'applied' }

const notTheirs: Applied = {
  status: 'rejected',
  reason: 'not_theirs',
  detail: 'The lease belongs to somebody else.',
}

const usedUp: Applied = {
  status: 'retry',
  reason: 'lease_used_up',
  detail: 'More was given on of the lease than is left of it. Some of that has to end first.',
}

/**
 * Applies what a hub or station reports of a lease: that a hub has given a part of its own to one of its devices, has
 * prolonged or ended it, or that a device gives back what is left of its own. Leases only get smaller and only end. The
 * parts of a lease are of that hub's devices, end with it at the latest, and are never more than it in all: in whatever
 * order they are reported, one that does not fit waits for the end of another. A lease that a restored server has
 * forgotten is nobody's any more.
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
  const changes = changesOf(known, reported, {
    promised: await promisedOf(tx, known),
    latest: parent?.until ?? known.until,
  })
  await updateRow(tx, quotaLease, placeOf(known), { id: known.id, ...changes })
  return applied
}

async function addPart(tx: Tx, whole: StoredLease, reported: StoredLease, fact: SentFact): Promise<Applied> {
  if (
    whole.event !== reported.event ||
    whole.quota !== reported.quota ||
    !(await holds(tx, whole, fact.site))
  )
    return notTheirs
  const devices = await devicesById(tx, reported.organizer, [whole.device, reported.device])
  const holder = devices.get(reported.device)
  if (!holder)
    return {
      status: 'retry',
      reason: 'unknown_device',
      detail: 'The device of the lease is not known here yet.',
    }
  const hub = devices.get(whole.device)
  if (!hub || !isOfHub(hub, siteOf(holder.id)) || !isBelow(hub, reported.site)) return notTheirs
  const { organizer: _, event: __, ...row } = reported
  // Whoever reports a sale waits, so that it is either kept for the part before or counted by its row.
  await lockRow(tx, quota, placeOf(reported), { id: reported.quota })
  const used = await takeEarly(tx, placeOf(reported), reported.id, reported.site)
  const now = (await lockLease(tx, whole.organizer, whole.id)) ?? whole
  const part = {
    ...{ ...row, used, until: earlier(reported.until, now.until) },
    // What is over holds nothing any more, and a part is over with the whole.
    state: now.state === 'expired' ? now.state : reported.state,
  }
  const isLeft = outstandingOf(part) <= outstandingOf(now) - (await promisedOf(tx, now))
  if (!isLeft && outstandingOf(part) > 0) return usedUp
  await insertRow(tx, quotaLease, placeOf(reported), part)
  return applied
}

/** How many of a lease its parts still hold. */
async function promisedOf(tx: Tx, { organizer, id }: StoredLease): Promise<number> {
  const parts = await leasesWhere(tx, organizer, sql`parent = ${id}`)
  return parts.reduce((sum, part) => sum + outstandingOf(part), 0)
}

/** Whether a site is of a hub: its own, or one that it has given. */
const isOfHub = (hub: KnownDevice, site: number): boolean => isOf(hub, site) || isBelow(hub, site)

const earlier = (one: string, other: string): string => (one < other ? one : other)

/** Whether a site is that of the device that holds a lease: as it was then, or after that has joined anew. */
async function holds(tx: Tx, { organizer, device, site }: StoredLease, reporter: number): Promise<boolean> {
  if (site === reporter) return true
  const holder = (await devicesById(tx, organizer, [device])).get(device)
  return holder !== undefined && isOf(holder, reporter)
}

/** What bounds the changes of a lease: what its parts hold of it, and the end of what it is a part of. */
interface LeaseBounds {
  readonly promised: number
  readonly latest: string
}

/** What becomes of a lease by what is reported of it. */
function changesOf(
  known: StoredLease,
  reported: StoredLease,
  { promised, latest }: LeaseBounds,
): Partial<Pick<StoredLease, 'state' | 'size' | 'until'>> {
  if (known.state === 'expired') return {}
  if (reported.state === 'expired') return { state: 'expired' }
  const least = Math.max(reported.size, known.used + promised)
  if (reported.state === 'returned') return { state: 'returned', size: Math.min(known.size, least) }
  const until = earlier(reported.until, latest)
  return known.state === 'open' && until > known.until ? { until } : {}
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
