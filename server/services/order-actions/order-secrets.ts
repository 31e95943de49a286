import sql, { type Sql } from 'sql-template-tag'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { noteBlock, revokeCodes } from '../codes/code-lists.ts'
import { codeIssuer, freshOrderSecret, type IssuedTicket } from '../codes/order-codes.ts'
import { recordOrder, saveOrder } from '../orders/order-changes.ts'
import type { OrderScope } from '../pricing/order-draft.ts'

/** A position whose code is replaced. */
interface Ticket extends IssuedTicket {
  readonly positionid: number
  readonly secret: string
  /** The names of its blocks as JSON text. */
  readonly blocked: string | null
}

/** Gives tickets new codes. The old ones are revoked for good, so that scanners say so instead of not knowing them. */
export async function replaceCodes(
  tx: Tx,
  at: OrderScope,
  orderId: number,
  tickets: readonly Ticket[],
): Promise<void> {
  const { place } = at
  const issue = await codeIssuer(tx, at.actor, place)
  await revokeCodes(tx, place, tickets)
  for (const ticket of tickets) {
    const { id, positionid } = ticket
    const secret = issue(ticket)
    await updateRow(tx, orderPosition, place, { id, secret })
    if (isBlocked(ticket)) await noteBlock(tx, place, { id, secret }, true)
    recordOrder(tx, at, { order: orderId, action: 'changed.secret', data: { position: id, positionid } })
  }
}

const isBlocked = ({ blocked }: Ticket): boolean => JSON.parse(blocked ?? 'null')?.length > 0

const ticketsWhere = (tx: Tx, place: Place, orderId: number, condition: Sql): Promise<Ticket[]> =>
  tx.all<Ticket>(
    sql`SELECT id, positionid, secret, item, variation, subevent, valid_from, valid_until, blocked
        FROM order_position p
        WHERE organizer = ${place.organizer} AND order_id = ${orderId} AND ${condition} ORDER BY positionid`,
  )

/**
 * Gives those tickets of an order new codes whose own was revoked when the order was canceled, now that it comes back:
 * nothing is ever taken off the list, for it may be known far away already.
 */
export async function replaceRevokedCodes(tx: Tx, at: OrderScope, orderId: number): Promise<void> {
  const { place } = at
  const isRevoked = sql`canceled = 0 AND EXISTS (SELECT 1 FROM revoked_secret r
    WHERE r.organizer = p.organizer AND r.event = p.event AND r.secret = p.secret)`
  const tickets = await ticketsWhere(tx, place, orderId, isRevoked)
  if (tickets.length > 0) await replaceCodes(tx, at, orderId, tickets)
}

/** Gives an order a new link and all of its tickets, canceled ones too, new codes. */
export async function regenerateOrderSecrets(tx: Tx, at: OrderScope, orderId: number): Promise<void> {
  const { place } = at
  const tickets = await ticketsWhere(tx, place, orderId, sql`1 = 1`)
  await replaceCodes(tx, at, orderId, tickets)
  await saveOrder(tx, place, orderId, { secret: freshOrderSecret(tx) })
  recordOrder(tx, at, { order: orderId, action: 'secret.changed' })
}

/** Gives one ticket of an order a new code. */
export async function regenerateTicketSecret(
  tx: Tx,
  at: OrderScope,
  orderId: number,
  ticket: Ticket,
): Promise<void> {
  const { place } = at
  await replaceCodes(tx, at, orderId, [ticket])
  await saveOrder(tx, place, orderId, {})
}
