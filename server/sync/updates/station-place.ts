import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import sql from 'sql-template-tag'
import { type UpdateChannel, updateChannels } from '../../../schema/updates/release.ts'
import type { Queryable } from '../../storage/database.ts'
import { readUpstream } from '../upstream/upstream.ts'

/** Which updates a machine is offered: by the channel that its operator has chosen, and by its place among all. */
export interface StationPlace {
  readonly channel: UpdateChannel
  /** From 0 on and below 100, always the same for a device. */
  readonly place: number
}

/** The place of a device among all: shares that grow take in more of them, and always the same ones first. */
export const placeAmongAll = (device: string): number =>
  createHash('sha256').update(device).digest().readUInt32BE(0) % 100

/** Looks it up in the copy of the data. */
export async function stationPlace(db: Queryable): Promise<StationPlace> {
  const up = await readUpstream(db)
  if (!up || up.device === 0) return { channel: 'stable', place: placeAmongAll(hostname()) }
  const row = await db.get<{ update_channel: string }>(
    sql`SELECT update_channel FROM device WHERE organizer = ${up.organizer} AND id = ${up.device}`,
  )
  return {
    channel: updateChannels.find((one) => one === row?.update_channel) ?? 'stable',
    place: placeAmongAll(`${up.slug}/${up.device}`),
  }
}
