import { choice, type Field, flag, json, money, nullable, ref } from '../fields.ts'

const rows = (): Field<unknown[]> => json<unknown[]>({ type: 'array', maxItems: 500 }, { default: [] })

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
