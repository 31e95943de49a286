import sql from 'sql-template-tag'
import { invalid, notFound } from '../../errors.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Cells } from '../../storage/database.ts'
import type { OrderCells } from './order-present.ts'
import type { PositionCells } from './position-rows.ts'

/** The stored cells of a position; the price is in hundredths. */
export type StoredPosition = Cells &
  Pick<
    PositionCells,
    | 'id'
    | 'order_id'
    | 'positionid'
    | 'secret'
    | 'item'
    | 'variation'
    | 'subevent'
    | 'price'
    | 'answers'
    | 'valid_from'
    | 'valid_until'
    | 'blocked'
    | 'seat'
  > & {
    readonly tax_rate: number
    readonly tax_value: number
    readonly tax_rule: number | null
    readonly ignore_from_quota_while_blocked: number | null
    readonly voucher: number | null
    readonly voucher_budget_use: number | null
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
