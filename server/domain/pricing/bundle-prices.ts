import { chargedPrice, grossOfNet, type TaxAddress, type TaxRuleFacts, taxInGross } from './taxes.ts'

/** What a buyer pays for one line, tax included, in hundredths, and what of it is tax at which rate. */
export interface TaxedLine {
  readonly price: number
  readonly tax: number
  /** In hundredths of a percent. */
  readonly rate: number
}

/** Some of a product that comes with another one: how many, and the part of the price that is each one's own. */
export interface BundledPart {
  readonly count: number
  /** In hundredths, always with tax. */
  readonly designated: number
  readonly rule: TaxRuleFacts | null
}

/** What a product with others in it costs: its own line, and one line of each bundled product, `count` times. */
export interface BundledPrices {
  readonly base: TaxedLine
  readonly parts: readonly TaxedLine[]
}

/** A price that says tax is in it, whatever the rule says of its prices. */
const asGross = (rule: TaxRuleFacts | null): TaxRuleFacts | null =>
  rule && { ...rule, price_includes_tax: true }

function taxed(
  price: number,
  rule: TaxRuleFacts | null,
  address: TaxAddress | null,
  step: number,
): TaxedLine {
  const charged = chargedPrice(price, rule, address, step)
  return { ...charged, tax: taxInGross(charged.price, charged.rate, step) }
}

/** What is left of a gross price once what is bundled is taken off: nothing below zero, unless it was below before. */
export const withoutBundled = (gross: number, bundled: number): number =>
  gross >= 0 ? Math.max(0, gross - bundled) : gross - bundled

/**
 * Divides the price of a product among it and what is bundled with it, each with its own tax. `price` is in hundredths
 * with or without tax as the rule says. `areIncluded`: a voucher gives the bundled ones away, so that the product keeps
 * its whole price. The sum is the price, while it covers what is bundled and the buyer's address changes no rate.
 */
export function bundlePrices(
  price: number,
  rule: TaxRuleFacts | null,
  parts: readonly BundledPart[],
  buyer: { readonly address: TaxAddress | null; readonly step: number },
  areIncluded = false,
): BundledPrices {
  const { address, step } = buyer
  const own = areIncluded ? parts.map((part) => ({ ...part, designated: 0 })) : parts
  const bundled = own.reduce((sum, { count, designated }) => sum + count * designated, 0)
  const line = (part: BundledPart): TaxedLine => taxed(part.designated, asGross(part.rule), address, step)
  // Without anything to take off, a net price stays the one that was set.
  if (bundled === 0) return { base: taxed(price, rule, address, step), parts: own.map(line) }
  const gross = rule === null || rule.price_includes_tax ? price : grossOfNet(price, rule.rate, step)
  return {
    base: taxed(withoutBundled(gross, bundled), asGross(rule), address, step),
    parts: own.map(line),
  }
}
