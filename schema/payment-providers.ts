/**
 * The ways in which an order can be paid: nothing to pay, entered by hand, bank transfer, cash at the box office, a card
 * terminal that works by itself, gift card.
 */
export const paymentProviderIds = [
  'free',
  'manual',
  'banktransfer',
  'boxoffice',
  'cardterminal',
  'giftcard',
] as const

/** The identifier of a way of paying. */
export type PaymentProviderId = (typeof paymentProviderIds)[number]
