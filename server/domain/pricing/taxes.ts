import { timesFraction } from './rounding.ts'

/** How a product is taxed; the rate is in hundredths of a percent. */
export interface TaxRuleFacts {
  readonly id: number
  readonly rate: number
  readonly price_includes_tax: boolean
  readonly eu_reverse_charge: boolean
  readonly home_country: string
  readonly keep_gross_if_rate_changes: boolean
}

/** The part of an invoice address that decides about taxes. */
export interface TaxAddress {
  readonly is_business: boolean
  readonly country: string
  readonly vat_id: string
  readonly vat_id_validated: boolean
}

const wholeRate = 10_000

const europeanUnion: ReadonlySet<string> = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
)

/** The tax in a gross amount, in hundredths; `step` is the currency's smallest amount. */
export function taxInGross(gross: number, rate: number, step: number): number {
  return gross - timesFraction(gross, wholeRate, wholeRate + rate, step)
}

/** The gross amount of a net one, in hundredths. */
export function grossOfNet(net: number, rate: number, step: number): number {
  return timesFraction(net, wholeRate + rate, wholeRate, step)
}

/** The rate that a rule asks of a buyer: none where the tax is the buyer's business or another country's. */
export function rateFor(rule: TaxRuleFacts, address: TaxAddress | null): number {
  if (!rule.eu_reverse_charge || address === null || address.country === '') return rule.rate
  if (!europeanUnion.has(address.country)) return 0
  return isReverseCharge(rule, address) ? 0 : rule.rate
}

/** Whether the buyer owes the tax: a business of another country of the European Union. */
const isReverseCharge = (
  rule: Pick<TaxRuleFacts, 'eu_reverse_charge' | 'home_country'>,
  address: TaxAddress | null,
): boolean =>
  rule.eu_reverse_charge &&
  address !== null &&
  europeanUnion.has(address.country) &&
  address.country !== rule.home_country &&
  address.is_business &&
  address.vat_id !== '' &&
  address.vat_id_validated

/** Why nothing is charged by a rule, in the codes of EN 16931; null where something is, or for no such reason. */
export const taxCodeOf = (
  rule: Pick<TaxRuleFacts, 'eu_reverse_charge' | 'home_country'>,
  address: TaxAddress | null,
): 'AE' | 'O' | null => {
  if (isReverseCharge(rule, address)) return 'AE'
  const isAbroad = address !== null && address.country !== '' && !europeanUnion.has(address.country)
  return rule.eu_reverse_charge && isAbroad ? 'O' : null
}

/** What a buyer pays for a listed price, tax included, and the rate of the tax in it. */
export function chargedPrice(
  listed: number,
  rule: TaxRuleFacts | null,
  address: TaxAddress | null,
  step: number,
): { readonly price: number; readonly rate: number } {
  if (rule === null) return { price: listed, rate: 0 }
  const gross = rule.price_includes_tax ? listed : grossOfNet(listed, rule.rate, step)
  const rate = rateFor(rule, address)
  if (rate === rule.rate || rule.keep_gross_if_rate_changes) return { price: gross, rate }
  const net = rule.price_includes_tax ? gross - taxInGross(gross, rule.rate, step) : listed
  return { price: grossOfNet(net, rate, step), rate }
}
