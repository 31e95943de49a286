import { enteredByHand, type PaymentProvider } from './payment-provider.ts'

/** A card terminal that works by itself: what it took is entered, what it shall give back has to be typed there. */
export const cardTerminalProvider: PaymentProvider = {
  id: 'cardterminal',
  refundsAtOnce: false,
  ...enteredByHand,
}
