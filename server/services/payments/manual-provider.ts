import { enteredByHand, type PaymentProvider } from './payment-provider.ts'

/** Somebody says that the money is there. */
export const manualProvider: PaymentProvider = {
  id: 'manual',
  refundsAtOnce: true,
  ...enteredByHand,
}
