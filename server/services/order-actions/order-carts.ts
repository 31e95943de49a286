import sql, { join } from 'sql-template-tag'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { removeRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** What a cart holds of a product. */
export interface ConsumedCart {
  readonly id: number
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly addon_to: number | null
  /** Whether its place in the quotas is a voucher's, and not its own. */
  readonly by_voucher: number
}

/** What some carts hold that has not expired; nobody else takes it until the commit. */
export async function lockCarts(tx: Tx, place: Place, cartIds: readonly string[]): Promise<ConsumedCart[]> {
  if (cartIds.length === 0) return []
  const inPlace = sql`organizer = ${place.organizer} AND event = ${place.event}`
  const wanted = sql`${inPlace} AND cart_id IN (${join([...new Set(cartIds)])}) AND expires >= ${tx.now}`
  const locked = await tx.all<{ id: number }>(
    sql`SELECT id FROM cart_position WHERE ${wanted} ORDER BY id${tx.forUpdate}`,
  )
  if (locked.length === 0) return []
  return tx.all<ConsumedCart>(
    sql`SELECT c.id, c.item, c.variation, c.subevent, c.addon_to,
          CASE WHEN EXISTS (
            SELECT 1 FROM voucher v WHERE v.organizer = c.organizer AND v.id = c.voucher AND v.block_quota = 1
              AND (v.valid_until IS NULL OR v.valid_until >= ${tx.now})) THEN 1 ELSE 0 END AS by_voucher
        FROM cart_position c
        WHERE c.organizer = ${place.organizer} AND c.id IN (${join(locked.map(({ id }) => id))}) ORDER BY c.id`,
  )
}

/** Removes carts that have become an order. */
export async function consumeCarts(tx: Tx, place: Place, carts: readonly ConsumedCart[]): Promise<void> {
  const childrenFirst = [...carts].sort((a, b) => Number(a.addon_to === null) - Number(b.addon_to === null))
  for (const { id } of childrenFirst) await removeRow(tx, cartPosition, place, id)
}
