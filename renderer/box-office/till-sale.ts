import type { ApiAnswer, Problem } from '../api/requests.ts'
import type { SaleInput } from '../api/sales-api.ts'
import type { SalesPlace } from '../api/sales-place.ts'
import { decimalOf, hundredthsOf } from './amounts.ts'
import { amountToPay, isAsked, type PaymentPart, stillToPay, type TillPayment } from './till-state.ts'
import type { TillLink } from './till-tools.ts'

/** Milliseconds between two questions whether something was sold. */
export const askAgainEvery = 2000

/** Takes the money: asks the server to sell, until it has said what became of that. */
export function openSale(link: TillLink) {
  const { tools, state, send, refresh } = link
  function take(given: number | null): void {
    if (!state.value.payment || isAsked(state.value.payment)) return
    send({ type: 'taken', given })
    void ask()
  }

  async function ask(): Promise<void> {
    const { payment } = state.value
    const place = tools.place()
    if (!payment || !place) return
    const answer = await settle(link, place, payment)
    if (state.value.payment?.key !== payment.key) return
    if (answer.ok) {
      send({ type: 'sold', code: answer.value })
      return refresh()
    }
    if (isSilent(answer.problem)) {
      send({ type: 'unanswered' })
      tools.after(askAgainEvery, () => void ask())
      return
    }
    send({ type: 'refused', detail: answer.problem.detail, key: tools.newId() })
    await refresh()
  }

  return { take, ask }
}

/** Sells, or pays for the order that the payment is for; the code of the order. */
async function settle(
  { api, payments }: TillLink,
  place: SalesPlace,
  payment: TillPayment,
): Promise<ApiAnswer<string>> {
  const { order } = payment.sale
  const spent = async (code: string): Promise<ApiAnswer<string>> => {
    for (const { info } of payment.parts)
      if (info.till_payment !== undefined) await payments.spent(info.till_payment, code)
    return { ok: true, value: code }
  }
  if (order === null) {
    const answer = await api.sell(place, saleInput(payment), payment.key)
    return answer.ok ? { ok: true, value: answer.value.code } : answer
  }
  for (const { id, ...part } of allParts(payment)) {
    const answer = await api.payOrder(place, order, paidWith(part), id)
    if (!answer.ok) return answer
  }
  return spent(order)
}

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
  if (stillToPay(payment) === 0) return parts
  return [...parts, { id: key, way, amount: amountToPay(payment), info: paidInfo(payment) }]
}

/** What is kept with a payment: what was handed over and went back, or the number of the terminal's receipt. */
function paidInfo(payment: TillPayment): Record<string, string> {
  const { way, given, reference } = payment
  if (way === 'card') return reference === '' ? {} : { reference }
  return { given: decimalOf(given), change: decimalOf(Math.max(0, given - stillToPay(payment))) }
}

function saleInput(payment: TillPayment): SaleInput {
  const { positions, total, carts = [] } = payment.sale
  const input = { positions, expected_total: total, ...(carts.length > 0 ? { consume_carts: carts } : {}) }
  if (hundredthsOf(total) === 0) return input
  if (payment.parts.length > 0) return { ...input, paid_by: allParts(payment).map(paidWith) }
  const payment_provider = payment.way === 'cash' ? 'boxoffice' : 'cardterminal'
  return { ...input, payment_provider, payment_info: paidInfo(payment) }
}

/** Whether the server has not said what became of something: it is not there, broken, busy, or still at it. */
export const isSilent = ({ kind, status, reason }: Problem): boolean =>
  reason !== 'offline' && (kind === 'unreachable' || kind === 'broken' || status === 409 || status === 429)
