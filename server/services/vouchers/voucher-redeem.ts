import { type Voucher, voucher } from '../../../schema/resources/carts/voucher.ts'
import { budgetLeft, usesLeft, type VoucherFacts } from '../../domain/pricing/vouchers.ts'
import type { Scope } from '../../resource/api.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { freshVoucherCodes } from '../codes/voucher-codes.ts'

/** What a redemption is about. */
interface Redemption {
  /** The code of the order. */
  readonly order: string
  /** How many uses. */
  readonly count: number
  /** What the voucher takes off, in hundredths: taken from its budget where it has one. */
  readonly saving?: number
}

/** Why a voucher was not redeemed. */
export type RedeemFailure = 'unknown' | 'used up' | 'budget used up'

/** Vouchers of an event by id; they stay as they are until the commit, always locked in the order of their ids. */
export async function lockVouchers(
  tx: Tx,
  place: Place,
  ids: readonly number[],
): Promise<Map<number, VoucherFacts>> {
  const found = new Map<number, VoucherFacts>()
  for (const id of [...new Set(ids)].sort((a, b) => a - b)) {
    const row = await lockRow(tx, voucher, place, { id })
    if (row) found.set(id, voucherFacts(row))
  }
  return found
}

/**
 * Counts some uses of a voucher, which stays locked until the commit: null, or why nothing was counted. However many ask
 * at once, a voucher is never used more often than it may be, nor for more than its budget. What it is for and whether
 * it has expired is looked at by those who sell.
 */
export async function redeemVoucher(
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  voucherId: number,
  { order, count, saving = 0 }: Redemption,
): Promise<RedeemFailure | null> {
  const known = (await lockVouchers(tx, place, [voucherId])).get(voucherId)
  if (!known) return 'unknown'
  if (usesLeft(known) < count) return 'used up'
  if ((budgetLeft(known) ?? saving) < saving) return 'budget used up'
  await updateRow(tx, voucher, place, {
    id: voucherId,
    redeemed: known.redeemed + count,
    budget_used: amountOf(known.budget_used + saving),
  })
  tx.audit(place, actor, {
    action: 'ticketsvc.event.voucher.redeemed',
    resource: voucher.name,
    row: voucherId,
    data: { order, count },
  })
  return null
}

/** Gives back uses of a voucher whose order is not to be; one that is gone needs none. */
export async function releaseVoucher(
  tx: Tx,
  { actor, place }: Pick<Scope, 'actor' | 'place'>,
  voucherId: number,
  { order, count, saving = 0 }: Redemption,
): Promise<void> {
  const known = (await lockVouchers(tx, place, [voucherId])).get(voucherId)
  if (!known) return
  await updateRow(tx, voucher, place, {
    id: voucherId,
    redeemed: Math.max(0, known.redeemed - count),
    budget_used: amountOf(Math.max(0, known.budget_used - saving)),
  })
  tx.audit(place, actor, {
    action: 'ticketsvc.event.voucher.released',
    resource: voucher.name,
    row: voucherId,
    data: { order, count },
  })
}

const amountIn = (value: string | null): number | null => (value === null ? null : hundredths(value))

/** A stored voucher as selling looks at it. */
export function voucherFacts(stored: Voucher): VoucherFacts {
  return {
    ...stored,
    value: amountIn(stored.value),
    budget: amountIn(stored.budget),
    budget_used: hundredths(stored.budget_used),
  }
}

/** Stores a voucher that the server itself makes, unchecked, with a new code; its row. */
export async function addVoucher(
  tx: Tx,
  place: Place,
  values: Partial<Omit<Voucher, 'id' | 'code'>>,
): Promise<Voucher> {
  const [code = ''] = await freshVoucherCodes(tx, place, 1)
  const row = { ...blankRow(voucher), ...values, code, id: tx.nextId() }
  await insertRow(tx, voucher, place, row)
  return row
}
