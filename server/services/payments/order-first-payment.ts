import { invalid } from '../../errors.ts'
import type { OrderDraft } from '../pricing/order-draft.ts'
import type { OrderInput } from '../pricing/order-input.ts'
import { freeProvider } from './free-provider.ts'

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
  const paid = facts.status === 'p'
  if (payment_provider === freeProvider.id && total !== 0)
    throw invalid(['The payment provider "free" is for orders that cost nothing.'])
  if (paid && total !== 0 && payment_provider === null)
    throw invalid(['An order that is paid needs a payment provider.'])
  if (paid || (total === 0 && facts.require_approval !== true)) {
    const provider = paid ? (payment_provider ?? freeProvider.id) : freeProvider.id
    const payment_date = (paid ? input.payment_date : null) ?? now
    return { status: 'p', payments: [{ state: 'confirmed', amount: total, provider, payment_date, details }] }
  }
  if (payment_provider === null) return { status: 'n', payments: [] }
  return { status: 'n', payments: [{ state: 'created', amount: total, provider: payment_provider, details }] }
}
