import sql from 'sql-template-tag'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import { invalid } from '../../errors.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { noteBlock, revokeSigned } from '../codes/code-lists.ts'
import { recordOrder, saveOrder } from '../orders/order-changes.ts'
import type { OrderCells } from '../orders/order-present.ts'
import { type LockedPosition, refuseUnlessLive, type StoredPosition } from '../orders/position-lock.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { shortageText, takeFromQuotas } from '../quotas/quota-usage.ts'
import { settleOrder } from './order-total.ts'
import { releaseVouchers } from './order-vouchers.ts'

/** The positions of an order that are not canceled, in their order. */
export const openPositions = (tx: Tx, place: Place, orderId: number): Promise<StoredPosition[]> =>
  tx.all<StoredPosition>(
    sql`SELECT * FROM order_position
        WHERE organizer = ${place.organizer} AND order_id = ${orderId} AND canceled = 0 ORDER BY positionid`,
  )

/** A position with its add-ons among some of the same order. */
export const withAddons = (open: readonly StoredPosition[], id: number): StoredPosition[] =>
  open.filter((one) => one.id === id || one.addon_to === id)

/** Cancels some positions of an order whose sum is worked out by whoever calls this; they give up seat and voucher. */
export async function cancelPositions(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  going: readonly StoredPosition[],
): Promise<void> {
  const { place } = at
  for (const { id, positionid } of going) {
    await updateRow(tx, orderPosition, place, { id, canceled: true, seat_id: null })
    recordOrder(tx, at, { order: order.id, action: 'changed.cancel', data: { position: id, positionid } })
  }
  await releaseVouchers(tx, at, order, going)
  await revokeSigned(tx, place, going)
}

/** What is said when an order would be left without positions. */
export const nothingLeft = 'This would leave the order without positions. Cancel the order itself instead.'

/** Cancels a position with its add-ons; 400 when the order would be left without any. */
export async function cancelPosition(
  tx: Tx,
  at: OrderScope,
  { order, position }: LockedPosition,
): Promise<void> {
  refuseUnlessLive(order)
  const open = await openPositions(tx, at.place, order.id)
  const going = withAddons(open, position.id)
  if (going.length === open.length) throw invalid([nothingLeft])
  await cancelPositions(tx, at, order, going)
  await settleOrder(tx, at, order)
}

/** A block that is put on a position or taken away. */
interface BlockChange {
  readonly name: string
  readonly isBlocked: boolean
  /** Whether the position makes room in its quotas as long as it is blocked; null leaves that as it is. */
  readonly makesRoom: boolean | null
}

/**
 * Puts a block on a position, or takes it away; a position with any block is not admitted. One that has made room
 * needs room again when its last block goes: 400 when there is none.
 */
export async function blockPosition(
  tx: Tx,
  at: OrderScope,
  { order, position }: LockedPosition,
  { name, isBlocked, makesRoom }: BlockChange,
): Promise<void> {
  const { place } = at
  const before: readonly string[] = JSON.parse(position.blocked ?? 'null') ?? []
  const wasIgnored = position.ignore_from_quota_while_blocked === 1
  const isIgnored = (isBlocked ? makesRoom : null) ?? wasIgnored
  if (before.includes(name) === isBlocked && isIgnored === wasIgnored) return
  const blocked = isBlocked ? [...new Set([...before, name])] : before.filter((one) => one !== name)
  const hadRoom = before.length === 0 || !wasIgnored
  const needsRoom = blocked.length === 0 || !isIgnored
  if (needsRoom && !hadRoom && (order.status === 'n' || order.status === 'p'))
    await takeRoom(tx, place, position)
  await updateRow(tx, orderPosition, place, {
    id: position.id,
    blocked: blocked.length > 0 ? blocked : null,
    ignore_from_quota_while_blocked: isIgnored,
  })
  await noteBlock(tx, place, position, blocked.length > 0)
  await saveOrder(tx, place, order.id, {})
  const action = isBlocked ? 'changed.add_block' : 'changed.remove_block'
  recordOrder(tx, at, {
    order: order.id,
    action: action,
    data: {
      position: position.id,
      positionid: position.positionid,
      name,
    },
  })
}

async function takeRoom(tx: Tx, place: Place, { item, variation, subevent }: StoredPosition): Promise<void> {
  const [shortage] = await takeFromQuotas(tx, place, [{ item, variation, subevent }])
  if (shortage?.kind === 'used up') throw invalid([shortageText(shortage)])
}
