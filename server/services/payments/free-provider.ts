import { enteredPayment } from './payment-provider.ts'

/** How an order that costs nothing is paid. */
export const freeProvider = enteredPayment('free', { refundsAtOnce: false })
