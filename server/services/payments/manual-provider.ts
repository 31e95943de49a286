import { enteredPayment } from './payment-provider.ts'

/** Somebody says that the money is there. */
export const manualProvider = enteredPayment('manual', { refundsAtOnce: true })
