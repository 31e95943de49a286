import sql from 'sql-template-tag'
import { impossible } from '../../errors.ts'
import type { Tx } from '../../resource/transactions.ts'
import { liveCodes, revokeSigned } from '../codes/code-lists.ts'
import type { OrderCells } from '../orders/order-present.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { chooseSeats, type SeatOfTicket } from '../pricing/order-seats.ts'
import { shortageText, takeFromQuotas } from '../quotas/quota-usage.ts'
import { releaseVouchers, reuseVouchers, voucherUses } from './order-vouchers.ts'

interface ReservedLine {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly seat: string | null
  /** Of the voucher that it was bought with, if any. */
  readonly allow_ignore_quota: number | null
  readonly block_quota: number | null
}

const linesOf = (tx: Tx, { place: { organizer } }: OrderScope, { id }: OrderCells): Promise<ReservedLine[]> =>
  tx.all<ReservedLine>(
    sql`SELECT p.item, p.variation, p.subevent, p.seat, v.allow_ignore_quota, v.block_quota
        FROM order_position p LEFT JOIN voucher v ON v.organizer = p.organizer AND v.id = p.voucher
        WHERE p.organizer = ${organizer} AND p.order_id = ${id} AND p.canceled = 0 ORDER BY p.positionid`,
  )

/** Why quotas have no room for an order any more, or null when they have. */
async function missingQuota(tx: Tx, at: OrderScope, lines: readonly ReservedLine[]): Promise<string | null> {
  const counted = lines.filter(({ allow_ignore_quota }) => allow_ignore_quota !== 1)
  const short = (await takeFromQuotas(tx, at.place, counted)).find((shortage) => shortage !== null)
  return short ? shortageText(short) : null
}

/** Why an order cannot have its seats any more, or null when it can. */
async function missingSeat(
  tx: Tx,
  at: OrderScope,
  order: OrderCells,
  lines: readonly ReservedLine[],
): Promise<string | null> {
  const seated = lines.flatMap(({ item, subevent, seat }) =>
    seat === null ? [] : [{ item, subevent, seat: (JSON.parse(seat) as SeatOfTicket).seat_guid }],
  )
  const choices = await chooseSeats(tx, at, seated, { channel: order.sales_channel })
  return choices.some(({ ok }) => !ok) ? 'A seat of the order is not free any more.' : null
}

/** Why an order that has expired cannot have again what it held, in one sentence, or null when it can. */
export async function missingFor(tx: Tx, at: OrderScope, order: OrderCells): Promise<string | null> {
  const lines = await linesOf(tx, at, order)
  return (await missingQuota(tx, at, lines)) ?? (await missingSeat(tx, at, order, lines))
}

/** Reserves for an order again what it left when it expired; 400 when that cannot be had. */
export async function reserveAfterExpiry(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  const missing = await missingFor(tx, at, order)
  if (missing !== null) throw impossible(missing)
}

/**
 * Reserves for an order again what it left when it was canceled, vouchers too; 400 when that cannot be had. Quotas,
 * vouchers and seats are locked in this order everywhere.
 */
export async function reserveAfterCancellation(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  const lines = await linesOf(tx, at, order)
  // A voucher that keeps its own part of a quota gives that up as it is used again.
  const unkept = lines.filter(({ block_quota }) => block_quota !== 1)
  const noRoom = await missingQuota(tx, at, unkept)
  if (noRoom !== null) throw impossible(noRoom)
  await reuseVouchers(tx, at, order)
  const noSeat = await missingSeat(tx, at, order, lines)
  if (noSeat !== null) throw impossible(noSeat)
}

/** Gives up what an order holds that is not to be: its vouchers can be used by others, its signed codes are revoked. */
export async function releaseReservations(tx: Tx, at: OrderScope, order: OrderCells): Promise<void> {
  const { place } = at
  await revokeSigned(tx, place, await liveCodes(tx, place, order.id))
  await releaseVouchers(tx, at, order, await voucherUses(tx, place, order.id))
}
