import { choice, datetime, flag, integer, json, money, nullable, text } from '../fields.ts'
import { paymentProviderIds } from '../payment-providers.ts'
import { refundSources, refundStates } from '../resources/orders/order-refund.ts'

const info = nullable(json<Record<string, unknown>>({ type: 'object' }))

const comment = nullable(text({ default: '' }))

/** A payment that is entered; one that is confirmed pays its order. */
export const paymentInput = {
  state: choice(['created', 'pending', 'confirmed', 'canceled', 'failed', 'refunded']),
  amount: money(),
  payment_date: nullable(datetime()),
  provider: choice(paymentProviderIds),
  info,
  send_email: flag(true),
  /** An order that has expired is paid whatever is left of its quotas. */
  force: flag(false),
}

/** What can be said when a payment is confirmed. */
export const confirmationInput = { send_email: flag(true), force: flag(false) }

/** What can be said when a payment is given back; all of it, if nothing else is said. */
export const paymentRefundInput = {
  amount: nullable(money()),
  comment,
  mark_canceled: flag(false),
}

/** A refund that is entered. */
export const refundInput = {
  state: choice(refundStates),
  source: choice(refundSources, { default: 'admin' }),
  amount: money(),
  /** The `local_id` of a payment of the order. */
  payment: nullable(integer({ minimum: 1 })),
  execution_date: nullable(datetime()),
  comment,
  provider: choice(paymentProviderIds),
  info,
  mark_canceled: flag(false),
  mark_pending: flag(false),
}

/** What is to become of the order once a refund that was made elsewhere is entered. */
export const refundProcessInput = { mark_canceled: flag(false) }
