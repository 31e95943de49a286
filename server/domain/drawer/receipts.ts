import { type LineKind, movementKinds } from '../../../schema/receipt-words.ts'

/** One line of a receipt as it is printed; amounts are in hundredths, rates in hundredths of a percent. */
export interface ReceiptLine {
  readonly kind: LineKind
  readonly text: string
  /** Including taxes; less than nothing for what goes back. */
  readonly amount: number
  readonly tax_rate: number
  readonly tax_value: number
  readonly tax_code: string | null
  /** What of the catalogue it was, and the number of the position in its order. */
  readonly item: number | null
  readonly variation: number | null
  readonly subevent: number | null
  readonly positionid: number | null
}

/** One way in which a receipt was paid. */
export interface ReceiptPayment {
  readonly provider: string
  /** In hundredths; less than nothing for what goes back. */
  readonly amount: number
  /** What was handed over and what went back of it, where that was said. */
  readonly given: number | null
  readonly change: number | null
}

/** What the lines of a rate come to together, in hundredths. */
export interface ReceiptTax {
  readonly rate: number
  readonly code: string | null
  readonly net: number
  readonly tax: number
  readonly gross: number
}

/** The way of paying by which money goes into a drawer and out of it. */
export const cashProviderId = 'boxoffice'

/** Some amounts together. */
export const totalAmount = (amounts: readonly number[]): number => amounts.reduce((sum, one) => sum + one, 0)

/** What of some payments is cash. */
export const cashIn = (payments: readonly ReceiptPayment[]): number =>
  totalAmount(payments.filter(({ provider }) => provider === cashProviderId).map(({ amount }) => amount))

const isMovement = ({ kind }: ReceiptLine): boolean => movementKinds.some((one) => one === kind)

/** What the lines of each rate and code come to, the lowest rate first; cash that moved is not taxed. */
export function taxesOf(lines: readonly ReceiptLine[]): ReceiptTax[] {
  const groups = Map.groupBy(
    lines.filter((line) => !isMovement(line)),
    ({ tax_rate, tax_code }) => JSON.stringify([tax_rate, tax_code]),
  )
  return [...groups.values()]
    .flatMap((group) => {
      const [first] = group
      if (!first) return []
      const gross = totalAmount(group.map(({ amount }) => amount))
      const tax = totalAmount(group.map(({ tax_value }) => tax_value))
      return [{ rate: first.tax_rate, code: first.tax_code, net: gross - tax, tax, gross }]
    })
    .sort((a, b) => a.rate - b.rate || ((a.code ?? '') < (b.code ?? '') ? -1 : 1))
}

/** An amount in parts that are as near to the given weights as whole hundredths allow, and together just that amount. */
function inParts(amount: number, weights: readonly number[]): number[] {
  const whole = totalAmount(weights)
  let left = amount
  let leftWeight = whole
  return weights.map((weight) => {
    const part = leftWeight === 0 ? 0 : Math.round((left * weight) / leftWeight)
    left -= part
    leftWeight -= weight
    return part
  })
}

/** A part of what was sold, such as a deposit or a partial refund, as one line for each rate of the whole. */
export function partOfLines(lines: readonly ReceiptLine[], amount: number, text: string): ReceiptLine[] {
  const taxes = taxesOf(lines)
  const line = (part: number, { rate, code, gross, tax }: Omit<ReceiptTax, 'net'>): ReceiptLine => ({
    ...{ kind: 'order_part', text, amount: part, tax_rate: rate, tax_code: code },
    tax_value: gross === 0 ? 0 : Math.round((tax * part) / gross),
    ...{ item: null, variation: null, subevent: null, positionid: null },
  })
  if (totalAmount(taxes.map(({ gross }) => gross)) === 0 || taxes.some(({ gross }) => gross < 0))
    return [line(amount, { rate: 0, code: null, gross: 0, tax: 0 })]
  const parts = inParts(
    amount,
    taxes.map(({ gross }) => gross),
  )
  return taxes.flatMap((sum, index) => {
    const part = parts[index] ?? 0
    return part === 0 ? [] : [line(part, sum)]
  })
}

/** The same lines the other way round, for what takes a receipt back. */
export const reversedLines = (lines: readonly ReceiptLine[]): ReceiptLine[] =>
  lines.map((line) => ({ ...line, amount: negative(line.amount), tax_value: negative(line.tax_value) }))

/** What takes some lines back and sells others instead; what is the same stays out of it. */
export function changedLines(before: readonly ReceiptLine[], after: readonly ReceiptLine[]): ReceiptLine[] {
  const left = after.map((line) => JSON.stringify(line))
  const gone = before.filter((line) => {
    const at = left.indexOf(JSON.stringify(line))
    if (at >= 0) left[at] = ''
    return at < 0
  })
  return [...reversedLines(gone), ...after.filter((_, index) => left[index] !== '')]
}

const negative = (amount: number): number => (amount === 0 ? 0 : -amount)
