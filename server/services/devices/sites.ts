import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import type { Role } from '../../../schema/sync.ts'
import { denied, Refusal, unauthenticated } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { tellOfDevice } from './device-behaviour.ts'
import { isReportedTwice, newestReported } from './reported-facts.ts'

/** What a node says of itself when it joins. */
interface Joining {
  readonly role: Role
  /** The site that it has from joining before, or null. */
  readonly site: number | null
  /** The newest place in the order of its own facts. */
  readonly site_seq: number
}

/** The device that joined, and the sites from the first on and before the end that are its own. */
interface SiteGiven {
  readonly row: StoredRow<typeof device>
  readonly site: number
  readonly site_end: number
}

/** How many sites a hub gets for itself and its own devices, where there are enough. */
const sitesOfHub = 1024
const fewestOfHub = 8

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
  if (isSame) return { row, site, site_end: end ?? site + 1 }
  const given = await takeSites(tx, role)
  const former = row.former_sites ?? []
  const changes = {
    site: given.site,
    site_end: role === 'hub' ? given.site_end : null,
    former_sites:
      row.site === null || end === null ? row.former_sites : [...former, [row.site, end] as const],
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

/** Takes sites that nobody else has from those of this node; 409 when there are none left. */
async function takeSites(tx: Tx, role: Role): Promise<{ site: number; site_end: number }> {
  const node = await tx.get<{ next_site: number; site_end: number }>(
    sql`SELECT next_site, site_end FROM node WHERE id = 1${tx.forUpdate}`,
  )
  if (!node) throw new Error('The database has lost its node row.')
  const left = node.site_end - node.next_site
  // Below a hub there are fewer: another hub there gets a part of them and leaves the rest to the stations.
  const count = role === 'station' ? 1 : Math.min(sitesOfHub, Math.floor(left / 4))
  if (left < 1 || (role === 'hub' && count < fewestOfHub))
    throw new Refusal(409, {
      detail:
        'This server has no numbers left for more stations or hubs. Have the device join the central server, or another hub.',
    })
  await tx.run(sql`UPDATE node SET next_site = ${node.next_site + count} WHERE id = 1`)
  return { site: node.next_site, site_end: node.next_site + count }
}
