import { freeProvider } from './free-provider.ts'
import { giftCardProvider } from './gift-card-provider.ts'
import { manualProvider } from './manual-provider.ts'
import { enteredPayment, type PaymentProvider } from './payment-provider.ts'

/** Cash at the box office. */
const boxOfficeProvider = enteredPayment('boxoffice', { refundsAtOnce: true })

/** A card terminal that works by itself. */
const cardTerminalProvider = enteredPayment('cardterminal', { refundsAtOnce: false })

/** A transfer from bank to bank. */
const bankTransferProvider = enteredPayment('banktransfer', { refundsAtOnce: false })

/** The ways in which orders can be paid. */
const paymentProviders: readonly PaymentProvider[] = [
  freeProvider,
  manualProvider,
  bankTransferProvider,
  boxOfficeProvider,
  cardTerminalProvider,
  giftCardProvider,
]

/** The way of paying with an identifier; undefined for one that is only known elsewhere, or made of another order. */
export const paymentProviderOf = (id: string): PaymentProvider | undefined =>
  paymentProviders.find((provider) => provider.id === id)
