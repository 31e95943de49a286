import assert from 'node:assert/strict'
import type { DiscountLine } from '../../../server/domain/pricing/discount-groups.ts'
import {
  applyDiscounts,
  type DiscountFacts,
  type Purchase,
} from '../../../server/domain/pricing/discounts.ts'

/** Ten percent off everything, once there is one of it. */
export const plain: DiscountFacts = {
  id: 1,
  active: true,
  position: 0,
  all_sales_channels: false,
  sales_channels: ['web'],
  available_from: null,
  available_until: null,
  subevent_mode: 'mixed',
  condition_all_products: true,
  condition_limit_products: [],
  condition_apply_to_addons: true,
  condition_ignore_voucher_discounted: false,
  condition_min_count: 1,
  condition_min_value: 0,
  benefit_discount_matching_percent: 1000,
  benefit_only_apply_to_cheapest_n_matches: null,
}

export const purchase: Purchase = { now: '2030-06-01T12:00:00.000000Z', channel: 'web', step: 1 }

/** The cheapest of every three is free. */
export const threeForTwo: Partial<DiscountFacts> = {
  condition_min_count: 3,
  benefit_only_apply_to_cheapest_n_matches: 1,
  benefit_discount_matching_percent: 10_000,
}

/** Ten percent off from a value on. */
export const fromValue = (value: number): Partial<DiscountFacts> => ({
  condition_min_count: 0,
  condition_min_value: value,
})

/** Only some items. */
export const chosen = (...items: number[]): Partial<DiscountFacts> => ({
  condition_all_products: false,
  condition_limit_products: items,
})

const word = /^(-?\d+)(?:#(\d+))?(?:@(\d+))?(?:\+(\d+))?(b)?(?:v(\d+))?$/

/**
 * Lines from words: the price in hundredths, then `#item`, `@date`, `+line` that it is an add-on of (counted from one),
 * `b` for bundled, `v` and what a voucher took off.
 */
function linesOf(text: string): DiscountLine[] {
  return text.split(' ').map((part, index) => {
    const [whole, price, item, date, base, bundled, saving] = word.exec(part) ?? []
    assert.ok(whole, part)
    return {
      id: index + 1,
      item: Number(item ?? 1),
      subevent: date === undefined ? null : Number(date),
      price: Number(price),
      addonTo: base === undefined ? null : Number(base),
      isBundled: bundled !== undefined,
      voucherSaving: Number(saving ?? 0),
    }
  })
}

/** What discounts make of lines: each new price, with a star and the discount's id where one has used the line. */
export function pricesOf(
  discounts: readonly Partial<DiscountFacts>[],
  lines: string,
  at: Partial<Purchase> = {},
): string {
  const all = discounts.map((discount, index) => ({ ...plain, id: index + 1, ...discount }))
  return applyDiscounts(all, linesOf(lines), { ...purchase, ...at })
    .map(({ price, discount }) => (discount === null ? `${price}` : `${price}*${discount}`))
    .join(' ')
}
