import sql, { join } from 'sql-template-tag'
import { voucher as voucherResource } from '../../../schema/resources/carts/voucher.ts'
import { usesLeft } from '../../domain/pricing/vouchers.ts'
import type { SeatState } from '../../domain/quotas/seats.ts'
import { findRows } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { seatProblems, seatsByGuid } from '../catalogue/seats.ts'
import type { Attempt } from '../input/attempts.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import type { CartDraft } from './cart-check.ts'

/** How often each voucher can still be used: what unexpired carts hold is promised. */
export async function lockCartVouchers(
  tx: Tx,
  { place }: OrderScope,
  drafts: readonly CartDraft[],
): Promise<Map<number, number>> {
  const ids = [...new Set(drafts.flatMap(({ voucher }) => voucher?.id ?? []))]
  if (ids.length === 0) return new Map()
  const chosen = sql`id IN (${join(ids)})`
  await tx.all(
    sql`SELECT id FROM voucher WHERE organizer = ${place.organizer} AND ${chosen} ORDER BY id${tx.forUpdate}`,
  )
  const rows = await findRows(tx, voucherResource, place, { where: chosen })
  const held = await tx.all<{ voucher: number; count: number }>(
    sql`SELECT voucher, count(*) AS count FROM cart_position
        WHERE organizer = ${place.organizer} AND voucher IN (${join(ids)}) AND expires >= ${tx.now} GROUP BY voucher`,
  )
  const promised = new Map(held.map(({ voucher, count }) => [voucher, count]))
  return new Map(
    rows.map((row) => {
      const counts = { max_usages: row.max_usages, redeemed: row.redeemed }
      return [row.id, usesLeft(counts, promised.get(row.id))]
    }),
  )
}

/** The seat of each draft that asks for one, or why it cannot have it; null where none is asked for. */
export async function findSeats(
  tx: Tx,
  at: OrderScope,
  drafts: readonly CartDraft[],
): Promise<(Attempt<SeatState> | null)[]> {
  const found: (Attempt<SeatState> | null)[] = drafts.map(() => null)
  const dates = [...new Set(drafts.flatMap((one) => (one.input.seat ? [one.product.subevent] : [])))]
  // Seats are locked date by date, and within a date in the order of their ids.
  for (const date of dates.sort((a, b) => (a ?? 0) - (b ?? 0))) {
    const wanted = drafts.flatMap(({ input, product }) =>
      input.seat !== null && product.subevent === date ? [input.seat] : [],
    )
    const seats = await seatsByGuid(tx, at.place, date, wanted)
    for (const [index, { input, product, voucher }] of drafts.entries()) {
      if (input.seat === null || product.subevent !== date) continue
      const seat = seats.get(input.seat)
      const question = {
        place: at.place,
        date,
        settings: at.event.settings,
        channel: input.sales_channel,
        own: { vouchers: new Set(voucher ? [voucher.id] : []) },
      }
      const problem = seat
        ? (await seatProblems(tx, question, [seat])).get(input.seat)
        : 'This seat does not exist in this event.'
      found[index] = seat && !problem ? { ok: true, value: seat } : { ok: false, errors: String(problem) }
    }
  }
  return found
}
