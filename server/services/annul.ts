import sql, { empty } from 'sql-template-tag'
import { checkin } from '../../schema/resources/checkin.ts'
import { contradictory, notFound } from '../errors.ts'
import type { Actor } from '../resource/actor.ts'
import { updateRow } from '../resource/store.ts'
import type { Tx } from '../resource/transactions.ts'
import type { ListAt } from './checkin-lists.ts'

interface Annulment {
  readonly nonce: string
  /** When it was undone, in stored form; null for now. */
  readonly at: string | null
  readonly explanation: string | null
}

interface Known {
  readonly id: number
  readonly event: number
  readonly list: number
  readonly position: number | null
  readonly successful: number
  readonly device: number | null
  readonly datetime: string
  /** Null for a scan of an unknown code. */
  readonly order_id: number | null
}

const longest = 15 * 60_000

/**
 * Undoes a check-in that its own device made with a nonce, within a quarter of an hour. The row stays, as annulled.
 * Throws 404 when there is none, 400 when it may not be undone.
 */
export async function annul(
  tx: Tx,
  actor: Actor,
  organizer: number,
  lists: readonly ListAt[],
  annulment: Annulment,
): Promise<void> {
  const scans = await tx.all<Known>(
    sql`SELECT c.id, c.event, c.list, c."position" AS position, c.successful, c.device, c.datetime, p.order_id
        FROM checkin c LEFT JOIN order_position p ON p.organizer = c.organizer AND p.id = c."position"
        WHERE c.organizer = ${organizer} AND c.nonce = ${annulment.nonce}
        ORDER BY c.successful DESC, c.id${tx.engine === 'postgres' ? sql` FOR UPDATE OF c` : empty}`,
  )
  const found = scans.filter((scan) => lists.some((list) => list.facts.id === scan.list))
  const [known] = found
  if (!known) throw notFound('No check-in with this nonce is known on these lists.')
  const at = annulment.at ?? tx.now
  if (found.filter((one) => one.successful === 1).length > 1)
    throw contradictory('Several check-ins have this nonce, so it is not clear which one is meant.')
  if (known.successful !== 1 || known.order_id === null)
    throw contradictory('This scan was refused or has been undone before.')
  if (known.device !== (actor.device?.id ?? null))
    throw contradictory('Only the device that made a check-in can undo it.')
  if (Math.abs(Date.parse(at) - Date.parse(known.datetime)) > longest)
    throw contradictory('A check-in can be undone for fifteen minutes only.')
  const place = { organizer, event: known.event }
  await updateRow(tx, checkin, place, known.id, {
    successful: false,
    error_reason: 'annulled',
    error_explanation: annulment.explanation,
  })
  await tx.run(
    sql`UPDATE orders SET last_modified = ${tx.now} WHERE organizer = ${organizer} AND id = ${known.order_id}`,
  )
  tx.audit(place, actor, {
    action: 'ticketsvc.event.checkin.reverted',
    resource: 'order',
    row: known.order_id,
    data: { position: known.position, list: known.list, datetime: at },
  })
}
