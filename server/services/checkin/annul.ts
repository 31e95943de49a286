import sql, { empty } from 'sql-template-tag'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { ScanType } from '../../domain/rules/facts.ts'
import { contradictory, notFound, type Refusal } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { ListAt } from './checkin-lists.ts'
import { reconcileConflicts } from './conflicts.ts'
import type { RecordedScan } from './redeem-records.ts'

/** A check-in to be undone: who asks, and the lists that it can be on. */
interface AnnulRequest {
  readonly actor: Actor
  readonly organizer: number
  readonly lists: readonly ListAt[]
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
  readonly error_reason: string | null
  readonly type: ScanType
  readonly device: number | null
  readonly datetime: string
  readonly ordinal: number | null
  /** Null for a scan of a code whose order is not known. */
  readonly order_id: number | null
}

/** What is answered where nothing is left to undo. */
export const nothingToUndo = (): Refusal => contradictory('This scan was refused or has been undone before.')

/** For so long a check-in can be undone, in milliseconds. */
export const longestUndo = 15 * 60_000

/**
 * Undoes a check-in that its own device made with a nonce, within a quarter of an hour. The row stays, as annulled. Null
 * where that device has undone it before; throws 404 when there is none, 400 when it may not be undone.
 */
export async function annul(tx: Tx, request: AnnulRequest): Promise<RecordedScan | null> {
  const { actor, organizer, lists, nonce, explanation } = request
  const scans = await tx.all<Known>(
    sql`SELECT c.id, c.event, c.list, c."position" AS position, c.successful, c.error_reason, c."type" AS type, c.device, c.datetime, c.ordinal, p.order_id
        FROM checkin c LEFT JOIN order_position p ON p.organizer = c.organizer AND p.id = c."position"
        WHERE c.organizer = ${organizer} AND c.nonce = ${nonce}
        ORDER BY c.successful DESC, c.id${tx.engine === 'postgres' ? sql` FOR UPDATE OF c` : empty}`,
  )
  const found = scans.filter((scan) => lists.some((list) => list.facts.id === scan.list))
  const [known] = found
  if (!known) throw notFound('No check-in with this nonce is known on these lists.')
  const at = request.at ?? tx.now
  // A scan that is known here by itself and from the server upstream is one.
  const meant = found.filter((one) => one.successful === 1)
  if (new Set(meant.map((one) => [one.position, one.list, one.type, one.device].join())).size > 1)
    throw contradictory('Several check-ins have this nonce, so it is not clear which one is meant.')
  const isOwn = known.device === (actor.device?.id ?? null)
  if (known.error_reason === 'annulled' && isOwn) return null
  if (known.successful !== 1) throw nothingToUndo()
  if (!isOwn) throw contradictory('Only the device that made a check-in can undo it.')
  if (Math.abs(Date.parse(at) - Date.parse(known.datetime)) > longestUndo)
    throw contradictory('A check-in can be undone for fifteen minutes only.')
  const place = { organizer, event: known.event }
  for (const one of meant)
    await updateRow(tx, checkin, place, {
      id: one.id,
      successful: false,
      error_reason: 'annulled',
      error_explanation: explanation,
    })
  if (known.order_id !== null)
    await tx.run(
      sql`UPDATE orders SET last_modified = ${tx.now} WHERE organizer = ${organizer} AND id = ${known.order_id}`,
    )
  tx.audit(place, actor, {
    action: 'ticketsvc.event.checkin.reverted',
    resource: known.order_id === null ? 'checkin_list' : 'order',
    row: known.order_id ?? known.list,
    data: {
      position: known.position,
      list: known.list,
      type: known.type,
      datetime: at,
      first_checkin: known.ordinal === 1,
    },
  })
  const payload = { checkin: known.id, nonce, at, scanned: known.datetime, explanation }
  const fact = tx.fact(place, actor.device?.id ?? null, { kind: 'annulment', payload })
  if (known.position !== null) await reconcileConflicts(tx, place, known.list, known.position)
  return { id: known.id, fact }
}
