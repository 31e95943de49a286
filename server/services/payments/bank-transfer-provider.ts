import { enteredByHand, type PaymentProvider } from './payment-provider.ts'

/** A transfer from bank to bank: somebody sees it on the account, and sends it back from there. */
export const bankTransferProvider: PaymentProvider = {
  id: 'banktransfer',
  refundsAtOnce: false,
  ...enteredByHand,
}
