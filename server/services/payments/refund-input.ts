import { paymentRefundInput, refundInput } from '../../../schema/bodies/order-payments.ts'
import type { OrderRefund } from '../../../schema/resources/orders/order-refund.ts'
import { hundredths } from '../../resource/codec.ts'
import { readBody } from '../../resource/input.ts'
import type { OrderScope } from '../pricing/order-draft.ts'
import type { PaymentDetails } from './payment-provider.ts'

/** What a request wants to give back of a payment; the amount is in hundredths, null for all of it. */
export interface PaymentRefund {
  /** The number of the payment. */
  readonly payment: number
  readonly amount: number | null
  readonly comment: string | null
  readonly cancels: boolean
}

/** A refund as a request gives it; the amount is in hundredths. */
export interface RefundRequest {
  readonly state: OrderRefund['state']
  readonly source: OrderRefund['source']
  readonly amount: number
  readonly payment: number | null
  readonly execution_date: string | null
  readonly comment: string | null
  readonly provider: string
  readonly details: PaymentDetails
  readonly cancels: boolean
  readonly reopens: boolean
}

/** Reads the body of a request that gives a payment back; throws 400 with messages by field. */
export function readPaymentRefund(body: unknown, { event }: OrderScope): Omit<PaymentRefund, 'payment'> {
  const row = readBody(paymentRefundInput, body, { partial: false, locale: event.locale })
  return {
    amount: row.amount === null ? null : hundredths(row.amount),
    comment: row.comment,
    cancels: row.mark_canceled,
  }
}

/** Reads the body of a request that enters a refund; throws 400 with messages by field. */
export function readRefund(body: unknown, { event }: OrderScope): RefundRequest {
  const row = readBody(refundInput, body, { partial: false, locale: event.locale })
  const { mark_canceled, mark_pending, info, amount, ...rest } = row
  return {
    ...rest,
    amount: hundredths(amount),
    details: info ?? {},
    cancels: mark_canceled,
    reopens: mark_pending,
  }
}
