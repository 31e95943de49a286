import sql from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import { siteOf } from '../../../schema/sites.ts'
import type { SentFact } from '../../../schema/sync.ts'
import { insertRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { isOfEvent } from '../../services/checkin/failed-checkin.ts'
import { mergeAnswers } from './answers.ts'
import type { Applied, Applier, ApplyContext } from './applier.ts'
import { contradictionsOf, oddities } from './checkin-conflicts.ts'
import { type ReportedCheckin, readCheckin } from './checkin-payload.ts'
import { findPosition, mayStillCome, type ReportedPosition, touchOrder } from './reported-position.ts'

/**
 * Stores a scan that a station has judged, admitted or not: it has happened, so it is never refused because of what is
 * known here, and what contradicts it is kept beside it.
 */
export const applyCheckin: Applier = async (tx, context, fact) => {
  const { place } = context
  const { row: reported, secret, isBySignature, answers } = readCheckin(fact)
  if (!(await exists(tx, place, reported.list)))
    return { status: 'rejected', reason: 'unknown_list', detail: 'There is no such check-in list here.' }
  const position = await findPosition(tx, place, reported.position, secret ?? reported.raw_barcode)
  if (!position && reported.successful && !isBySignature && mayStillCome(tx, context, reported.position))
    return {
      status: 'retry',
      reason: 'unknown_order',
      detail: 'The order of this ticket is not known here yet.',
    }
  const known = await knownScan(tx, place, reported, fact)
  if (known !== undefined) return answerFor(tx, place, { ...reported, id: known }, position)

  const isTaken = await idIsTaken(tx, place, reported.id)
  const keepsId = !isTaken && siteOf(reported.id) === fact.site
  const row: ReportedCheckin = {
    ...reported,
    id: keepsId ? reported.id : tx.nextId(),
    position: position?.id ?? null,
    device: fact.device,
    gate: await knownGate(tx, place, reported.gate),
    ...(await knownProduct(tx, place, reported)),
    datetime: rightTime(reported, context),
    created: tx.now,
    site: fact.site,
    ordinal: await freeOrdinal(tx, place, { ...reported, position: position?.id ?? null, site: fact.site }),
  }
  await insertRow(tx, checkin, place, row)
  if (position) {
    await touchOrder(tx, place, position.order_id)
    if (answers.length > 0) await mergeAnswers(tx, context, position, { answers })
  }
  audit(tx, context, row, position)
  const odd = await oddities(tx, context, row, isTaken ? reported.id : null)
  const answer = await answerFor(tx, place, row, position)
  const conflicts = [...(answer.conflicts ?? []), ...odd]
  return {
    status: odd.some(({ kind }) => kind === 'unknown_secret') ? 'conflict' : answer.status,
    ...(conflicts.length > 0 ? { conflicts } : {}),
    ...(isTaken ? { rejoin: true } : {}),
  }
}

async function answerFor(
  tx: Tx,
  place: Place,
  { id, list, successful }: ReportedCheckin,
  position: ReportedPosition | null,
): Promise<Applied> {
  if (!successful || !position) return { status: 'applied' }
  const conflicts = await contradictionsOf(tx, place, { list, position: position.id, checkin: id })
  if (conflicts.length === 0) return { status: 'applied' }
  return { status: conflicts.some(({ lost }) => lost) ? 'conflict' : 'applied', conflicts }
}

const exists = async (tx: Tx, { organizer, event }: Place, list: number): Promise<boolean> =>
  (await tx.get(
    sql`SELECT id FROM checkin_list WHERE organizer = ${organizer} AND event = ${event} AND id = ${list}`,
  )) !== undefined

interface KnownScan {
  readonly id: number
  readonly list: number
  readonly type: string
  readonly device: number | null
  readonly raw_barcode: string | null
  readonly successful: number
  readonly error_reason: string | null
  readonly datetime: string
}

/**
 * The id of the same scan where it is here already: it was reported in another way, or before a backup was restored.
 */
async function knownScan(
  tx: Tx,
  { organizer }: Place,
  reported: ReportedCheckin,
  { device }: SentFact,
): Promise<number | undefined> {
  const which =
    reported.nonce === null ? sql`id = ${reported.id} AND nonce IS NULL` : sql`nonce = ${reported.nonce}`
  // Ordered by the bare id, SQLite would read all check-ins in their order instead of finding the nonce.
  const found = await tx.all<KnownScan>(
    sql`SELECT id, list, "type" AS type, device, raw_barcode, successful, error_reason, datetime FROM checkin
        WHERE organizer = ${organizer} AND ${which} ORDER BY id + 0`,
  )
  const isSame = (one: KnownScan): boolean =>
    one.list === reported.list &&
    one.type === reported.type &&
    one.device === device &&
    one.raw_barcode === reported.raw_barcode &&
    (reported.nonce !== null || one.datetime === reported.datetime) &&
    (reported.successful
      ? one.successful === 1 || one.error_reason === 'annulled'
      : one.error_reason === reported.error_reason)
  return found.find(isSame)?.id
}

const idIsTaken = async (tx: Tx, { organizer }: Place, id: number): Promise<boolean> =>
  (await tx.get(sql`SELECT id FROM checkin WHERE organizer = ${organizer} AND id = ${id}`)) !== undefined

async function knownGate(tx: Tx, { organizer }: Place, gate: number | null): Promise<number | null> {
  if (gate === null) return null
  const row = await tx.get<{ id: number }>(
    sql`SELECT id FROM gate WHERE organizer = ${organizer} AND id = ${gate}`,
  )
  return row?.id ?? null
}

/** What a scan says of the product of its code, as far as that is of the event. */
async function knownProduct(
  tx: Tx,
  place: Place,
  reported: ReportedCheckin,
): Promise<Pick<ReportedCheckin, 'raw_item' | 'raw_variation' | 'raw_subevent'>> {
  const known = async (table: 'item' | 'variation' | 'subevent', id: number | null) =>
    id !== null && (await isOfEvent(tx, place, table, id)) ? id : null
  return {
    raw_item: await known('item', reported.raw_item),
    raw_variation: await known('variation', reported.raw_variation),
    raw_subevent: await known('subevent', reported.raw_subevent),
  }
}

const second = 1_000_000

/**
 * When a scan happened by the right time. A station may note a scan for an earlier moment than that of noting it, so
 * its time is moved by as much as the moment of noting was wrong.
 */
function rightTime({ datetime, created }: ReportedCheckin, { at }: ApplyContext): string {
  const wrong = microsecondsOf(at) - microsecondsOf(created)
  return Math.abs(wrong) > second ? instantAt(microsecondsOf(datetime) + wrong) : datetime
}

/** The sender's place in the order of a ticket's check-ins, or null where another one has it. */
async function freeOrdinal(
  tx: Tx,
  { organizer }: Place,
  { list, position, site, ordinal }: Pick<ReportedCheckin, 'list' | 'position' | 'site' | 'ordinal'>,
): Promise<number | null> {
  if (ordinal === null || position === null) return ordinal
  const taken = await tx.get(
    sql`SELECT id FROM checkin WHERE organizer = ${organizer} AND list = ${list} AND "position" = ${position}
        AND site = ${site} AND ordinal = ${ordinal}`,
  )
  return taken ? null : ordinal
}

function audit(
  tx: Tx,
  { place, actor }: ApplyContext,
  row: ReportedCheckin,
  position: ReportedPosition | null,
): void {
  const about = { list: row.list, type: row.type, datetime: row.datetime }
  if (row.successful)
    tx.audit(place, actor, {
      action: 'ticketsvc.event.checkin',
      resource: position ? 'order' : 'checkin_list',
      row: position?.order_id ?? row.list,
      data: {
        position: position?.id,
        positionid: position?.positionid,
        ...about,
        first_checkin: row.ordinal === 1,
        forced: row.forced || position?.order_status !== 'p',
      },
    })
  else
    tx.audit(place, actor, {
      action: position ? 'ticketsvc.event.checkin.denied' : 'ticketsvc.event.checkin.unknown',
      resource: position ? 'order' : 'checkin_list',
      row: position?.order_id ?? row.list,
      data: { position: position?.id, ...about, reason: row.error_reason },
    })
}
