import { percentageOf, splitByTax } from '../../domain/pricing/prices.ts'
import { chargedPrice, rateFor, type TaxAddress } from '../../domain/pricing/taxes.ts'
import { type ItemFacts, listedPriceOf, type OrderCatalogue } from './order-catalogue.ts'
import type { FeeDraft, PositionDraft } from './order-draft.ts'
import type { FeeInput } from './order-input.ts'
import type { PositionInput } from './position-input.ts'

/** What prices depend on beside the product. */
export interface PriceTerms {
  readonly catalogue: OrderCatalogue
  /** Decides about reverse charge. */
  readonly address: TaxAddress | null
  /** The currency's smallest amount. */
  readonly step: number
}

/** What a product costs by the catalogue, and by which rule and rate it is taxed. */
export function cataloguePrice(
  { catalogue, address, step }: PriceTerms,
  item: ItemFacts,
  { variation, subevent }: { readonly variation: number | null; readonly subevent: number | null },
) {
  const rule = catalogue.taxRules.get(item.tax_rule ?? 0) ?? null
  const listed = listedPriceOf(catalogue, item, variation, subevent)
  return { ...chargedPrice(listed, rule, address, step), rule: rule?.id ?? null }
}

/** A position that was checked, with its price and tax: what was sent is believed, else the catalogue says it. */
export function pricePosition(
  terms: PriceTerms,
  item: ItemFacts,
  input: PositionInput,
): Omit<PositionDraft, 'positionid' | 'answers'> {
  const charged = cataloguePrice(terms, item, input)
  const { seat: _, voucher: __, is_bundled: ___, positionid: ____, answers: _____, ...rest } = input
  return {
    ...rest,
    price: input.price ?? charged.price,
    tax_rate: charged.rate,
    tax_rule: charged.rule,
  }
}

/** The fees of an order whose positions are priced; one that is taxed like the products becomes one for each rate. */
export function priceFees(
  { catalogue, address, step }: PriceTerms,
  fees: readonly FeeInput[],
  positions: readonly Pick<PositionDraft, 'price' | 'tax_rule' | 'tax_rate'>[],
): FeeDraft[] {
  const whole = positions.reduce((sum, { price }) => sum + price, 0)
  const lines = positions.map(({ price, tax_rule = null, tax_rate = 0 }) => ({
    value: price,
    tax_rule,
    tax_rate,
  }))
  return fees.flatMap((fee): FeeDraft[] => {
    const { fee_type, description, internal_type } = fee
    const value = fee.asPercentage ? percentageOf(whole, fee.value, step) : fee.value
    const rule = catalogue.taxRules.get(fee.tax_rule ?? 0)
    const taxed = { value, tax_rule: rule?.id ?? null, tax_rate: rule ? rateFor(rule, address) : 0 }
    const parts = fee.splitByTax ? splitByTax(value, lines, step) : [taxed]
    return parts.map((part) => ({ fee_type, description, internal_type, ...part }))
  })
}
