import { choice, type Field, flag, integer, json, money, nullable, ref } from '../fields.ts'
import { paymentProviderIds } from '../payment-providers.ts'
import { mostWays } from './order-create.ts'

const rows = (): Field<unknown[]> => json<unknown[]>({ type: 'array', maxItems: 500 }, { default: [] })

const ways = (): Field<unknown[]> => json<unknown[]>({ type: 'array', maxItems: mostWays }, { default: [] })

const whole = (): Field<Record<string, unknown>> => json<Record<string, unknown>>({ type: 'object' })

/** What may be changed about an order at once; the rows have the shapes below. */
export const orderChangeInput = {
  cancel_positions: rows(),
  patch_positions: rows(),
  split_positions: rows(),
  create_positions: rows(),
  create_fees: rows(),
  cancel_fees: rows(),
  patch_fees: rows(),
  /** What stays as it is where the invoice address brings another rate: the net price or the gross price. */
  recalculate_taxes: nullable(choice(['keep_net', 'keep_gross'])),
  send_email: flag(false),
  reissue_invoice: flag(true),
  /** Positions that become another product, variation or date cost what the catalogue says, unless a price is sent. */
  reprice: flag(false),
  /** What the order must cost then; another total refuses the change. */
  expected_total: nullable(money()),
  /** What is taken for the order with the change, which comes to what is due then. */
  paid_by: ways(),
  /** What is given back with the change, which comes to what was paid too much then; asks for `refund=true`. */
  refund_by: ways(),
}

/** One way in which money goes back with a change: by itself, or to where a payment of the order came from. */
export const refundByInput = {
  provider: choice(paymentProviderIds),
  amount: money(),
  /** The `local_id` of a payment of the order. */
  payment: nullable(integer({ minimum: 1 })),
}

/** A position that is canceled or split off, by its id. */
export const namedPosition = { position: ref('order_position') }

/** A position that is changed: its id, and what is to be different. */
export const patchedPosition = { position: ref('order_position'), body: whole() }

/** A fee that is canceled. */
export const namedFee = { fee: ref('order_fee') }

/** A fee that is changed. */
export const patchedFee = { fee: ref('order_fee'), body: whole() }

/** What can be changed about a fee. */
export const changedFeeInput = { value: money() }
