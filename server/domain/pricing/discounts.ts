import { isBefore } from '../../../schema/instants.ts'
import type { SubeventMode } from '../../../schema/resources/catalogue/discount.ts'
import {
  type Candidate,
  type DiscountLine,
  groupsOfDistinctDates,
  groupsOfSameDate,
} from './discount-groups.ts'
import { timesFraction } from './rounding.ts'
import { isSoldThrough, type SoldThrough } from './sold-through.ts'

/** A discount as pricing looks at it: amounts in hundredths, the percentage in hundredths of a percent. */
export interface DiscountFacts extends SoldThrough {
  readonly id: number
  readonly active: boolean
  readonly position: number
  readonly available_from: string | null
  readonly available_until: string | null
  readonly subevent_mode: SubeventMode
  readonly condition_all_products: boolean
  readonly condition_limit_products: readonly number[]
  readonly condition_apply_to_addons: boolean
  readonly condition_ignore_voucher_discounted: boolean
  readonly condition_min_count: number
  readonly condition_min_value: number
  readonly benefit_discount_matching_percent: number
  readonly benefit_only_apply_to_cheapest_n_matches: number | null
}

/** When and where something is bought; `step` is the currency's smallest amount. */
export interface Purchase {
  readonly now: string
  readonly channel: string
  readonly step: number
}

/** What a line costs in the end, and the discount that it was used for, even where it takes nothing off. */
interface DiscountedLine {
  readonly price: number
  readonly discount: number | null
}

/** The new prices of the lines that a discount uses up, by their index. */
type Result = Map<number, number>

/** Whether a discount is offered at a moment and in a place. */
const isOffered = (discount: DiscountFacts, { now, channel }: Omit<Purchase, 'step'>): boolean =>
  discount.active &&
  (discount.available_from === null || !isBefore(now, discount.available_from)) &&
  (discount.available_until === null || !isBefore(discount.available_until, now)) &&
  isSoldThrough(discount, channel)

/**
 * What lines that are bought together cost with the discounts on offer, one answer for each line as they were given.
 * Discounts are tried by position and id; what one has used is not there for those after it. Bundled lines stay out.
 */
export function applyDiscounts(
  discounts: readonly DiscountFacts[],
  lines: readonly DiscountLine[],
  purchase: Purchase,
): DiscountedLine[] {
  const offered = discounts.filter((one) => isOffered(one, purchase))
  offered.sort((a, b) => a.position - b.position || a.id - b.id)
  const inOrder = [...lines].sort((a, b) => (b.addonTo ?? 0) - (a.addonTo ?? 0) || a.id - b.id)
  let free: readonly Candidate[] = inOrder
    .map((line, index) => ({ line, index }))
    .filter(({ line }) => !line.isBundled)
  const done = new Map<DiscountLine, DiscountedLine>()
  for (const discount of offered) {
    const result = applyDiscount(discount, free, purchase.step)
    for (const { line, index } of free) {
      const price = result.get(index)
      if (price !== undefined) done.set(line, { price, discount: discount.id })
    }
    free = free.filter(({ index }) => !result.has(index))
  }
  return lines.map((line) => done.get(line) ?? { price: line.price, discount: null })
}

/** Whether a line counts towards a discount and is made cheaper by it. */
const isCandidate = (discount: DiscountFacts, { item, addonTo, voucherSaving }: DiscountLine): boolean =>
  (discount.condition_all_products || discount.condition_limit_products.includes(item)) &&
  (discount.condition_apply_to_addons || addonTo === null) &&
  (!discount.condition_ignore_voucher_discounted || voucherSaving === 0)

function applyDiscount(discount: DiscountFacts, free: readonly Candidate[], step: number): Result {
  const result: Result = new Map()
  const fits = ({ line }: Candidate): boolean => isCandidate(discount, line)
  for (const group of groupsOf(discount, free, fits)) {
    if (discount.condition_min_count > 0) applyByCount(discount, group, step, result)
    else applyByValue(discount, group, step, result)
  }
  return result
}

function groupsOf(
  discount: DiscountFacts,
  free: readonly Candidate[],
  fits: (one: Candidate) => boolean,
): readonly (readonly Candidate[])[] {
  switch (discount.subevent_mode) {
    case 'mixed':
      return [free.filter(fits)]
    case 'same':
      return groupsOfSameDate(free.filter(fits))
    case 'distinct':
      return groupsOfDistinctDates(
        free,
        fits,
        discount.condition_min_count,
        discount.benefit_only_apply_to_cheapest_n_matches ?? 0,
      )
  }
}

const reduced = (discount: DiscountFacts, price: number, step: number): number =>
  timesFraction(price, 10_000 - discount.benefit_discount_matching_percent, 10_000, step)

function applyByValue(
  discount: DiscountFacts,
  group: readonly Candidate[],
  step: number,
  result: Result,
): void {
  const value = group.reduce((sum, { line }) => sum + line.price, 0)
  if (value < discount.condition_min_value) return
  for (const { index, line } of group) result.set(index, reduced(discount, line.price, step))
}

/** Without a number of cheapest ones, all of them are made cheaper; else that many for each time the count is met. */
function applyByCount(
  discount: DiscountFacts,
  group: readonly Candidate[],
  step: number,
  result: Result,
): void {
  const { condition_min_count: count, benefit_only_apply_to_cheapest_n_matches: cheapest } = discount
  if (group.length < count) return
  const times = Math.floor(group.length / count)
  const byPrice = [...group].sort((a, b) => a.line.price - b.line.price || b.index - a.index)
  const used = cheapest === null ? group : byPrice.slice(0, times * count)
  const benefiting = cheapest === null ? group : byPrice.slice(0, times * cheapest)
  for (const { index, line } of used) result.set(index, line.price)
  for (const { index, line } of benefiting) result.set(index, reduced(discount, line.price, step))
}
