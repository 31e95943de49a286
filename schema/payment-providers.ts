/** The ways in which an order can be paid: nothing to pay, entered by hand, bank transfer, box office, gift card. */
export const paymentProviders = ['free', 'manual', 'banktransfer', 'boxoffice', 'giftcard'] as const

/** The identifier of a way of paying. */
export type PaymentProvider = (typeof paymentProviders)[number]
