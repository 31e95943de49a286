import type { PricedExchange } from '../../api/orders-api.ts'
import type { ApiAnswer, Problem } from '../../api/requests.ts'
import type { SaleInput } from '../../api/sales-api.ts'
import type { SalesPlace } from '../../api/sales-place.ts'
import { decimalOf, hundredthsOf } from '../amounts.ts'
import type { TillLink, TillTools } from '../till-tools.ts'
import { type InvoiceTo, orderAddress } from './invoice-to.ts'
import { amountToPay, isAsked, type PaymentPart, stillToPay, type TillPayment } from './payment-state.ts'

/** Milliseconds between two questions whether something was sold. */
export const askAgainEvery = 2000

/** The status of a request of which nothing could be stored. */
const diskFull = 507

/** Takes the money: asks the server to sell, until it has said what became of that. */
export function openSale(link: TillLink) {
  const { tools, state, send, refresh } = link
  function take(given: number | null): void {
    if (!state.value.payment || isAsked(state.value.payment)) return
    send({ type: 'taken', given })
    void ask(true)
  }

  async function ask(isFirst = false): Promise<void> {
    const { payment } = state.value
    const place = tools.place()
    if (!payment || !place) return
    const answer = await settle(link, place, payment)
    if (state.value.payment?.key !== payment.key) return
    if (answer.ok) {
      send({ type: 'sold', code: answer.value })
      return refresh()
    }
    const isFull = answer.problem.status === diskFull
    // Where it was asked before, it may have been sold then.
    if (isFull ? !isFirst : isSilent(answer.problem)) {
      send({ type: 'unanswered', detail: isFull ? 'disk-full' : '' })
      tools.after(askAgainEvery, () => void ask())
      return
    }
    const detail = isFull ? 'disk-full' : answer.problem.detail
    send({ type: 'refused', detail, key: tools.newId() })
    await refresh()
  }

  return { take, ask: () => ask() }
}

/** Sells, or pays for the order that the payment is for; the code of the order. */
async function settle(
  { api, payments, tools }: TillLink,
  place: SalesPlace,
  payment: TillPayment,
): Promise<ApiAnswer<string>> {
  const { order } = payment.sale
  // Where the server above has sold it, this station does not know yet what its terminal has charged for.
  const spent = async (code: string): Promise<ApiAnswer<string>> => {
    for (const { info } of payment.parts)
      if (info.till_payment !== undefined) await payments.spent(info.till_payment, code)
    return { ok: true, value: code }
  }
  if (order === null) {
    const answer = await api.sell(place, saleInput(payment), payment.key)
    return answer.ok ? spent(answer.value.code) : answer
  }
  if (payment.sale.exchange) {
    const answer = await exchanged(tools, place, payment, { ...payment.sale.exchange, order })
    return answer.ok ? spent(order) : answer
  }
  for (const { id, ...part } of allParts(payment)) {
    const answer = await api.payOrder(place, order, paidWith(part), id)
    if (!answer.ok) return answer
  }
  return spent(order)
}

/** Exchanges a ticket for the difference that is paid; needs the right to that, or somebody who stands in. */
const exchanged = (
  { staff, orders }: TillTools,
  place: SalesPlace,
  payment: TillPayment,
  { order, ...exchange }: PricedExchange & { readonly order: string },
): Promise<ApiAnswer<unknown>> =>
  staff.permitted('cancel', (stepUp) =>
    orders.exchange(
      place,
      order,
      { ...exchange, paidBy: allParts(payment).map(paidWith) },
      { key: payment.key, stepUp },
    ),
  )

const providers = {
  cash: 'boxoffice',
  card: 'cardterminal',
  terminal: 'cardterminal',
  giftcard: 'giftcard',
} as const

const paidWith = ({ way, amount, info }: Omit<PaymentPart, 'id'>) => ({
  ...{ amount, provider: providers[way], info },
})

/** What is there, and what is taken with the last press. */
function allParts(payment: TillPayment): readonly PaymentPart[] {
  const { key, way, parts } = payment
  if (stillToPay(payment) === 0 || way === 'invoice') return parts
  return [...parts, { id: key, way, amount: amountToPay(payment), info: paidInfo(payment) }]
}

/** What is kept with a payment: what was handed over and went back, or the number of the terminal's receipt. */
function paidInfo(payment: TillPayment): Record<string, string> {
  const { way, given, reference } = payment
  if (way === 'card') return reference === '' ? {} : { reference }
  return { given: decimalOf(given), change: decimalOf(Math.max(0, given - stillToPay(payment))) }
}

function saleInput(payment: TillPayment): SaleInput {
  const { positions, total, email, carts = [] } = payment.sale
  const input = {
    ...{ positions, expected_total: total },
    ...(email === undefined ? {} : { email }),
    ...(carts.length > 0 ? { consume_carts: carts } : {}),
  }
  if (hundredthsOf(total) === 0) return input
  if (payment.way === 'invoice' && payment.invoice) return paidLater(input, payment.invoice)
  if (payment.parts.length > 0) return { ...input, paid_by: allParts(payment).map(paidWith) }
  const payment_provider = payment.way === 'cash' ? 'boxoffice' : 'cardterminal'
  return { ...input, payment_provider, payment_info: paidInfo(payment) }
}

/** A sale whose tickets are good although it is paid later, by whom the invoice goes to. */
const paidLater = (input: SaleInput, to: InvoiceTo): SaleInput => ({
  ...input,
  ...{ status: 'n', valid_if_pending: true, payment_provider: 'banktransfer' },
  ...{ email: to.email.trim(), send_email: true, invoice_address: orderAddress(to) },
})

/** Reasons of a server that has passed nothing up, so that nothing can have been done. */
const notAsked: readonly (string | undefined)[] = ['offline', 'drawer_unreported']

/**
 * Whether the server has not said what became of something: it is not there, broken, busy, or still at it. A conflict
 * that does not pass by itself is a refusal.
 */
export const isSilent = ({ kind, status, reason, later }: Problem): boolean =>
  !notAsked.includes(reason) &&
  (kind === 'unreachable' || kind === 'broken' || status === 429 || (status === 409 && later === true))
