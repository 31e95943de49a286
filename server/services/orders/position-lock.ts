import sql from 'sql-template-tag'
import { invalid, notFound } from '../../errors.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Cells } from '../../storage/database.ts'
import type { OrderCells } from './order-present.ts'

/** The stored cells of a position; the price is in hundredths. */
export type StoredPosition = Cells & {
  readonly id: number
  readonly order_id: number
  readonly positionid: number
  readonly secret: string
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly price: number
  readonly tax_rate: number
  readonly tax_value: number
  /** As JSON text. */
  readonly answers: string | null
  readonly tax_rule: number | null
  readonly valid_from: string | null
  readonly valid_until: string | null
  readonly blocked: string | null
  readonly ignore_from_quota_while_blocked: number | null
  readonly voucher: number | null
  readonly voucher_budget_use: number | null
  /** What is shown of its seat, as JSON text. */
  readonly seat: string | null
}

/** A position and its order, both kept from others until the commit. */
export interface LockedPosition {
  readonly order: OrderCells
  readonly position: StoredPosition
}

/** The position of an event with an id, with its order; 404 where there is none that is not canceled. */
export async function lockPosition(tx: Tx, place: Place, id: number): Promise<LockedPosition> {
  const within = sql`organizer = ${place.organizer} AND event = ${place.event}`
  const found = await tx.get<{ order_id: number }>(
    sql`SELECT order_id FROM order_position WHERE ${within} AND id = ${id}`,
  )
  if (!found) throw notFound()
  const order = await tx.get<OrderCells>(
    sql`SELECT * FROM orders WHERE ${within} AND id = ${found.order_id}${tx.forUpdate}`,
  )
  const position = await tx.get<StoredPosition>(
    sql`SELECT * FROM order_position WHERE ${within} AND id = ${id} AND canceled = 0${tx.forUpdate}`,
  )
  if (!order || !position) throw notFound()
  return { order, position }
}

/** Refuses with 400 to change what an order holds when it is neither pending nor paid. */
export function refuseUnlessLive({ status }: OrderCells): void {
  if (status !== 'n' && status !== 'p')
    throw invalid(['Only the positions of orders that are pending or paid can be changed.'])
}
