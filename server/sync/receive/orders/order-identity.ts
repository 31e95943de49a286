import sql, { join } from 'sql-template-tag'
import { order } from '../../../../schema/resources/orders/order.ts'
import { siteOf } from '../../../../schema/sites.ts'
import { isCodeOf } from '../../../domain/text/site-letters.ts'
import { named, updateRow } from '../../../resource/store.ts'
import type { Place, Tx } from '../../../resource/transactions.ts'
import { freshTicketSecret, takenSecrets } from '../../../services/codes/order-codes.ts'
import { indexOrders } from '../../../services/orders/order-search-text.ts'
import type { SentOrder } from './order-payload.ts'

const longestCode = 16

/** Whether some rows of an order have ids that other rows have here. */
export async function hasTakenIds(tx: Tx, organizer: number, sent: SentOrder): Promise<boolean> {
  const tables: readonly [string, readonly { readonly id: number }[]][] = [
    ['orders', [sent.order]],
    ['order_position', sent.positions],
    ['order_fee', sent.fees],
    ['order_payment', sent.payments],
  ]
  for (const [table, rows] of tables) {
    if (rows.length === 0) continue
    const ids = join(rows.map(({ id }) => id))
    const found = await tx.get(
      sql`SELECT id FROM ${named(table)} WHERE organizer = ${organizer} AND id IN (${ids}) LIMIT 1`,
    )
    if (found) return true
  }
  return false
}

/** The same order with ids that are free. */
export function withFreshIds(tx: Tx, sent: SentOrder): SentOrder {
  const id = tx.nextId()
  const positions = new Map(sent.positions.map((row) => [row.id, tx.nextId()]))
  const below = <R extends object>(row: R) => ({ ...row, id: tx.nextId(), order_id: id })
  return {
    ...sent,
    order: { ...sent.order, id },
    positions: sent.positions.map((row) => ({
      ...row,
      id: positions.get(row.id) ?? row.id,
      order_id: id,
      addon_to: row.addon_to === null ? null : (positions.get(row.addon_to) ?? null),
    })),
    fees: sent.fees.map(below),
    payments: sent.payments.map(below),
  }
}

/** Two orders with the same code, and the one of them that got another. */
export interface Renamed {
  readonly order: number
  readonly code: string
  readonly fresh: string
}

/**
 * Sees to it that an order that arrives has a code of its own. A code in the way of its site is printed on paper, so
 * whoever else took it gets another one; any other code stays with the order that was here first. What is added is at
 * the end, so that both orders are found by what is printed.
 */
export async function settleCode(
  tx: Tx,
  place: Place,
  sent: SentOrder,
  site: number,
): Promise<{ readonly sent: SentOrder; readonly renamed: Renamed | null }> {
  const { code, id } = sent.order
  const { organizer } = place
  const other = await tx.get<{ id: number; event: number }>(
    sql`SELECT id, event FROM orders WHERE organizer = ${organizer} AND code = ${code}${tx.forUpdate}`,
  )
  if (!other) return { sent, renamed: null }
  const fresh = await freeCode(tx, organizer, code)
  if (isCodeOf(code, site) && siteOf(other.id) !== site) {
    const where = { organizer, event: other.event }
    await updateRow(tx, order, where, { id: other.id, code: fresh, last_modified: tx.now })
    await indexOrders(tx, where, [other.id])
    return { sent, renamed: { order: other.id, code, fresh } }
  }
  return {
    sent: { ...sent, order: { ...sent.order, code: fresh } },
    renamed: { order: id, code, fresh },
  }
}

async function freeCode(tx: Tx, organizer: number, code: string): Promise<string> {
  for (let number = 2; ; number += 1) {
    const end = `-${number}`
    const wanted = code.slice(0, longestCode - end.length) + end
    if (!(await tx.get(sql`SELECT id FROM orders WHERE organizer = ${organizer} AND code = ${wanted}`)))
      return wanted
  }
}

/** Gives tickets whose code another one has here new codes; the ids of those positions. */
export async function settleSecrets(
  tx: Tx,
  place: Place,
  sent: SentOrder,
): Promise<{ readonly sent: SentOrder; readonly replaced: ReadonlyMap<number, string> }> {
  const taken = await takenSecrets(
    tx,
    place,
    sent.positions.map(({ secret }) => secret),
  )
  const replaced = new Map<number, string>()
  const positions = sent.positions.map((row) => {
    if (!taken.has(row.secret)) {
      taken.add(row.secret)
      return row
    }
    replaced.set(row.id, row.secret)
    return { ...row, secret: freshTicketSecret(tx) }
  })
  return { sent: { ...sent, positions }, replaced }
}
