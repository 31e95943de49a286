import type { StoredRow } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import type { Role } from '../../../schema/sync.ts'
import { denied, unauthenticated } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { tellOfDevice } from './device-behaviour.ts'
import { isReportedTwice, newestReported } from './reported-facts.ts'
import { grantSites, noteUsedSite, type SitesGiven } from './site-grants.ts'

/** What a node says of itself when it joins. */
interface Joining {
  readonly role: Role
  /** The site that it has from joining before, or null. */
  readonly site: number | null
  /** The newest place in the order of its own facts. */
  readonly site_seq: number
}

/** The device that joined, and the sites that are its own. */
interface SiteGiven extends SitesGiven {
  readonly row: StoredRow<typeof device>
}

/**
 * Gives a device the site under which it makes ids. The same one again is for the same data only: an older copy of it
 * would make ids a second time, and so would a copy beside it. These get sites of their own, also where an older copy
 * has gone on offline for so long that its newest fact says nothing.
 */
export async function giveSite(
  tx: Tx,
  actor: Actor,
  organizer: number,
  { role, site, site_seq }: Joining,
): Promise<SiteGiven> {
  const place = { organizer, event: 0 }
  const row = await lockRow(tx, device, place, { id: actor.id })
  if (!row || row.revoked) throw unauthenticated('Device access has been revoked.')
  if (role === 'hub' && row.security_profile !== 'full')
    throw denied('Only a device with the profile full can be a hub, because others get their data from it.')
  const end = row.site_end
  const isSame =
    site !== null &&
    site === row.site &&
    site_seq >= (await newestReported(tx, organizer, site)) &&
    (role === 'hub') === (end !== null) &&
    !(await isReportedTwice(tx, organizer, site))
  const known = { organizer, device: actor.id }
  if (site !== null && site_seq > 0) await noteUsedSite(tx, known, site)
  if (isSame) return { row, site, site_end: end ?? site + 1 }
  const given = await grantSites(tx, { ...known, role, except: [row.site, site] })
  const former = [
    ...(row.former_sites ?? []),
    ...(row.site === null || end === null ? [] : [[row.site, end] as const]),
  ].filter(([first]) => first !== given.site)
  const changes = {
    site: given.site,
    site_end: role === 'hub' ? given.site_end : null,
    former_sites: former.length === 0 ? null : former,
  }
  await updateRow(tx, device, place, { id: actor.id, ...changes })
  const next = { ...row, ...changes }
  tellOfDevice(tx, organizer, next)
  tx.audit(place, actor, {
    action: 'ticketsvc.device.joined',
    resource: device.name,
    row: actor.id,
    data: { role, site: given.site },
  })
  return { row: next, ...given }
}
