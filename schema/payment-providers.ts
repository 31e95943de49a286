/**
 * The ways in which an order can be paid: nothing to pay, entered by hand, bank transfer, cash at the box office, a card
 * terminal that works by itself, gift card.
 */
export const paymentProviders = [
  'free',
  'manual',
  'banktransfer',
  'boxoffice',
  'cardterminal',
  'giftcard',
] as const

/** The identifier of a way of paying. */
export type PaymentProvider = (typeof paymentProviders)[number]

/** Ways in which money is given back at once; with the others somebody has to see to it. */
export const givenBackAtOnce: readonly string[] = ['manual', 'boxoffice', 'giftcard']
