import sql from 'sql-template-tag'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { SentFact } from '../../../schema/sync.ts'
import { check } from '../../resource/input.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { markForced, reconcileConflicts } from '../../services/checkin/conflicts.ts'
import type { Applier } from './applier.ts'
import { touchOrder } from './reported-position.ts'

const schema = {
  type: 'object',
  required: ['checkin', 'nonce'],
  properties: {
    checkin: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    nonce: { type: ['string', 'null'], maxLength: 190 },
    explanation: { type: ['string', 'null'], maxLength: 5000 },
  },
} as const

interface Annulment {
  readonly checkin: number
  readonly nonce: string | null
  readonly explanation?: string | null
}

/** A check-in that can be undone, or was. */
interface Known {
  readonly id: number
  readonly datetime: string
  readonly list: number
  readonly position: number | null
  readonly successful: number
  readonly force_sent: number
  readonly error_reason: string | null
  readonly type: string
  readonly ordinal: number | null
  readonly order_id: number | null
}

/** Undoes a check-in that was undone at the station that had made it. */
export const applyAnnulment: Applier = async (tx, { place, actor, at }, fact) => {
  const annulment = readAnnulment(fact)
  const found = await checkinsMeant(tx, place, fact)
  const admitted = found.filter((one) => one.successful === 1)
  if (admitted.length === 0)
    return found.some((one) => one.error_reason === 'annulled')
      ? { status: 'applied' }
      : { status: 'retry', reason: 'unknown_checkin', detail: 'This check-in is not known here yet.' }
  for (const { id, list, position, force_sent, type, ordinal, order_id } of admitted) {
    const explanation = annulment.explanation ?? null
    await updateRow(tx, checkin, place, {
      id,
      successful: false,
      error_reason: 'annulled',
      error_explanation: explanation,
      ...(force_sent === 1 ? {} : { forced: false }),
    })
    if (order_id !== null) await touchOrder(tx, place, order_id)
    tx.audit(place, actor, {
      action: 'ticketsvc.event.checkin.reverted',
      resource: order_id === null ? 'checkin_list' : 'order',
      row: order_id ?? list,
      data: { position, list, type, datetime: at, first_checkin: ordinal === 1 },
    })
    if (position !== null) await markForced(tx, place, await reconcileConflicts(tx, place, list, position))
  }
  return { status: 'applied' }
}

/** Reads what a fact says about a scan that was undone; throws 400 where it makes no sense. */
export function readAnnulment({ payload }: SentFact): Annulment {
  check(schema, payload)
  return payload as Annulment
}

/**
 * The records of the scan that is undone; only the device that made a check-in can undo it, or the site where nobody
 * knows of a device.
 */
export function checkinsMeant(tx: Tx, { organizer, event }: Place, fact: SentFact): Promise<Known[]> {
  const { checkin: id, nonce } = readAnnulment(fact)
  const { device, site } = fact
  const which = nonce === null ? sql`c.id = ${id} AND c.nonce IS NULL` : sql`c.nonce = ${nonce}`
  const of = device === null ? sql`c.device IS NULL AND c.site = ${site}` : sql`c.device = ${device}`
  // By the bare id or event, SQLite would read all check-ins in an order of theirs instead of finding the nonce.
  return tx.all<Known>(
    sql`SELECT c.id, c.datetime, c.list, c."position" AS position, c.successful, c.force_sent, c.error_reason, c."type" AS type, c.ordinal, p.order_id
        FROM checkin c LEFT JOIN order_position p ON p.organizer = c.organizer AND p.id = c."position"
        WHERE c.organizer = ${organizer} AND c.event + 0 = ${event} AND ${which} AND ${of}
          AND (c.successful = 1 OR c.error_reason = 'annulled') ORDER BY c.id + 0`,
  )
}
