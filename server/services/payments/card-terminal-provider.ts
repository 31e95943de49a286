import { enteredByHand, type PaymentProvider } from './payment-provider.ts'
import { checkTillMoney, spendTillMoney } from './till-payments.ts'

/**
 * A card terminal. What one that works by itself took is entered; what one that a till asked took is named in the payment
 * as `till_payment`, and is spent once. What it shall give back is seen to there.
 */
export const cardTerminalProvider: PaymentProvider = {
  id: 'cardterminal',
  refundsAtOnce: false,
  refund: enteredByHand.refund,
  async charge(tx, at, { order, amount, details }) {
    const checked = await checkTillMoney(tx, at, { amount, details })
    await spendTillMoney(tx, at, details, order.code)
    return checked
  },
  async offline(tx, at, { amount, details }) {
    return {
      details: await checkTillMoney(tx, at, { amount, details }),
      take: (order) => spendTillMoney(tx, at, details, order),
    }
  },
}
