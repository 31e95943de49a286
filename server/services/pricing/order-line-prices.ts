import sql, { join } from 'sql-template-tag'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import { applyDiscounts, type DiscountFacts, type Purchase } from '../../domain/pricing/discounts.ts'
import { chargedPrice, type TaxRuleFacts } from '../../domain/pricing/taxes.ts'
import { budgetLeft, priceWithVoucher, type VoucherFacts } from '../../domain/pricing/vouchers.ts'
import { amountOf } from '../../resource/codec.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Attempt } from '../input/attempts.ts'
import { type ItemFacts, listedPriceOf } from './order-catalogue.ts'
import type { PositionDraft } from './order-draft.ts'
import type { PriceTerms } from './order-pricing.ts'
import type { PositionInput } from './position-input.ts'

/** A position that was checked, with what its price depends on. */
export interface CheckedLine {
  readonly input: PositionInput
  readonly positionid: number
  readonly item: ItemFacts
  readonly voucher: VoucherFacts | null
  readonly answers: readonly StoredAnswer[]
}

/** What the prices of an order depend on beside its products. */
interface OrderTerms extends PriceTerms {
  readonly parts: ProductParts
  readonly discounts: readonly DiscountFacts[]
  readonly purchase: Purchase
  /** Whether a price that was sent may be less than what is asked for by itself. */
  readonly mayCostLess: boolean
}

/** The lines of an order by what they belong to. */
interface LinesOfOrder {
  readonly byNumber: ReadonlyMap<number, CheckedLine>
  /** Those that are add-ons, by the number of what they are added to. */
  readonly addons: ReadonlyMap<number | null, readonly CheckedLine[]>
}

/** What a line costs and would cost without a voucher, in hundredths, tax included. */
interface Charge {
  readonly price: number
  readonly listed: number
  readonly rate: number
}

/**
 * The positions of an order with their prices and taxes, one answer for each: a price that was sent is believed as far as that may be, another
 * one follows from the catalogue, the voucher, what is bundled, and the discounts, in this order. A voucher takes off no
 * more than is left of its budget; where that cannot be, there is a complaint under `voucher`.
 */
export function priceLines(terms: OrderTerms, lines: readonly CheckedLine[]): Attempt<PositionDraft>[] {
  const budgets = new Map<number, number | null>()
  const order: LinesOfOrder = {
    byNumber: new Map(lines.map((line) => [line.positionid, line])),
    addons: Map.groupBy(lines, ({ input }) => input.addon_to),
  }
  const drafts = lines.map((line): Attempt<PositionDraft> => {
    const { input, voucher, positionid, answers, item } = line
    const charge = chargeOf(terms, line, order)
    if (!terms.mayCostLess && input.price !== null && input.price < charge.price)
      return { ok: false, errors: { price: [`This costs ${amountOf(charge.price)} or more.`] } }
    const saving = voucher ? Math.max(0, charge.listed - (input.price ?? charge.price)) : 0
    const left = voucher ? (budgets.get(voucher.id) ?? budgetLeft(voucher)) : null
    const used = left === null ? saving : Math.min(saving, left)
    if (used < saving && (left === 0 || input.price !== null)) return overBudget(left ?? 0, saving)
    if (voucher && left !== null) budgets.set(voucher.id, left - used)
    const { seat: _, voucher: __, is_bundled: ___, ...rest } = input
    return {
      ok: true,
      value: {
        ...rest,
        positionid,
        answers,
        price: input.price ?? charge.price + saving - used,
        tax_rate: charge.rate,
        tax_rule: ruleOf(terms, item)?.id ?? null,
        voucher: voucher?.id ?? null,
        voucher_budget_use: voucher ? used : null,
      },
    }
  })
  return withDiscounts(terms, lines, drafts)
}

const overBudget = (left: number, saving: number): Attempt<PositionDraft> => ({
  ok: false,
  errors: {
    voucher: [
      `The voucher has a remaining budget of ${amountOf(left)}, so a discount of ${amountOf(saving)} cannot be given.`,
    ],
  },
})

const ruleOf = ({ catalogue }: PriceTerms, item: ItemFacts): TaxRuleFacts | null =>
  catalogue.taxRules.get(item.tax_rule ?? 0) ?? null

/** What a line costs by itself. */
function chargeOf(terms: OrderTerms, line: CheckedLine, order: LinesOfOrder): Charge {
  const { catalogue, address, step, parts } = terms
  const { input, item, voucher } = line
  const rule = ruleOf(terms, item)
  const charged = (amount: number, isGross = false) =>
    chargedPrice(amount, rule && isGross ? { ...rule, price_includes_tax: true } : rule, address, step)
  const base = input.addon_to === null ? undefined : order.byNumber.get(input.addon_to)
  const bundle = base && bundleOf(parts, base, line)
  if (base && bundle) {
    const { price, rate } = charged(base.voucher?.all_bundles_included ? 0 : bundle.price, true)
    return { price, listed: price, rate }
  }
  const listed = listedPriceOf(catalogue, item, input.variation, input.subevent)
  const usual = charged(listed)
  if (base && isIncluded(parts, base, item)) return { price: 0, listed: 0, rate: usual.rate }
  const price = voucher ? charged(priceWithVoucher(listed, voucher, step)).price : usual.price
  const bundled = voucher?.all_bundles_included ? 0 : bundledSum(parts, line, order)
  const without = (amount: number): number => (amount > 0 ? Math.max(0, amount - bundled) : amount)
  return { price: without(price), listed: without(usual.price), rate: usual.rate }
}

