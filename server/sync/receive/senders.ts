import sql, { join } from 'sql-template-tag'
import { devicePermissions } from '../../../schema/permissions.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import type { Actor } from '../../resource/actor.ts'
import { rowOf } from '../../resource/store.ts'
import { hashToken } from '../../services/codes/secrets.ts'
import type { Cells, Queryable } from '../../storage/database.ts'

/** Sites from the first on and before the second: a hub has the first, and gives the others to its own devices. */
export type SiteRange = readonly [number, number]

/** A device as far as what it reports is concerned. */
export interface KnownDevice {
  /** The id of its row. */
  readonly id: number
  readonly organizer: number
  readonly site: number | null
  /** Of a hub: the sites of itself and its own devices, from the first on and before the second; also former ones. */
  readonly ranges: readonly SiteRange[]
  readonly isRevoked: boolean
  /** The device as somebody who does things. */
  readonly actor: Actor
}

async function known(db: Queryable, organizer: number, cells: Cells): Promise<KnownDevice> {
  const row = rowOf(device, cells)
  const slugs = row.limit_events
  const events =
    row.all_events || slugs.length === 0
      ? []
      : await db.all<{ id: number }>(
          sql`SELECT id FROM event WHERE organizer = ${organizer} AND slug IN (${join(slugs)})`,
        )
  const { id, name, site, site_end: end } = row
  const own: SiteRange | null = site === null || end === null ? null : [site, end]
  return {
    id,
    organizer,
    site,
    ranges: [...(own === null ? [] : [own]), ...(row.former_sites ?? [])],
    isRevoked: row.revoked,
    actor: {
      kind: 'device',
      id,
      name,
      organizer,
      permissions: new Set(devicePermissions),
      allEvents: row.all_events,
      events: new Set(events.map((one) => one.id)),
      device: { id, gate: row.gate, profile: row.security_profile },
    },
  }
}

/** The device that a token belongs to, also one that was revoked; undefined where there is none. */
export async function deviceByToken(db: Queryable, token: string): Promise<KnownDevice | undefined> {
  const cells = await db.get(
    sql`SELECT * FROM device WHERE token_hash = ${hashToken(token)} AND initialized IS NOT NULL`,
  )
  return cells && known(db, Number(cells.organizer), cells)
}

/** Some devices of an organizer by the ids of their rows. */
export async function devicesById(
  db: Queryable,
  organizer: number,
  ids: readonly number[],
): Promise<Map<number, KnownDevice>> {
  const found = new Map<number, KnownDevice>()
  if (ids.length === 0) return found
  const rows = await db.all(
    sql`SELECT * FROM device WHERE organizer = ${organizer} AND id IN (${join([...ids])})`,
  )
  for (const cells of rows) found.set(Number(cells.id), await known(db, organizer, cells))
  return found
}
