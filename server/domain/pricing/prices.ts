import { timesFraction } from './rounding.ts'

/** The prices that are set for a product, in hundredths; null where nothing is set. */
interface PriceTags {
  readonly item: number
  readonly itemOnDate: number | null
  readonly variation: number | null
  readonly variationOnDate: number | null
}

/** The listed price of a product: the most particular one that is set. */
export const listedPrice = ({ item, itemOnDate, variation, variationOnDate }: PriceTags): number =>
  variationOnDate ?? variation ?? itemOnDate ?? item

/** A percentage (in hundredths of a percent) of an amount, in hundredths, rounded to the currency's smallest amount. */
export const percentageOf = (amount: number, percentage: number, step: number): number =>
  timesFraction(amount, percentage, 10_000, step)

/** A part of an order's value that is taxed alike. */
interface TaxedPart {
  readonly value: number
  readonly tax_rule: number | null
  readonly tax_rate: number
}

/** An amount divided among the taxes of the lines of an order in proportion to their prices; nothing is lost. */
export function splitByTax(amount: number, lines: readonly TaxedPart[], step: number): TaxedPart[] {
  const whole = lines.reduce((sum, line) => sum + line.value, 0)
  if (whole <= 0) return [{ value: amount, tax_rule: null, tax_rate: 0 }]
  const sums = new Map<string, TaxedPart>()
  for (const line of lines) {
    const key = `${line.tax_rule}/${line.tax_rate}`
    sums.set(key, { ...line, value: line.value + (sums.get(key)?.value ?? 0) })
  }
  const groups = [...sums.values()].sort((a, b) => a.tax_rate - b.tax_rate)
  let left = amount
  return groups.map((group, index) => {
    const value = index === groups.length - 1 ? left : timesFraction(amount, group.value, whole, step)
    left -= value
    return { ...group, value }
  })
}
