import type { ReceiptContent } from './receipt-chain.ts'
import { cashProviderId, taxesOf, totalAmount } from './receipts.ts'

/** What a signing device is given of a receipt. */
export interface SignedData {
  readonly type: 'Kassenbeleg-V1'
  readonly data: string
}

/** The rates that have a place of their own, in hundredths of a percent; what has another rate is in the last place. */
const placedRates = [1900, 700, 1070, 550] as const

const written = (hundredths: number): string => (hundredths / 100).toFixed(2)

/** A receipt as signing devices of Germany are told it: gross sums by rate, then what was paid in cash and otherwise. */
export function signedDataOf({ training, total, lines, payments, currency }: ReceiptContent): SignedData {
  const taxes = taxesOf(lines)
  const placed = placedRates.map((rate) =>
    totalAmount(taxes.filter((tax) => tax.rate === rate).map(({ gross }) => gross)),
  )
  const sums = [...placed, total - totalAmount(placed)].map(written).join('_')
  const paid = (isCash: boolean): string[] => {
    const amount = totalAmount(
      payments.filter(({ provider }) => (provider === cashProviderId) === isCash).map((one) => one.amount),
    )
    const unit = currency === 'EUR' ? '' : `:${currency}`
    return amount === 0 ? [] : [`${written(amount)}:${isCash ? 'Bar' : 'Unbar'}${unit}`]
  }
  const kind = training ? 'AVTraining' : 'Beleg'
  return { type: 'Kassenbeleg-V1', data: `${kind}^${sums}^${[...paid(true), ...paid(false)].join('_')}` }
}
