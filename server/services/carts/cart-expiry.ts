import sql from 'sql-template-tag'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { laterBy } from '../../domain/quotas/leases.ts'
import { removeRow } from '../../resource/store.ts'
import type { Transactions } from '../../resource/transactions.ts'
import { isHere } from '../../storage/moved-organizers.ts'

/** How long a cart position can still be looked at once it holds nothing any more; every sale passes over these. */
const keptFor = 24 * 3_600_000

const rowsAtOnce = 500

interface OldRow {
  readonly organizer: number
  readonly event: number
  readonly id: number
}

/**
 * Removes cart positions that have held nothing for a day, as of a moment (27 characters, UTC); how many. What they held
 * was free from the first moment.
 */
export async function removeOldCarts(transactions: Transactions, now: string): Promise<number> {
  const before = laterBy(now, -keptFor)
  for (let removed = 0; ; ) {
    const rows = await transactions.database.all<OldRow>(
      sql`SELECT organizer, event, id FROM cart_position WHERE expires < ${before} AND ${isHere(sql`organizer`)} ORDER BY expires, id LIMIT ${rowsAtOnce}`,
    )
    if (rows.length === 0) return removed
    await transactions.write(async (tx) => {
      for (const { organizer, event, id } of rows) await removeRow(tx, cartPosition, { organizer, event }, id)
    })
    removed += rows.length
  }
}
