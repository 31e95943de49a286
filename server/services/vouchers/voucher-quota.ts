import { blocks, isBlocking, isVoucherExpired, type VoucherFacts } from '../../domain/pricing/vouchers.ts'
import { availability } from '../../domain/quotas/quota-availability.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { lockConcerned, quotaUsage } from '../quotas/quota-usage.ts'

/** Whether a voucher about to be stored takes quota that it did not have before. */
export function needsQuota(next: VoucherFacts, before: VoucherFacts | undefined, now: string): boolean {
  if (next.allow_ignore_quota || !isBlocking(next, now)) return false
  if (!before?.block_quota || isVoucherExpired(before, now)) return true
  return (['item', 'variation', 'quota', 'subevent'] as const).some((name) => next[name] !== before[name])
}

/** Gives quota to vouchers, one after the other. */
export interface QuotaForVouchers {
  /** Keeps what a voucher blocks for it; whether there was enough. What it blocked before counts as its own. */
  take(next: VoucherFacts, before: VoucherFacts | undefined): boolean
}

/**
 * Prepares to give quota to some vouchers. The limited quotas concerned stay locked until the commit, so that nobody else
 * takes the last of one meanwhile.
 */
export async function quotaForVouchers(
  tx: Tx,
  place: Place,
  vouchers: readonly VoucherFacts[],
): Promise<QuotaForVouchers> {
  const isConcerned = (one: QuotaFacts): boolean => vouchers.some((voucher) => blocks(voucher, one))
  const quotas = vouchers.length === 0 ? [] : await lockConcerned(tx, place, isConcerned)
  const limited = quotas.filter((one) => one.size !== null)
  const usage = await quotaUsage(tx, place, limited, tx.now)
  const taken = new Map<number, number>()
  const hasEnough = (quota: QuotaFacts, needed: number, ignoreWaiting: boolean): boolean => {
    const used = usage.get(quota.id) ?? { paid: 0, pending: 0 }
    const vouchersNow = (used.vouchers ?? 0) + (taken.get(quota.id) ?? 0)
    const { state, number } = availability(quota, { ...used, vouchers: vouchersNow }, { ignoreWaiting })
    return state === 'available' && (number === null || number >= needed)
  }
  return {
    take(next, before) {
      const kept = (one: QuotaFacts): boolean =>
        before !== undefined && isBlocking(before, tx.now) && (one.id === before.quota || blocks(before, one))
      const concerned = quotas.filter((one) => blocks(next, one) && !kept(one))
      const needed = next.max_usages - next.redeemed
      // Whoever keeps places free for a quota as a whole may do so before those who wait for one of its products.
      if (!concerned.every((one) => hasEnough(one, needed, next.quota !== null))) return false
      for (const { id } of concerned) taken.set(id, (taken.get(id) ?? 0) + needed)
      return true
    },
  }
}
