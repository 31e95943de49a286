import {
  choice,
  date,
  datetime,
  type Field,
  flag,
  integer,
  json,
  money,
  nullable,
  ref,
  refs,
  text,
  texts,
} from '../fields.ts'
import { paymentProviderIds } from '../payment-providers.ts'
import { feeTypes } from '../resources/orders/order-fee.ts'

const optionalText = (maxLength: number): Field<string | null> => nullable(text({ default: '', maxLength }))

const nameParts = nullable(
  json<Record<string, string>>({
    type: 'object',
    maxProperties: 20,
    additionalProperties: { type: 'string', maxLength: 255 },
  }),
)

const email = nullable(text({ maxLength: 254, format: 'email' }))

/** One answer of a position: choices by option id, everything else as text. */
export const answerInput = {
  question: ref('question'),
  answer: json<unknown>({}, { default: null }),
  options: refs('question_option'),
}

/** What can be said of the person and the times of a position, when it is created and later. */
export const attendeeInput = {
  attendee_name: optionalText(255),
  attendee_name_parts: nameParts,
  attendee_email: email,
  company: optionalText(255),
  street: optionalText(1000),
  zipcode: optionalText(30),
  city: optionalText(255),
  country: optionalText(2),
  state: optionalText(255),
  secret: optionalText(255),
  answers: json<unknown[]>({ type: 'array', maxItems: 500 }, { default: [] }),
  valid_from: nullable(datetime()),
  valid_until: nullable(datetime()),
}

/** The name of a seat in its plan. */
const seat = nullable(text({ default: '', maxLength: 190 }))

/** A position of an order that is created. */
export const positionInput = {
  positionid: nullable(integer({ minimum: 1 })),
  item: ref('item'),
  variation: nullable(ref('variation')),
  subevent: nullable(ref('subevent')),
  /** Worked out of the catalogue when it is left out. */
  price: nullable(money()),
  /** The `positionid` of what this is an add-on to. */
  addon_to: nullable(integer({ minimum: 1 })),
  seat,
  /** The code of a voucher that it is bought with. */
  voucher: nullable(text({ default: '', maxLength: 255 })),
  /** That it comes with what it is an add-on to, at the price designated there. */
  is_bundled: flag(false),
  ...attendeeInput,
}

/** A position that is added to an order. */
export const addedPositionInput = { order: text({ maxLength: 16 }), ...positionInput }

/** What can be changed about a position. */
export const changedPositionInput = {
  item: ref('item'),
  variation: nullable(ref('variation')),
  subevent: nullable(ref('subevent')),
  price: money(),
  tax_rule: nullable(ref('tax_rule')),
  seat,
  ...attendeeInput,
}

/** A fee of an order that is created. */
export const feeInput = {
  fee_type: choice(feeTypes),
  value: money(),
  description: text({ default: '', maxLength: 190 }),
  internal_type: text({ default: '', maxLength: 255 }),
  tax_rule: nullable(ref('tax_rule')),
  _treat_value_as_percentage: flag(false),
  _split_taxes_like_products: flag(false),
}

/** An invoice address; it is always sent whole. */
export const addressInput = {
  is_business: flag(false),
  company: optionalText(255),
  name: optionalText(255),
  name_parts: nameParts,
  street: optionalText(1000),
  zipcode: optionalText(30),
  city: optionalText(255),
  country: optionalText(2),
  state: optionalText(255),
  internal_reference: optionalText(5000),
  vat_id: optionalText(255),
  vat_id_validated: flag(false),
  custom_field: optionalText(255),
}

const address = nullable(json<Record<string, unknown>>({ type: 'object' }))

/** What can be changed about an order as a whole. */
export const changedOrderInput = {
  email,
  phone: optionalText(100),
  locale: text({ maxLength: 32 }),
  comment: text({ default: '' }),
  custom_followup_at: nullable(date()),
  checkin_attention: flag(false),
  checkin_text: optionalText(5000),
  valid_if_pending: flag(false),
  expires: datetime(),
  invoice_address: address,
}

/** The most positions of one order, add-ons among them, as in pretix. A larger group has several orders. */
export const mostPositions = 500

/** The most fees of one order. */
export const mostFees = 100

/** The most ways in which one order is paid. */
export const mostWays = 10

/** One way of paying for an order that is created, and how much is paid in it. */
export const paidByInput = {
  provider: choice(paymentProviderIds),
  amount: money(),
  info: nullable(json<Record<string, unknown>>({ type: 'object' })),
}

/** An order that is created, with its positions and fees as objects of the shapes above. */
export const orderInput = {
  /** Letters that cannot be taken for a zero, and digits. */
  code: nullable(text({ minLength: 5, maxLength: 16, pattern: '^[A-NP-Z0-9]*$' })),
  status: choice(['n', 'p'], { default: 'n' }),
  testmode: flag(false),
  email,
  phone: optionalText(100),
  customer: optionalText(190),
  locale: nullable(text({ maxLength: 32 })),
  sales_channel: text({ default: 'web', minLength: 1, maxLength: 200 }),
  comment: text({ default: '' }),
  custom_followup_at: nullable(date()),
  checkin_attention: flag(false),
  checkin_text: optionalText(5000),
  require_approval: flag(false),
  valid_if_pending: flag(false),
  expires: nullable(datetime()),
  payment_provider: nullable(choice(paymentProviderIds)),
  payment_info: nullable(json<Record<string, unknown>>({ type: 'object' })),
  payment_date: nullable(datetime()),
  /** Several ways of paying for one order, whose amounts come to what it costs. */
  paid_by: nullable(json<unknown[]>({ type: 'array', minItems: 1, maxItems: mostWays })),
  invoice_address: address,
  positions: json<unknown[]>(
    { type: 'array', minItems: 1, maxItems: mostPositions },
    { bound: { most: 100_000 } },
  ),
  fees: json<unknown[]>({ type: 'array', maxItems: mostFees }, { default: [] }),
  consume_carts: texts({ default: [] }),
  /** Whether the buyer gets a mail; null leaves that to the event. */
  send_email: nullable(flag(false)),
  /** The same by its former name. */
  send_mail: nullable(flag(false)),
  /** Skips quotas, and products that are disabled on a date. */
  force: flag(false),
  /** What the buyer was told that it costs: the order is refused where that is not true any more. */
  expected_total: nullable(money()),
  /** Checks and prices only; nothing is stored. */
  simulate: flag(false),
}
