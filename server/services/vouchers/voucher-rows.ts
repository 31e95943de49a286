import { type Voucher, voucher } from '../../../schema/resources/carts/voucher.ts'
import type { VoucherFacts } from '../../domain/pricing/vouchers.ts'
import { hundredths } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { freshVoucherCodes } from '../codes/voucher-codes.ts'

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