/** The entry by which one line comes with another, or undefined. */
const bundleOf = (
  { bundles }: ProductParts,
  base: CheckedLine,
  { input, item }: CheckedLine,
): BundledProduct | undefined =>
  input.is_bundled
    ? bundles
        .get(base.item.id)
        ?.find((one) => one.item === item.id && one.variation === (input.variation ?? null))
    : undefined

/** Whether something costs nothing as an add-on of a line. */
const isIncluded = ({ categories, included }: ProductParts, base: CheckedLine, item: ItemFacts): boolean =>
  base.voucher?.all_addons_included === true ||
  included.get(base.item.id)?.has(categories.get(item.id) ?? 0) === true

/** What the lines that come with a line take of its price. */
const bundledSum = (parts: ProductParts, base: CheckedLine, { addons }: LinesOfOrder): number =>
  (addons.get(base.positionid) ?? []).reduce(
    (sum, line) => sum + (bundleOf(parts, base, line)?.price ?? 0),
    0,
  )

/** All lines take part in discounts; only prices that were worked out here become lower. */
function withDiscounts(
  { discounts, purchase }: OrderTerms,
  lines: readonly CheckedLine[],
  drafts: readonly Attempt<PositionDraft>[],
): Attempt<PositionDraft>[] {
  if (discounts.length === 0 || drafts.some(({ ok }) => !ok)) return [...drafts]
  const good = drafts.flatMap((one) => (one.ok ? [one.value] : []))
  const inputs = new Map(lines.map(({ positionid, input }) => [positionid, input]))
  const discounted = applyDiscounts(
    discounts,
    good.map(({ positionid, item, subevent = null, price, addon_to = null, voucher_budget_use }) => ({
      ...{ id: positionid, item, subevent, price, addonTo: addon_to },
      isBundled: inputs.get(positionid)?.is_bundled === true,
      voucherSaving: voucher_budget_use ?? 0,
    })),
    purchase,
  )
  return good.map((draft, index) => {
    const { price, discount } = discounted[index] ?? { price: draft.price, discount: null }
    const isSent = inputs.get(draft.positionid)?.price !== null
    return { ok: true, value: { ...draft, price: isSent ? draft.price : price, discount } }
  })
}

/** A product that comes with another one; the price is in hundredths, tax included. */
interface BundledProduct {
  readonly item: number
  readonly variation: number | null
  readonly price: number
}

/** What products come with others, as far as prices depend on it. */
interface ProductParts {
  /** The category of each item that has one. */
  readonly categories: ReadonlyMap<number, number>
  /** The categories whose products cost nothing as add-ons of an item. */
  readonly included: ReadonlyMap<number, ReadonlySet<number>>
  readonly bundles: ReadonlyMap<number, readonly BundledProduct[]>
}

const none: ProductParts = { categories: new Map(), included: new Map(), bundles: new Map() }

/** Loads what some items are combined of; nothing where no product is an add-on. */
export async function loadParts(
  db: Queryable,
  { organizer, event }: Place,
  lines: readonly { readonly item: number; readonly addon_to: number | null }[],
): Promise<ProductParts> {
  if (lines.every(({ addon_to }) => addon_to === null)) return none
  const items = join([...new Set(lines.map(({ item }) => item))])
  const inPlace = sql`organizer = ${organizer} AND event = ${event}`
  const categories = await db.all<{ id: number; category: number }>(
    sql`SELECT id, category FROM item WHERE ${inPlace} AND category IS NOT NULL AND id IN (${items})`,
  )
  const addons = await db.all<{ item: number; addon_category: number }>(
    sql`SELECT item, addon_category FROM item_addon WHERE ${inPlace} AND price_included = 1 AND item IN (${items})`,
  )
  const bundles = await db.all<{ item: number; id: number; variation: number | null; price: number }>(
    sql`SELECT item, bundled_item AS id, bundled_variation AS variation, designated_price AS price FROM item_bundle
        WHERE ${inPlace} AND item IN (${items}) ORDER BY id`,
  )
  const included = new Map<number, Set<number>>()
  for (const { item, addon_category } of addons)
    included.set(item, (included.get(item) ?? new Set()).add(addon_category))
  const bundled = new Map<number, BundledProduct[]>()
  for (const { item, id, variation, price } of bundles)
    bundled.set(item, [...(bundled.get(item) ?? []), { item: id, variation, price }])
  return { categories: new Map(categories.map((row) => [row.id, row.category])), included, bundles: bundled }
}
