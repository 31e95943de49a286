import sql from 'sql-template-tag'
import { siteSpan } from '../../../schema/sites.ts'
import type { Role } from '../../../schema/sync.ts'
import { laterBy } from '../../domain/quotas/leases.ts'
import { Refusal } from '../../errors.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** Sites from the first on and before the end. */
export interface SitesGiven {
  readonly site: number
  readonly site_end: number
}

/** Who is given sites. */
interface Joiner {
  readonly organizer: number
  /** The id of its row. */
  readonly device: number
  readonly role: Role
  /** The site that it has now, and the one that it says it has: neither is given to it as another one. */
  readonly except: readonly (number | null)[]
}

/** How many sites a hub gets for itself and its own devices, where there are enough. */
const sitesOfHub = 1024
const fewestOfHub = 8

const hour = 3_600_000
const day = 24 * hour

/** How often a device gets other sites within a day: a machine that is put back again and again stays below that. */
const mostPerDay: Readonly<Record<Role, number>> = { station: 20, hub: 8 }

/** How many sites an organizer may have where nobody says otherwise: sixty-four hubs, or as many stations. */
const usualShare = 65_536

interface Grant extends SitesGiven {
  readonly given: string
  readonly used: number
}

/**
 * Gives a device other sites than it has: those that it was given and never used, else some that nobody has. Throws 429
 * when it asks too often, and 409 when its organizer or this server has none left.
 */
export async function grantSites(tx: Tx, joiner: Joiner): Promise<SitesGiven> {
  const node = await tx.get<SitesGiven & { next_site: number; epoch: string }>(
    sql`SELECT site, next_site, site_end, epoch FROM node WHERE id = 1${tx.forUpdate}`,
  )
  if (!node) throw new Error('The database has lost its node row.')
  const own = await grantsOf(tx, joiner)
  refuseTooOften(tx, joiner.role, own)
  const given = (await owedTo(tx, joiner, own)) ?? (await takeSites(tx, joiner, node))
  await tx.run(
    sql`INSERT INTO site_grant (site, site_end, organizer, device, given, used)
        VALUES (${given.site}, ${given.site_end}, ${joiner.organizer}, ${joiner.device}, ${tx.now}, 0)
        ON CONFLICT (organizer, site) DO UPDATE SET given = ${tx.now}`,
  )
  return given
}

/** The device has made something under a site: it is given to nobody any more. */
export const noteUsedSite = (tx: Tx, { organizer, device }: Omit<Joiner, 'role' | 'except'>, site: number) =>
  tx.run(
    sql`UPDATE site_grant SET used = 1 WHERE organizer = ${organizer} AND device = ${device} AND site = ${site}`,
  )

/** Whether nothing was ever reported under some sites, and no device but one has any of them, now or as its home. */
export async function isNeverUsed(
  db: Queryable,
  { organizer, device }: Omit<Joiner, 'role' | 'except'>,
  { site, site_end: end }: SitesGiven,
): Promise<boolean> {
  const fact = await db.get(
    sql`SELECT site FROM seen_fact WHERE organizer = ${organizer} AND site >= ${site} AND site < ${end} LIMIT 1`,
  )
  if (fact) return false
  const other = await db.get(
    sql`SELECT id FROM device WHERE organizer = ${organizer} AND id <> ${device}
          AND ((site >= ${site} AND site < ${end}) OR (id >= ${site * siteSpan} AND id < ${end * siteSpan})) LIMIT 1`,
  )
  return other === undefined
}

async function grantsOf(tx: Tx, { organizer, device, role }: Joiner): Promise<readonly Grant[]> {
  const all = await tx.all<Grant>(
    sql`SELECT site, site_end, given, used FROM site_grant WHERE organizer = ${organizer} AND device = ${device}
        ORDER BY given, site`,
  )
  return all.filter(({ site, site_end }) => (role === 'hub') === site_end > site + 1)
}

