import sql from 'sql-template-tag'
import { orderPosition } from '../../schema/resources/order-position.ts'
import { revokedSecret } from '../../schema/resources/revoked-secret.ts'
import type { Actor } from '../resource/actor.ts'
import { insertRow, updateRow } from '../resource/store.ts'
import type { Place, Tx } from '../resource/transactions.ts'
import { recordOrder, saveOrder } from './order-changes.ts'
import { freshOrderSecret, freshTicketSecret } from './order-codes.ts'

/** A position whose code is replaced. */
export interface Ticket {
  readonly id: number
  readonly positionid: number
  readonly secret: string
}

/** Gives tickets new codes. The old ones are revoked for good, so that scanners say so instead of not knowing them. */
async function replaceCodes(
  tx: Tx,
  actor: Actor,
  place: Place,
  orderId: number,
  tickets: readonly Ticket[],
): Promise<void> {
  for (const { id, positionid, secret } of tickets) {
    await insertRow(tx, revokedSecret, place, { id: tx.nextId(), secret, created: tx.now, position: id })
    await updateRow(tx, orderPosition, place, id, { secret: freshTicketSecret(tx) })
    recordOrder(tx, actor, place, orderId, 'changed.secret', { position: id, positionid })
  }
}

/** Gives an order a new link and all of its tickets, canceled ones too, new codes. */
export async function regenerateOrderSecrets(
  tx: Tx,
  actor: Actor,
  place: Place,
  orderId: number,
): Promise<void> {
  const tickets = await tx.all<Ticket>(
    sql`SELECT id, positionid, secret FROM order_position
        WHERE organizer = ${place.organizer} AND order_id = ${orderId} ORDER BY positionid`,
  )
  await replaceCodes(tx, actor, place, orderId, tickets)
  await saveOrder(tx, place, orderId, { secret: freshOrderSecret(tx) })
  recordOrder(tx, actor, place, orderId, 'secret.changed')
}

/** Gives one ticket of an order a new code. */
export async function regenerateTicketSecret(
  tx: Tx,
  actor: Actor,
  place: Place,
  orderId: number,
  ticket: Ticket,
): Promise<void> {
  await replaceCodes(tx, actor, place, orderId, [ticket])
  await saveOrder(tx, place, orderId, {})
}
