import {
  changedFeeInput,
  namedFee,
  namedPosition,
  orderChangeInput,
  patchedFee,
  patchedPosition,
  refundByInput,
} from '../../../schema/bodies/order-change.ts'
import type { Fields } from '../../../schema/fields.ts'
import type { PaymentProviderId } from '../../../schema/payment-providers.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { hundredths } from '../../resource/codec.ts'
import { readBody } from '../../resource/input.ts'
import { type Attempt, aligned, attempt } from '../input/attempts.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import { type FeeInput, type PaidBy, readFee, readPaidBy } from '../pricing/order-input.ts'
import { type PositionInput, readPosition } from '../pricing/position-input.ts'
import { type PositionUpdate, readPositionChange } from './position-change.ts'

/** One way in which money goes back with a change, in hundredths; to where a payment came from, or by itself. */
interface RefundBy {
  readonly provider: PaymentProviderId
  readonly amount: number
  readonly payment: number | null
}

/** What is to be changed about an order, each list in its order; positions and fees by id, amounts in hundredths. */
export interface OrderChange {
  readonly cancel_positions: readonly number[]
  readonly patch_positions: readonly { readonly position: number; readonly body: PositionUpdate }[]
  readonly split_positions: readonly number[]
  readonly create_positions: readonly PositionInput[]
  readonly create_fees: readonly FeeInput[]
  readonly cancel_fees: readonly number[]
  readonly patch_fees: readonly { readonly fee: number; readonly value: number }[]
  readonly recalculate_taxes: 'keep_net' | 'keep_gross' | null
  readonly send_email: boolean
  /** Whether its invoices follow. */
  readonly reissue_invoice: boolean
  /** Whether positions that become something else cost what the catalogue says. */
  readonly reprice: boolean
  /** In hundredths, or null where nobody was told. */
  readonly expected_total: number | null
  readonly paid_by: readonly PaidBy[]
  readonly refund_by: readonly RefundBy[]
}

const twice = ['The same object is named twice.']

/** Reads the body of a request that changes an order; throws 400 with messages aligned with its lists. */
export function readOrderChange(body: unknown, at: OrderScope): OrderChange {
  const whole = { partial: false, locale: at.event.locale } as const
  const row = readBody(orderChangeInput, body, whole)
  const errors: FieldErrors = {}
  function list<T>(name: keyof typeof orderChangeInput, read: (one: unknown) => T): T[] {
    const attempts = (row[name] as unknown[]).map((one): Attempt<T> => attempt(() => read(one)))
    const wrong = aligned(attempts)
    if (wrong) errors[name] = wrong
    return attempts.flatMap((one) => (one.ok ? [one.value] : []))
  }
  const named = (fields: Fields, key: 'position' | 'fee') => (one: unknown) =>
    Number(readBody<Fields, false>(fields, one, whole)[key])
  const inBody = <T>(read: () => T): T => {
    const inner = attempt(read)
    if (inner.ok) return inner.value
    throw invalid({ body: inner.errors })
  }
  const change: OrderChange = {
    cancel_positions: list('cancel_positions', named(namedPosition, 'position')),
    patch_positions: list('patch_positions', (one) => {
      const { position, body: sent } = readBody(patchedPosition, one, whole)
      return { position, body: inBody(() => readPositionChange(sent, at)) }
    }),
    split_positions: list('split_positions', named(namedPosition, 'position')),
    create_positions: list('create_positions', (one) => readPosition(one, at)),
    create_fees: list('create_fees', (one) => readFee(one, at)),
    cancel_fees: list('cancel_fees', named(namedFee, 'fee')),
    patch_fees: list('patch_fees', (one) => {
      const { fee, body: sent } = readBody(patchedFee, one, whole)
      const { value } = inBody(() => readBody(changedFeeInput, sent, whole))
      return { fee, value: hundredths(value) }
    }),
    recalculate_taxes: row.recalculate_taxes,
    send_email: row.send_email,
    reissue_invoice: row.reissue_invoice,
    reprice: row.reprice,
    expected_total: row.expected_total === null ? null : hundredths(row.expected_total),
    paid_by: list('paid_by', (one) => readPaidBy(one, at)),
    refund_by: list('refund_by', (one) => readRefundBy(one, at)),
  }
  const ids: Readonly<Record<string, readonly number[]>> = {
    cancel_positions: change.cancel_positions,
    patch_positions: change.patch_positions.map(({ position }) => position),
    split_positions: change.split_positions,
    cancel_fees: change.cancel_fees,
    patch_fees: change.patch_fees.map(({ fee }) => fee),
  }
  for (const [name, all] of Object.entries(ids))
    if (!errors[name] && new Set(all).size < all.length) errors[name] = twice
  if (Object.keys(errors).length > 0) throw invalid(errors)
  return change
}

function readRefundBy(body: unknown, { event }: OrderScope): RefundBy {
  const { provider, amount, payment } = readBody(refundByInput, body, {
    partial: false,
    locale: event.locale,
  })
  if (hundredths(amount) <= 0) throw invalid({ amount: ['Give an amount that is more than nothing.'] })
  return { provider, amount: hundredths(amount), payment }
}

/** Whether nothing at all is to be changed. */
export const isNoChange = (change: OrderChange): boolean =>
  change.recalculate_taxes === null && changedLists.every((name) => change[name].length === 0)

const changedLists = [
  'cancel_positions',
  'patch_positions',
  'split_positions',
  'create_positions',
  'create_fees',
  'cancel_fees',
  'patch_fees',
] as const
