import sql from 'sql-template-tag'
import type { UnknownTickets } from '../../../schema/bodies/station-sync.ts'
import type { Role } from '../../../schema/sync.ts'
import type { SellingSettings } from '../../services/quotas/lease-holder.ts'
import type { Queryable } from '../../storage/database.ts'

/** How a station waits for the confirmation of a scan, and what it keeps. */
export interface UpstreamSettings {
  /** Milliseconds that a scan waits for its confirmation while the link is up; 0 never waits. */
  readonly confirm_ms: number
  /** Check-in lists on which nobody is admitted without confirmation. */
  readonly strict_lists: readonly number[]
  readonly strict_wait_ms: number
  /** Whether a strict list goes on by itself while the upstream server cannot be reached. */
  readonly strict_fallback: boolean
  /** What is said to signed tickets whose order is not known here. */
  readonly signed_unknown: UnknownTickets
  /** Days after the end of an event that its guests stay on this machine. */
  readonly keep_days: number
  /**
   * The quotas that leases are kept of, where the device may sell, and how many of each are sold without, knowingly.
   */
  readonly sell_quotas: SellingSettings['sell_quotas']
  readonly sell_at_risk: number
  /** Events whose guests have left this machine because they are over for longer than that. */
  readonly forgotten: readonly number[]
  /** Facts up to this place in the outbox were reported to a server that this node followed before. */
  readonly told_before: number
  /** The site of which facts exist that this copy lacks: what is left of the leases of that site is not known here. */
  readonly outdated_site: number | null
}

/** What the settings are when nobody has said anything. */
export const upstreamDefaults: UpstreamSettings = {
  confirm_ms: 400,
  strict_lists: [],
  strict_wait_ms: 2000,
  strict_fallback: true,
  signed_unknown: 'by_age',
  keep_days: 14,
  sell_quotas: 'all',
  sell_at_risk: 0,
  forgotten: [],
  told_before: 0,
  outdated_site: null,
}

/**
 * How far a node is with the upstream server: it has been admitted but holds nothing yet (`joining`), it follows
 * (`following`), its access was revoked (`revoked`), and it has given up all data for that (`wiped`).
 */
type UpstreamState = 'joining' | 'following' | 'revoked' | 'wiped'

/** The upstream server this one, and how far this node has followed it. */
export interface Upstream {
  /** Where it answers, without a slash at the end. */
  readonly url: string
  readonly organizer: number
  readonly slug: string
  /** The row of the device that this node is there. */
  readonly device: number
  readonly deviceName: string
  readonly profile: string
  readonly token: string
  readonly role: Role
  readonly site: number
  readonly siteEnd: number
  readonly state: UpstreamState
  readonly epoch: string | null
  readonly cursor: string | null
  readonly settings: UpstreamSettings
  readonly clockOffset: number | null
  readonly clockUncertainty: number | null
  /** When it last answered, and when its data last arrived; stored instants. */
  readonly lastContact: string | null
  readonly lastData: string | null
}

interface UpstreamCells {
  readonly url: string
  readonly organizer: number
  readonly slug: string
  readonly device: number
  readonly device_name: string
  readonly security_profile: string
  readonly token: string
  readonly role: Role
  readonly site: number
  readonly site_end: number
  readonly state: UpstreamState
  readonly epoch: string | null
  readonly cursor: string | null
  /** As JSON text. */
  readonly settings: string
  readonly clock_offset: number | null
  readonly clock_uncertainty: number | null
  readonly last_contact: string | null
  readonly last_data: string | null
}

const rowOf = (cells: UpstreamCells): Upstream => ({
  url: cells.url,
  organizer: cells.organizer,
  slug: cells.slug,
  device: cells.device,
  deviceName: cells.device_name,
  profile: cells.security_profile,
  token: cells.token,
  role: cells.role,
  site: cells.site,
  siteEnd: cells.site_end,
  state: cells.state,
  epoch: cells.epoch,
  cursor: cells.cursor,
  settings: { ...upstreamDefaults, ...JSON.parse(cells.settings) },
  clockOffset: cells.clock_offset,
  clockUncertainty: cells.clock_uncertainty,
  lastContact: cells.last_contact,
  lastData: cells.last_data,
})

/** The upstream server this node, or undefined where there is none. */
export async function readUpstream(db: Queryable): Promise<Upstream | undefined> {
  const cells = await db.get<UpstreamCells>(sql`SELECT * FROM upstream WHERE id = 1`)
  return cells && rowOf(cells)
}

/** Stores the whole row. */
export async function writeUpstream(db: Queryable, up: Upstream): Promise<void> {
  await db.run(sql`DELETE FROM upstream WHERE id = 1`)
  await db.run(
    sql`INSERT INTO upstream (id, url, organizer, slug, device, device_name, security_profile, token, role, site, site_end,
          with_orders, state, epoch, "cursor", settings, clock_offset, clock_uncertainty, last_contact, last_data)
        VALUES (1, ${up.url}, ${up.organizer}, ${up.slug}, ${up.device}, ${up.deviceName}, ${up.profile}, ${up.token},
          ${up.role}, ${up.site}, ${up.siteEnd}, 1, ${up.state}, ${up.epoch}, ${up.cursor}, ${JSON.stringify(up.settings)},
          ${up.clockOffset}, ${up.clockUncertainty}, ${up.lastContact}, ${up.lastData})`,
  )
}

/** Notes up to where the upstream server was followed, in the transaction that applied it. */
export const saveCursor = (db: Queryable, cursor: string, at: string): Promise<number> =>
  db.run(sql`UPDATE upstream SET "cursor" = ${cursor}, last_data = ${at} WHERE id = 1`)

/** Notes that the copy held everything at a moment, where nothing has changed for a while. */
export const saveDataAge = (db: Queryable, at: string): Promise<number> =>
  db.run(sql`UPDATE upstream SET last_data = ${at} WHERE id = 1`)

/** Changes how a node and the upstream server get on. */
export const saveState = (db: Queryable, state: UpstreamState): Promise<number> =>
  db.run(sql`UPDATE upstream SET state = ${state} WHERE id = 1`)

/** Stores the settings. */
export const saveUpstreamSettings = (db: Queryable, settings: UpstreamSettings): Promise<number> =>
  db.run(sql`UPDATE upstream SET settings = ${JSON.stringify(settings)} WHERE id = 1`)

/** What was learned from the upstream server when it last answered; stored instants and milliseconds. */
interface Contact {
  readonly at: string
  readonly offset: number | null
  readonly uncertainty: number | null
  /** When the copy was last known to hold everything, if that is known. */
  readonly complete: string | null
}

/** Notes that the upstream server answered. */
export const saveContact = (db: Queryable, { at, offset, uncertainty, complete }: Contact): Promise<number> =>
  db.run(
    sql`UPDATE upstream SET last_contact = ${at}, clock_offset = ${offset}, clock_uncertainty = ${uncertainty},
          last_data = coalesce(${complete}, last_data) WHERE id = 1`,
  )

/** Notes that facts of the node's own site exist that this copy lacks, so that nothing is sold from its leases. */
export async function saveOutdated(db: Queryable): Promise<void> {
  const up = await readUpstream(db)
  if (up) await saveUpstreamSettings(db, { ...up.settings, outdated_site: up.site })
}

/** Forgets the upstream server. */
export const removeUpstream = (db: Queryable): Promise<number> =>
  db.run(sql`DELETE FROM upstream WHERE id = 1`)
