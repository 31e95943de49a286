import sql from 'sql-template-tag'
import { device } from '../../../schema/resources/devices/device.ts'
import { impossible } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { tellOfDevice } from './device-behaviour.ts'
import { isNeverUsed, type SitesGiven, shareOf } from './site-grants.ts'

/** The sites of an organizer and of its devices, as an operator is shown them. */
interface SitesShown {
  readonly share: number
  readonly given: number
  /** How many this server has left for everybody. */
  readonly left: number
  readonly devices: readonly {
    readonly device_id: number
    readonly name: string
    readonly revoked: boolean
    readonly numbers: number
    readonly times: number
    readonly newest: string
  }[]
}

/** Who has the sites of an organizer; those with most of them first. */
export async function sitesOf(db: Queryable, organizer: number): Promise<SitesShown> {
  const node = await db.get<{ next_site: number; site_end: number; free: number | null }>(
    sql`SELECT next_site, site_end,
          (SELECT sum(f.site_end - f.site) FROM free_site f WHERE f.epoch = node.epoch) AS free
        FROM node WHERE id = 1`,
  )
  const rows = await db.all<{
    device_id: number
    name: string
    revoked: number
    numbers: number
    times: number
    newest: string
  }>(
    sql`SELECT d.device_id, d.name, d.revoked, sum(g.site_end - g.site) AS numbers, count(*) AS times, max(g.given) AS newest
        FROM site_grant g JOIN device d ON d.organizer = g.organizer AND d.id = g.device
        WHERE g.organizer = ${organizer}
        GROUP BY d.device_id, d.name, d.revoked ORDER BY 4 DESC, 1 LIMIT 1000`,
  )
  return {
    ...(await shareOf(db, organizer)),
    left: Number(node?.site_end ?? 0) - Number(node?.next_site ?? 0) + Number(node?.free ?? 0),
    devices: rows.map((row) => ({
      ...row,
      revoked: row.revoked === 1,
      numbers: Number(row.numbers),
      times: Number(row.times),
    })),
  }
}

/**
 * Takes back the sites of a device under which nothing was ever reported, so that others get them; how many. The one that
 * it has now is left to it as long as it is not revoked: what it has not reported yet is under that one.
 */
export async function returnSites(
  tx: Tx,
  actor: Actor,
  organizer: number,
  number: number,
): Promise<{ readonly returned: number }> {
  const place = { organizer, event: 0 }
  const row = await lockRow(tx, device, place, { device_id: number })
  if (!row) throw impossible(`There is no device ${number}.`)
  const node = await tx.get<{ epoch: string }>(sql`SELECT epoch FROM node WHERE id = 1${tx.forUpdate}`)
  const granted = await tx.all<SitesGiven & { used: number }>(
    sql`SELECT site, site_end, used FROM site_grant WHERE organizer = ${organizer} AND device = ${row.id} ORDER BY site`,
  )
  const former = (row.former_sites ?? [])
    .filter(([first]) => !granted.some(({ site }) => site === first))
    .map(([site, site_end]) => ({ site, site_end, used: 0 }))
  const returned: SitesGiven[] = []
  for (const { site, site_end, used } of [...granted, ...former]) {
    if (used === 1 || (site === row.site && !row.revoked)) continue
    if (!(await isNeverUsed(tx, { organizer, device: row.id }, { site, site_end }))) continue
    await tx.run(sql`DELETE FROM site_grant WHERE organizer = ${organizer} AND site = ${site}`)
    await tx.run(
      sql`INSERT INTO free_site (site, site_end, epoch) VALUES (${site}, ${site_end}, ${node?.epoch ?? ''})
          ON CONFLICT (site) DO NOTHING`,
    )
    returned.push({ site, site_end })
  }
  const isReturned = (first: number | null): boolean => returned.some(({ site }) => site === first)
  const left = (row.former_sites ?? []).filter(([first]) => !isReturned(first))
  const changes = {
    former_sites: left.length === 0 ? null : left,
    ...(isReturned(row.site) ? { site: null, site_end: null } : {}),
  }
  if (returned.length > 0) {
    await updateRow(tx, device, place, { id: row.id, ...changes })
    tellOfDevice(tx, organizer, { ...row, ...changes })
  }
  const count = returned.reduce((sum, { site, site_end }) => sum + site_end - site, 0)
  tx.audit(place, actor, {
    action: 'ticketsvc.device.sites_returned',
    resource: device.name,
    row: row.id,
    data: { count },
  })
  return { returned: count }
}

/** Says how many sites an organizer may have from now on. */
export async function allowSites(tx: Tx, actor: Actor, organizer: number, numbers: number): Promise<void> {
  await tx.run(
    sql`INSERT INTO site_share (organizer, numbers) VALUES (${organizer}, ${numbers})
        ON CONFLICT (organizer) DO UPDATE SET numbers = ${numbers}`,
  )
  tx.audit({ organizer, event: 0 }, actor, {
    action: 'ticketsvc.organizer.sites_allowed',
    resource: 'organizer',
    row: organizer,
    data: { numbers },
  })
}
