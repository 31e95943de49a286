import sql from 'sql-template-tag'
import { impossible } from '../../errors.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { OrderCells } from '../orders/order-present.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { redeemVoucher, releaseVoucher } from '../vouchers/voucher-redeem.ts'

/** What a ticket has used of a voucher; `voucher_budget_use` is in hundredths. */
interface VoucherUseOfTicket {
  readonly voucher: number | null
  readonly voucher_budget_use: number | null
}

/** The uses of vouchers by the tickets of an order that are not canceled. */
export const voucherUses = (tx: Tx, { organizer }: Place, orderId: number): Promise<VoucherUseOfTicket[]> =>
  tx.all<VoucherUseOfTicket>(
    sql`SELECT voucher, voucher_budget_use FROM order_position
        WHERE organizer = ${organizer} AND order_id = ${orderId} AND canceled = 0 AND voucher IS NOT NULL
        ORDER BY voucher, positionid`,
  )

interface Total {
  count: number
  saving: number
}

/** How often each voucher is used, and for how much, in the order of their ids. */
function totals(uses: readonly VoucherUseOfTicket[]): [number, Total][] {
  const sums = new Map<number, Total>()
  for (const { voucher, voucher_budget_use: saving } of uses) {
    if (voucher === null) continue
    const sum = sums.get(voucher) ?? { count: 0, saving: 0 }
    sums.set(voucher, { count: sum.count + 1, saving: sum.saving + (saving ?? 0) })
  }
  return [...sums].sort(([a], [b]) => a - b)
}

/** Counts the uses of vouchers by the tickets of a new order, which has made sure of them. */
export async function useVouchers(
  tx: Tx,
  at: OrderScope,
  code: string,
  tickets: readonly Partial<VoucherUseOfTicket>[],
): Promise<void> {
  const uses = tickets.map(({ voucher = null, voucher_budget_use = null }) => ({
    voucher,
    voucher_budget_use,
  }))
  for (const [voucher, { count, saving }] of totals(uses)) {
    const failure = await redeemVoucher(tx, at, voucher, { order: code, count, saving })
    if (failure !== null) throw new Error(`A voucher that was kept for an order is ${failure}.`)
  }
}

/** Gives back what some tickets of an order, which are no more, have used of vouchers. */
export async function releaseVouchers(
  tx: Tx,
  at: OrderScope,
  { code }: Pick<OrderCells, 'code'>,
  uses: readonly VoucherUseOfTicket[],
): Promise<void> {
  for (const [voucher, { count, saving }] of totals(uses))
    await releaseVoucher(tx, at, voucher, { order: code, count, saving })
}

/** Uses vouchers again for an order that comes back; 400 when they were used for others meanwhile. */
export async function reuseVouchers(
  tx: Tx,
  at: OrderScope,
  order: Pick<OrderCells, 'id' | 'code'>,
): Promise<void> {
  const { place } = at
  for (const [voucher, { count, saving }] of totals(await voucherUses(tx, place, order.id))) {
    const failure = await redeemVoucher(tx, at, voucher, { order: order.code, count, saving })
    if (failure !== null && failure !== 'unknown')
      throw impossible('A voucher of the order was used for another one meanwhile.')
  }
}
