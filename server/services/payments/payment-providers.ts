import { bankTransferProvider } from './bank-transfer-provider.ts'
import { cardTerminalProvider } from './card-terminal-provider.ts'
import { cashProvider } from './cash-provider.ts'
import { freeProvider } from './free-provider.ts'
import { giftCardProvider } from './gift-card-provider.ts'
import { manualProvider } from './manual-provider.ts'
import type { PaymentProvider } from './payment-provider.ts'

/** The ways in which orders can be paid. */
const paymentProviders: readonly PaymentProvider[] = [
  freeProvider,
  manualProvider,
  bankTransferProvider,
  cashProvider,
  cardTerminalProvider,
  giftCardProvider,
]

/** The way of paying with an identifier; undefined for one that is only known elsewhere, or made of another order. */
export const paymentProviderOf = (id: string): PaymentProvider | undefined =>
  paymentProviders.find((provider) => provider.id === id)
