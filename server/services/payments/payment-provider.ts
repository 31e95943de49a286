import type { PaymentProviderId } from '../../../schema/payment-providers.ts'
import type { OrderPayment } from '../../../schema/resources/orders/order-payment.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { OrderScope } from '../pricing/order-draft.ts'

/** What is kept with a payment beside its amount, as it is stored and shown. */
export type PaymentDetails = OrderPayment['details']

/** Money for an order that arrives or is given back. */
interface Charge {
  readonly order: { readonly code: string; readonly testmode: boolean }
  /** In hundredths. */
  readonly amount: number
  readonly details: PaymentDetails
}

/** The same for an order that is not stored yet, and so has no code. */
export interface OfflineCharge extends Omit<Charge, 'order'> {
  readonly testmode: boolean
}

/** A payment that was checked without asking the upstream. */
interface OfflinePayment {
  /** What is stored with the payment. */
  readonly details: PaymentDetails
  /** Takes the money once the order is stored. */
  readonly take: (order: string) => Promise<void>
}

/** A way of paying for orders. */
export interface PaymentProvider {
  readonly id: PaymentProviderId
  /** Whether money is given back at once; else somebody has to see to it. */
  readonly refundsAtOnce: boolean
  /** Takes the money of a payment that arrives; what is stored with the payment then. */
  readonly charge: (tx: Tx, at: OrderScope, charge: Charge) => Promise<PaymentDetails>
  /** Gives money of a payment back. */
  readonly refund: (tx: Tx, at: OrderScope, charge: Charge) => Promise<void>
  /** Checks a payment on a node that does not ask its upstream; missing where the upstream is not needed anyway. */
  readonly offline?: (tx: Tx, at: OrderScope, charge: OfflineCharge) => Promise<OfflinePayment>
}

/** Where money changes hands elsewhere: it is entered here as it is said, and nothing else happens. */
export const enteredByHand: Pick<PaymentProvider, 'charge' | 'refund'> = {
  charge: async (_tx, _at, { details }) => details,
  refund: async () => {},
}
