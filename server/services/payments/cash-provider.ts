import { enteredByHand, type PaymentProvider } from './payment-provider.ts'

/** Cash at the box office: it goes into the till and out of it, at once, with or without the upstream. */
export const cashProvider: PaymentProvider = {
  id: 'boxoffice',
  refundsAtOnce: true,
  ...enteredByHand,
}
