import sql, { type Sql } from 'sql-template-tag'
import { isBefore } from '../../../schema/instants.ts'
import { siteOf } from '../../../schema/sites.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { ApplyContext } from './applier.ts'

/** A ticket that a fact is about, with its order; its row is locked until the commit. */
export interface ReportedPosition {
  readonly id: number
  readonly positionid: number
  readonly secret: string
  readonly order_id: number
  readonly order_status: string
}

/** The ticket with an id in an event. */
export const positionById = (tx: Tx, place: Place, id: number): Promise<ReportedPosition | undefined> =>
  positionWith(tx, place, sql`p.id = ${id}`)

const positionWith = (tx: Tx, { organizer, event }: Place, condition: Sql) =>
  tx.get<ReportedPosition>(
    sql`SELECT p.id, p.positionid, p.secret, p.order_id, o.status AS order_status FROM order_position p
        JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
        WHERE p.organizer = ${organizer} AND p.event = ${event} AND ${condition}${tx.engine === 'postgres' ? sql` FOR UPDATE OF p` : sql``}`,
  )

/**
 * The ticket that a check-in was decided for: by its id where the code fits, else by the code, now or before it was
 * replaced. An id by itself may be another ticket's, where two nodes gave it.
 */
export async function findPosition(
  tx: Tx,
  place: Place,
  id: number | null,
  secret: string | null,
): Promise<ReportedPosition | null> {
  const byId = id === null ? undefined : await positionById(tx, place, id)
  if (byId && (secret === null || byId.secret === secret)) return byId
  if (secret === null) return null
  const byCode = await positionWith(tx, place, sql`p.secret = ${secret}`)
  if (byCode) return byCode
  const revoked = await tx.get<{ position: number }>(
    sql`SELECT "position" AS position FROM revoked_secret WHERE organizer = ${place.organizer} AND secret = ${secret}
        AND event = ${place.event} AND "position" IS NOT NULL ORDER BY id + 0 DESC LIMIT 1`,
  )
  const former = revoked && (await positionById(tx, place, revoked.position))
  return former ?? byId ?? null
}

/** For so long an order that was sold elsewhere may be on its way while what happened with its tickets is here. */
const patience = 10 * 60_000

/** Whether a ticket that is not known here was sold at a station, a moment before the fact about it. */
export function mayStillCome(tx: Tx, { at }: ApplyContext, position: number | null): boolean {
  if (position === null || siteOf(position) === 0) return false
  return isBefore(tx.now, new Date(Date.parse(at) + patience).toISOString())
}

/** Notes that something happened with an order, so that whoever follows orders sees it. */
export const touchOrder = (tx: Tx, { organizer }: Place, order: number): Promise<number> =>
  tx.run(sql`UPDATE orders SET last_modified = ${tx.now} WHERE organizer = ${organizer} AND id = ${order}`)
