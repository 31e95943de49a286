import sql, { raw } from 'sql-template-tag'
import { type Checkin, checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { Actor } from '../../resource/actor.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { recordWrongClock } from './conflict-rows.ts'
import { failuresWith } from './redeem-records.ts'

/** A scan that a client refused by itself, reported for the statistics. */
interface FailedScan {
  readonly list: number
  readonly reason: NonNullable<Checkin['error_reason']>
  readonly explanation: string | null
  readonly barcode: string
  /** When it was scanned, in stored form; null for now. */
  readonly at: string | null
  readonly type: 'entry' | 'exit'
  readonly position: number | null
  readonly raw_item: number | null
  readonly raw_variation: number | null
  readonly raw_subevent: number | null
  readonly nonce: string | null
}

/** What a scan may name of its event, and the tables that hold it. */
export const namedByScans = [
  ['position', 'order_position'],
  ['raw_item', 'item'],
  ['raw_variation', 'variation'],
  ['raw_subevent', 'subevent'],
] as const

/** Whether a row with an id belongs to an event. */
export const isOfEvent = async (
  db: Queryable,
  { organizer, event }: Place,
  table: (typeof namedByScans)[number][1],
  id: number,
): Promise<boolean> =>
  (await db.get(
    sql`SELECT id FROM ${raw(table)} WHERE organizer = ${organizer} AND event = ${event} AND id = ${id}`,
  )) !== undefined

/**
 * Stores a scan that was refused elsewhere, once for each nonce; the position is looked up by the code when not given.
 * Gives which position and time it is stored with.
 */
export async function recordFailedScan(
  tx: Tx,
  actor: Actor,
  place: Place,
  scan: FailedScan,
): Promise<{ readonly position: number | null; readonly at: string }> {
  const known = await failuresWith(tx, place, scan.nonce)
  const isSame = (one: { raw_barcode: string | null; position: number | null }) =>
    one.raw_barcode === scan.barcode || (scan.position !== null && one.position === scan.position)
  const meant = await tx.get<{ id: number }>(
    sql`SELECT id FROM order_position WHERE organizer = ${place.organizer} AND event = ${place.event} AND secret = ${scan.barcode}`,
  )
  const position = scan.position ?? meant?.id ?? null
  const at = scan.at ?? tx.now
  if (known.some((one) => one.list === scan.list && isSame(one))) return { position, at }
  const row = {
    ...blankRow(checkin),
    id: tx.nextId(),
    successful: false,
    error_reason: scan.reason,
    error_explanation: scan.explanation,
    position,
    datetime: at,
    created: tx.now,
    list: scan.list,
    gate: actor.device?.gate ?? null,
    device: actor.device?.id ?? null,
    type: scan.type,
    nonce: scan.nonce,
    forced: true,
    force_sent: true,
    raw_barcode: scan.barcode,
    raw_item: scan.raw_item,
    raw_variation: scan.raw_variation,
    raw_subevent: scan.raw_subevent,
    site: tx.site,
  }
  await insertRow(tx, checkin, place, row)
  await recordWrongClock(tx, place, row)
  const secret = meant ? scan.barcode : null
  tx.fact(place, actor.device?.id ?? null, { kind: 'checkin', payload: { row, secret } })
  tx.audit(place, actor, {
    action: position === null ? 'ticketsvc.event.checkin.unknown' : 'ticketsvc.event.checkin.denied',
    resource: 'checkin_list',
    row: scan.list,
    data: { position, list: scan.list, type: scan.type, datetime: at, reason: scan.reason },
  })
  return { position, at }
}
