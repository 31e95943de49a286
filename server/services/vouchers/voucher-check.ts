import type { Voucher } from '../../../schema/resources/carts/voucher.ts'
import { contradictory, type FieldErrors, invalid } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import type { Tx } from '../../resource/transactions.ts'
import { storedCode, takenVoucherCodes } from '../codes/voucher-codes.ts'
import { type Bindable, bindingProblem, loadBindable, usageProblem } from './voucher-binding.ts'
import { needsQuota, type QuotaForVouchers, quotaForVouchers } from './voucher-quota.ts'
import { voucherFacts } from './voucher-redeem.ts'
import { seatProblem } from './voucher-seats.ts'

/** What vouchers are checked against, loaded for all that are stored together. */
interface VoucherChecks {
  readonly bindable: Bindable
  readonly quotas: QuotaForVouchers
  /** The ids of the vouchers that have some codes already. */
  readonly taken: ReadonlyMap<string, number>
}

/** Loads what some vouchers have to be checked against; `before` is what is stored of the only one that changes. */
export async function loadChecks(
  tx: Tx,
  scope: Scope,
  rows: readonly Voucher[],
  before?: Voucher,
): Promise<VoucherChecks> {
  const facts = rows.map(voucherFacts)
  const old = before && voucherFacts(before)
  const hungry = facts.filter((one) => needsQuota(one, old, tx.now))
  const codes = facts.map(({ code }) => storedCode(code)).filter((code) => code !== '')
  return {
    bindable: await loadBindable(tx, scope.place, facts),
    quotas: await quotaForVouchers(tx, scope.place, hungry),
    taken: await takenVoucherCodes(tx, scope.place, codes),
  }
}

/** A voucher about to be stored; `before` is undefined for a new one. */
interface VoucherChange {
  readonly row: Voucher
  readonly before?: Voucher | undefined
}

/** Refuses what a voucher may not be, in a fixed order; its code may be missing. */
export async function checkVoucher(
  tx: Tx,
  scope: Scope,
  checks: VoucherChecks,
  { row, before }: VoucherChange,
): Promise<void> {
  const next = voucherFacts(row)
  const old = before && voucherFacts(before)
  const amounts: FieldErrors = {}
  if (next.value !== null && next.value < 0) amounts.value = ['This amount must not be negative.']
  else if (next.price_mode === 'percent' && (next.value ?? 0) > 10_000)
    amounts.value = ['No more than 100 % can be taken off.']
  if (next.budget !== null && next.budget < 0) amounts.budget = ['This amount must not be negative.']
  if (Object.keys(amounts).length > 0) throw invalid(amounts)
  const problem = bindingProblem(scope, next, checks.bindable) ?? usageProblem(next)
  if (problem) throw contradictory(problem)
  if (needsQuota(next, old, tx.now) && !checks.quotas.take(next, old))
    throw contradictory(
      'This voucher cannot block quota: what it is for is sold out or completely reserved at the moment.',
    )
  const owner = checks.taken.get(storedCode(next.code))
  if (owner !== undefined && owner !== before?.id)
    throw invalid({ code: ['A voucher with this code already exists.'] })
  const seat = await seatProblem(tx, scope, next, old)
  if (seat) throw invalid({ seat: [seat] })
}
