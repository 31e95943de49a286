import type { JsonObject } from '../../../schema/fields.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { notFound } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { followMemberships } from './granted-memberships.ts'
import type { OrderCells } from './order-present.ts'
import { orderByCode } from './order-query.ts'
import type { OrderRow } from './order-rows.ts'

/** The order of an event with a code, kept from others until the commit; 404 when there is none. */
export async function lockOrder(tx: Tx, place: Place, code: string): Promise<OrderCells> {
  const found = await orderByCode(tx, place, code, tx.forUpdate)
  if (!found) throw notFound()
  return found
}

/** Sets some fields of an order, and the moment of its last change. The memberships that it comes with follow. */
export async function saveOrder(tx: Tx, place: Place, id: number, changes: Partial<OrderRow>): Promise<void> {
  await updateRow(tx, order, place, { id, ...changes, last_modified: tx.now })
  await followMemberships(tx, place, id)
}

/** What was done with an order; the word follows `ticketsvc.event.order.`. */
interface OrderEntry {
  readonly order: number
  readonly action: string
  readonly data?: JsonObject
}

/** Notes in the audit trail what was done with an order. */
export const recordOrder = (
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  { order: row, action, data }: OrderEntry,
): void => tx.audit(place, actor, { action: `ticketsvc.event.order.${action}`, resource: 'order', row, data })