function refuseTooOften(tx: Tx, role: Role, own: readonly Grant[]): void {
  const recent = own.filter(({ given }) => given > laterBy(tx.now, -day))
  const first = recent.at(-mostPerDay[role])
  if (!first) return
  const wait = Date.parse(first.given) + day - Date.parse(tx.now)
  throw new Refusal(
    429,
    {
      detail:
        'This device has joined too often today. If its disk is put back again and again, or two machines have the same data, mend that; or make another device for it.',
    },
    { 'Retry-After': String(Math.max(1, Math.ceil(wait / 1000))) },
  )
}

/** Those that a device got an hour ago or more and never used. Sooner it may be about to use them. */
async function owedTo(tx: Tx, joiner: Joiner, own: readonly Grant[]): Promise<SitesGiven | undefined> {
  for (const { site, site_end, given, used } of own) {
    const isFree = used === 0 && given < laterBy(tx.now, -hour) && !joiner.except.includes(site)
    if (isFree && (await isNeverUsed(tx, joiner, { site, site_end }))) return { site, site_end }
  }
  return undefined
}

/** Takes sites that nobody else has, of those that were given back or of the next ones. */
async function takeSites(
  tx: Tx,
  { organizer, role }: Joiner,
  node: SitesGiven & { readonly next_site: number; readonly epoch: string },
): Promise<SitesGiven> {
  const left = node.site_end - node.next_site
  // Below a hub there are fewer: another hub there gets a part of them and leaves the rest to the stations.
  const most =
    role === 'station' ? 1 : Math.min(sitesOfHub, node.site === 0 ? sitesOfHub : Math.floor(left / 4))
  if (node.site === 0) await refuseBeyondShare(tx, organizer, most)
  const back = await takeBack(tx, { organizer, epoch: node.epoch, count: most })
  if (back) return back
  const count = Math.min(most, role === 'station' ? left : Math.floor(left / 4))
  if (count < (role === 'hub' ? fewestOfHub : 1))
    throw new Refusal(409, {
      detail:
        'This server has no numbers left for more stations or hubs. Have the device join the central server, or another hub.',
    })
  await tx.run(sql`UPDATE node SET next_site = ${node.next_site + count} WHERE id = 1`)
  return { site: node.next_site, site_end: node.next_site + count }
}

/**
 * Takes so many of the smallest range that was given back and has them: none of an organizer that came from another server
 * with devices that have the same ones.
 */
async function takeBack(
  tx: Tx,
  { organizer, epoch, count }: { organizer: number; epoch: string; count: number },
): Promise<SitesGiven | undefined> {
  const range = await tx.get<SitesGiven>(
    sql`SELECT site, site_end FROM free_site WHERE epoch = ${epoch} AND site_end - site >= ${count}
          AND NOT EXISTS (SELECT 1 FROM site_grant g WHERE g.organizer = ${organizer}
            AND g.site < free_site.site_end AND g.site_end > free_site.site)
        ORDER BY site_end - site, site LIMIT 1`,
  )
  if (!range) return undefined
  const site_end = range.site + count
  await tx.run(sql`DELETE FROM free_site WHERE site = ${range.site}`)
  if (site_end < range.site_end)
    await tx.run(
      sql`INSERT INTO free_site (site, site_end, epoch) VALUES (${site_end}, ${range.site_end}, ${epoch})`,
    )
  return { site: range.site, site_end }
}

/** How many sites an organizer may have, and how many it has. */
export async function shareOf(
  db: Queryable,
  organizer: number,
): Promise<{ readonly share: number; readonly given: number }> {
  const said = await db.get<{ numbers: number }>(
    sql`SELECT numbers FROM site_share WHERE organizer = ${organizer}`,
  )
  const row = await db.get<{ given: number | null }>(
    sql`SELECT sum(site_end - site) AS given FROM site_grant WHERE organizer = ${organizer}`,
  )
  return { share: said?.numbers ?? usualShare, given: Number(row?.given ?? 0) }
}

async function refuseBeyondShare(tx: Tx, organizer: number, count: number): Promise<void> {
  const { share, given } = await shareOf(tx, organizer)
  if (given + count > share)
    throw new Refusal(409, {
      detail:
        'All numbers for stations and hubs of this organizer are given out. Whoever runs the server sees who has them with "gatehouse site list", gets unused ones back with "gatehouse site return", and allows more with "gatehouse site allow".',
    })
}
