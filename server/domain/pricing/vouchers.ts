import { isBefore } from '../../../schema/instants.ts'
import type { PriceMode } from '../../../schema/resources/carts/voucher.ts'
import { counts, type ProductLine, type QuotaFacts } from '../quotas/quotas.ts'
import { timesFraction } from './rounding.ts'

/** A voucher as selling looks at it; amounts are in hundredths. */
export interface VoucherFacts {
  readonly id: number
  readonly code: string
  readonly max_usages: number
  readonly min_usages: number
  readonly redeemed: number
  readonly valid_until: string | null
  readonly block_quota: boolean
  readonly allow_ignore_quota: boolean
  readonly price_mode: PriceMode
  readonly value: number | null
  readonly item: number | null
  readonly variation: number | null
  readonly quota: number | null
  readonly seat: string | null
  readonly subevent: number | null
  readonly show_hidden_items: boolean
  readonly budget: number | null
  readonly budget_used: number
  readonly all_addons_included: boolean
  readonly all_bundles_included: boolean
}

/** The part of a voucher that decides about prices. */
type PriceEffect = Pick<VoucherFacts, 'price_mode' | 'value'>

/**
 * A price with a voucher, in hundredths. `step` is the currency's smallest amount, `mostOff` the most that may still be
 * taken off, or null. Percentages are rounded to hundredths first and to the currency after.
 */
export function priceWithVoucher(
  price: number,
  { price_mode, value }: PriceEffect,
  step: number,
  mostOff: number | null = null,
): number {
  if (value === null) return price
  const changed = timesFraction(changedPrice(price, price_mode, value), 1, 1, step)
  return mostOff === null ? changed : Math.max(changed, price - mostOff)
}

function changedPrice(price: number, mode: PriceMode, value: number): number {
  switch (mode) {
    case 'none':
      return price
    case 'set':
      return value
    case 'subtract':
      return Math.max(0, price - value)
    case 'percent':
      return timesFraction(price, 10_000 - value, 10_000, 1)
  }
}

/** What is left of a voucher's budget, in hundredths; null where it has none. */
export const budgetLeft = ({ budget, budget_used }: Pick<VoucherFacts, 'budget' | 'budget_used'>) =>
  budget === null ? null : Math.max(0, budget - budget_used)

/** Whether a voucher is past its time. */
export const isVoucherExpired = ({ valid_until }: Pick<VoucherFacts, 'valid_until'>, now: string): boolean =>
  valid_until !== null && isBefore(valid_until, now)

/** Whether a voucher keeps part of a quota for itself. */
export const isBlocking = (
  voucher: Pick<VoucherFacts, 'block_quota' | 'valid_until'>,
  now: string,
): boolean => voucher.block_quota && !isVoucherExpired(voucher, now)

/** How often a voucher can still be used; `held` uses are promised to carts. */
export const usesLeft = (
  { max_usages, redeemed }: Pick<VoucherFacts, 'max_usages' | 'redeemed'>,
  held = 0,
): number => Math.max(0, max_usages - redeemed - held)

/** Whether a voucher is meant for a product; `quota` is the one that it names. Its date is another question. */
export function appliesTo(
  voucher: Pick<VoucherFacts, 'item' | 'variation' | 'quota'>,
  line: Pick<ProductLine, 'item' | 'variation'>,
  quota: Pick<QuotaFacts, 'id' | 'items' | 'variations'> | null,
): boolean {
  if (voucher.quota !== null) {
    if (quota?.id !== voucher.quota) return false
    return line.variation === null
      ? quota.items.includes(line.item)
      : quota.variations.includes(line.variation)
  }
  if (voucher.item === null) return true
  return voucher.item === line.item && (voucher.variation === null || voucher.variation === line.variation)
}

/** What somebody wants to use a voucher for. */
export interface VoucherUse extends ProductLine {
  /** The seat's name in the plan, or null. */
  readonly seat: string | null
}

/** Why a voucher cannot be used for something. */
export type VoucherProblem = 'product' | 'seat' | 'subevent' | 'expired'

/** What speaks against using a voucher for something, the first thing of all; `quota` is the one that it names. */
export function voucherProblem(
  voucher: VoucherFacts,
  use: VoucherUse,
  quota: Pick<QuotaFacts, 'id' | 'items' | 'variations'> | null,
  now: string,
): VoucherProblem | null {
  if (!appliesTo(voucher, use, quota)) return 'product'
  if (voucher.seat !== null && voucher.seat !== use.seat) return 'seat'
  if (voucher.subevent !== null && voucher.subevent !== use.subevent) return 'subevent'
  return isVoucherExpired(voucher, now) ? 'expired' : null
}

/** How many uses are kept for vouchers of one binding and date. */
export interface BlockedUses extends Pick<VoucherFacts, 'item' | 'variation' | 'quota' | 'subevent'> {
  readonly uses: number
}

/** Whether a blocking voucher takes from a quota; dates have to be the same. */
export function blocks(
  { item, variation, quota, subevent }: Omit<BlockedUses, 'uses'>,
  of: QuotaFacts,
): boolean {
  if (item !== null) return counts(of, { item, variation, subevent })
  return quota === of.id && subevent === of.subevent
}
