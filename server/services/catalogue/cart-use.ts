import sql from 'sql-template-tag'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { denied } from '../../errors.ts'
import { countRows, named } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** Refuses to delete what somebody has in a cart that has not expired: 403. */
export async function refuseIfInCart(
  tx: Tx,
  place: Place,
  what: 'item' | 'variation',
  id: number,
): Promise<void> {
  const held = await countRows(tx, cartPosition, place, sql`${named(what)} = ${id} AND expires >= ${tx.now}`)
  if (held > 0) throw denied('Somebody is about to buy this, so it cannot be deleted. Deactivate it instead.')
}
