import { enteredByHand, type PaymentProvider } from './payment-provider.ts'

/** How an order that costs nothing is paid. */
export const freeProvider: PaymentProvider = {
  id: 'free',
  refundsAtOnce: false,
  ...enteredByHand,
}
