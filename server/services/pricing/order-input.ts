import { feeInput, mostPositions, orderInput, paidByInput } from '../../../schema/bodies/order-create.ts'
import type { JsonObject, RowOf } from '../../../schema/fields.ts'
import { type FieldErrors, invalid, Refusal } from '../../errors.ts'
import { amountOf, hundredths } from '../../resource/codec.ts'
import { isObject, readBody } from '../../resource/input.ts'
import { type Attempt, aligned, attempt, refuseIfAny } from '../input/attempts.ts'
import { readAddress } from './invoice-address.ts'
import type { AddressDraft, FeeDraft, OrderDraft, OrderScope } from './order-draft.ts'
import { type PositionInput, readPosition, withoutBlanks } from './position-input.ts'

/** A fee as a request gives it: an amount in hundredths, or a percentage (in hundredths) of the positions. */
export interface FeeInput {
  readonly fee_type: FeeDraft['fee_type']
  readonly value: number
  readonly description: string
  readonly internal_type: string
  readonly tax_rule: number | null
  readonly asPercentage: boolean
  readonly splitByTax: boolean
}

/** One way of paying for a new order, and how much is paid in it, in hundredths. */
export interface PaidBy {
  readonly provider: string
  readonly amount: number
  readonly details: Readonly<Record<string, unknown>>
}

/** An order as a request gives it, of the right shape but not yet held against the catalogue. */
export interface OrderInput {
  /** What is stored of it as it was sent. */
  readonly facts: Omit<OrderDraft, 'positions' | 'fees' | 'payments' | 'invoice_address'>
  readonly positions: readonly PositionInput[]
  readonly fees: readonly FeeInput[]
  readonly invoice_address: AddressDraft | null
  readonly payment_provider: string | null
  readonly payment_info: Readonly<Record<string, unknown>>
  readonly payment_date: string | null
  /** Several ways of paying; null for one at most. */
  readonly paid_by: readonly PaidBy[] | null
  /** The ids of carts that become the order. */
  readonly consume_carts: readonly string[]
  /** In hundredths, or null where nobody was told. */
  readonly expected_total: number | null
  readonly force: boolean
  readonly simulate: boolean
}

/** Complaints of reading, by field; every part of the body is read before anything is refused. */
function fieldsOf(read: Attempt<unknown>): FieldErrors {
  return read.ok ? {} : (read.errors as FieldErrors)
}

/** Reads the body of a request for a new order; throws 400 with messages by field, nested as the body is. */
export function readOrder(body: unknown, at: OrderScope): OrderInput {
  const whole = attempt(() =>
    readBody(orderInput, withoutBlanks(body, ['email', 'code']), { partial: false, locale: at.event.locale }),
  )
  const sent: JsonObject = typeof body === 'object' && body !== null ? { ...body } : {}
  // Lists that are too long are refused as they are: nobody reads thousands of complaints about their rows.
  const rows = (name: string): unknown[] =>
    Array.isArray(sent[name]) && sent[name].length <= mostPositions ? sent[name] : []
  const positions = rows('positions').map((row) => attempt(() => readPosition(row, at)))
  const fees = rows('fees').map((row) => attempt(() => readFee(row, at)))
  const { invoice_address: sentAddress } = sent
  const address = attempt(() => (isObject(sentAddress) ? readAddress(sentAddress, at) : null))
  const ways = rows('paid_by').map((row) => attempt(() => readPaidBy(row, at)))
  const errors = fieldsOf(whole)
  if (whole.ok) refuseOtherLanguages(whole.value.locale, at, errors)
  const wrongPositions = aligned(positions)
  const wrongFees = aligned(fees)
  if (wrongPositions) errors.positions = wrongPositions
  if (wrongFees) errors.fees = wrongFees
  const wrongWays = aligned(ways)
  if (wrongWays) errors.paid_by = wrongWays
  if (!address.ok) errors.invoice_address = address.errors
  refuseIfAny(errors)
  if (!whole.ok || !address.ok) throw new Refusal(400, errors)
  return inputOf(whole.value, {
    positions: good(positions),
    fees: good(fees),
    invoice_address: address.value,
    paid_by: whole.value.paid_by === null ? null : good(ways),
  })
}

/** Reads one way of paying; throws 400 with messages by field. */
export function readPaidBy(body: unknown, { event }: OrderScope): PaidBy {
  const { provider, amount, info } = readBody(paidByInput, body, { partial: false, locale: event.locale })
  if (hundredths(amount) <= 0) throw invalid({ amount: ['Give an amount that is more than nothing.'] })
  const details = info ?? {}
  refuseIfAny(cashErrors(hundredths(amount), details, 'info'))
  return { provider, amount: hundredths(amount), details }
}

const decimal = /^\d{1,9}\.\d{2}$/

/** What is wrong with what was given and what went back for an amount, where both are said. */
export function cashErrors(
  amount: number,
  details: Readonly<Record<string, unknown>>,
  field: string,
): FieldErrors {
  const { given, change } = details
  if (typeof given !== 'string' || typeof change !== 'string') return {}
  const isRight =
    decimal.test(given) && decimal.test(change) && hundredths(given) - hundredths(change) === amount
  if (isRight) return {}
  return {
    [field]: [
      `What was given (${given}) less what went back (${change}) is not ${amountOf(amount)}. Count again.`,
    ],
  }
}

function refuseOtherLanguages(locale: string | null, { event }: OrderScope, errors: FieldErrors): void {
  if (locale === null || event.locales.includes(locale)) return
  errors.locale = [`"${locale}" is not one of the languages of the event: ${event.locales.join(', ')}.`]
}

const good = <T>(attempts: readonly Attempt<T>[]): T[] =>
  attempts.flatMap((one) => (one.ok ? [one.value] : []))

/** Reads a fee; throws 400 with messages by field. */
export function readFee(body: unknown, at: OrderScope): FeeInput {
  const row = readBody(feeInput, body, { partial: false, locale: at.event.locale })
  return {
    fee_type: row.fee_type,
    value: hundredths(row.value),
    description: row.description,
    internal_type: row.internal_type,
    tax_rule: row.tax_rule,
    asPercentage: row._treat_value_as_percentage,
    splitByTax: row._split_taxes_like_products,
  }
}

/** The fields that an order keeps as they were sent; what is null here is left to the order's own defaults. */
const kept = [
  'code',
  'testmode',
  'email',
  'phone',
  'customer',
  'locale',
  'sales_channel',
  'comment',
  'custom_followup_at',
  'checkin_attention',
  'checkin_text',
  'require_approval',
  'valid_if_pending',
  'expires',
] as const

function inputOf(
  row: RowOf<typeof orderInput>,
  parts: Pick<OrderInput, 'positions' | 'fees' | 'invoice_address' | 'paid_by'>,
): OrderInput {
  const facts = Object.fromEntries(
    kept.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])),
  ) as Partial<OrderInput['facts']>
  return {
    facts: { ...facts, status: row.status, send_email: row.send_email ?? row.send_mail },
    ...parts,
    payment_provider: row.payment_provider,
    payment_info: row.payment_info ?? {},
    payment_date: row.payment_date,
    consume_carts: row.consume_carts,
    expected_total: row.expected_total === null ? null : hundredths(row.expected_total),
    force: row.force,
    simulate: row.simulate,
  }
}
