import sql from 'sql-template-tag'
import { orderPosition } from '../../schema/resources/order-position.ts'
import { invalid } from '../errors.ts'
import type { Actor } from '../resource/actor.ts'
import { updateRow } from '../resource/store.ts'
import type { Place, Tx } from '../resource/transactions.ts'
import { recordOrder, saveOrder } from './order-changes.ts'
import type { EventAt } from './order-draft.ts'
import { settleOrder } from './order-total.ts'
import { type LockedPosition, refuseUnlessLive } from './position-lock.ts'

/** Cancels a position with its add-ons; 400 when the order would be left without any. */
export async function cancelPosition(
  tx: Tx,
  actor: Actor,
  at: EventAt,
  { order, position }: LockedPosition,
): Promise<void> {
  refuseUnlessLive(order)
  const { place } = at
  const open = await tx.all<{ id: number; positionid: number; addon_to: number | null }>(
    sql`SELECT id, positionid, addon_to FROM order_position
        WHERE organizer = ${place.organizer} AND order_id = ${order.id} AND canceled = 0 ORDER BY positionid`,
  )
  const going = open.filter((one) => one.id === position.id || one.addon_to === position.id)
  if (going.length === open.length)
    throw invalid(['This would leave the order without positions. Cancel the order itself instead.'])
  for (const { id, positionid } of going) {
    await updateRow(tx, orderPosition, place, id, { canceled: true })
    recordOrder(tx, actor, place, order.id, 'changed.cancel', { position: id, positionid })
  }
  await settleOrder(tx, actor, at, order)
}

/** Puts a block on a position, or takes it away; a position with any block is not admitted. */
export async function blockPosition(
  tx: Tx,
  actor: Actor,
  place: Place,
  { order, position }: LockedPosition,
  name: string,
  isBlocked: boolean,
): Promise<void> {
  const before: readonly string[] = JSON.parse(String(position.blocked ?? 'null')) ?? []
  if (before.includes(name) === isBlocked) return
  const blocked = isBlocked ? [...before, name] : before.filter((one) => one !== name)
  await updateRow(tx, orderPosition, place, position.id, { blocked: blocked.length > 0 ? blocked : null })
  await saveOrder(tx, place, order.id, {})
  const action = isBlocked ? 'changed.add_block' : 'changed.remove_block'
  recordOrder(tx, actor, place, order.id, action, {
    position: position.id,
    positionid: position.positionid,
    name,
  })
}
