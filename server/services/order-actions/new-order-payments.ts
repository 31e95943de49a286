import { invalid } from '../../errors.ts'
import { amountOf } from '../../resource/codec.ts'
import { refuseIfAny } from '../input/attempts.ts'
import { freeProvider } from '../payments/free-provider.ts'
import type { OrderDraft } from '../pricing/order-draft.ts'
import { cashErrors, type OrderInput, type PaidBy } from '../pricing/order-input.ts'

/**
 * How a new order is paid, and so its state: at once where that was said or nothing is to be paid, else later. Throws
 * 400 with a list of plain texts when what was said of the payment contradicts itself.
 */
export function payNewOrder(
  input: OrderInput,
  total: number,
  now: string,
): Pick<OrderDraft, 'status' | 'payments'> {
  const { payment_provider, payment_info: details, facts } = input
  if (input.paid_by !== null) return payInParts(input, input.paid_by, total, now)
  const paid = facts.status === 'p'
  if (payment_provider === freeProvider.id && total !== 0)
    throw invalid(['The payment provider "free" is for orders that cost nothing.'])
  if (paid && facts.require_approval === true)
    throw invalid(['An order that waits for approval cannot be paid yet.'])
  if (paid && total !== 0 && payment_provider === null)
    throw invalid(['An order that is paid needs a payment provider.'])
  if (paid || (total === 0 && facts.require_approval !== true)) {
    const provider = paid ? (payment_provider ?? freeProvider.id) : freeProvider.id
    refuseIfAny(cashErrors(total, details, 'payment_info'))
    const payment_date = (paid ? input.payment_date : null) ?? now
    return { status: 'p', payments: [{ state: 'confirmed', amount: total, provider, payment_date, details }] }
  }
  if (payment_provider === null) return { status: 'n', payments: [] }
  return { status: 'n', payments: [{ state: 'created', amount: total, provider: payment_provider, details }] }
}

/** A new order that is paid at once, in several ways. */
function payInParts(
  { facts, payment_date, payment_provider }: OrderInput,
  parts: readonly PaidBy[],
  total: number,
  now: string,
): Pick<OrderDraft, 'status' | 'payments'> {
  if (facts.status !== 'p' || facts.require_approval === true)
    throw invalid(['An order that is paid in several ways is paid at once. Send the status "p".'])
  if (payment_provider !== null)
    throw invalid(['Send either one payment provider, or in `paid_by` what is paid in which way.'])
  if (parts.some(({ provider }) => provider === freeProvider.id))
    throw invalid(['The payment provider "free" is for orders that cost nothing.'])
  const paid = parts.reduce((sum, { amount }) => sum + amount, 0)
  if (paid !== total)
    throw invalid({
      paid_by: [
        `The order costs ${amountOf(total)}, and this comes to ${amountOf(paid)}. Take the difference.`,
      ],
    })
  const date = payment_date ?? now
  return { status: 'p', payments: parts.map((one) => ({ ...one, state: 'confirmed', payment_date: date })) }
}
