import type { ApiAnswer, Problem } from '../api/requests.ts'
import type { SaleInput, SalesApi, SalesPlace } from '../api/sales-api.ts'
import { decimalOf, hundredthsOf } from './amounts.ts'
import { isAsked, type TillPayment } from './till-state.ts'
import type { TillLink } from './till-tools.ts'

/** Milliseconds between two questions whether something was sold. */
export const askAgainEvery = 2000

/** Takes the money: asks the server to sell, until it has said what became of that. */
export function openSale({ api, tools, state, send, refresh }: TillLink) {
  function take(given: number | null): void {
    if (!state.value.payment || isAsked(state.value.payment)) return
    send({ type: 'taken', given })
    void ask()
  }

  async function ask(): Promise<void> {
    const { payment } = state.value
    const place = tools.place()
    if (!payment || !place) return
    const answer = await settle(api, place, payment)
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
async function settle(api: SalesApi, place: SalesPlace, payment: TillPayment): Promise<ApiAnswer<string>> {
  const { order, total } = payment.sale
  if (order === null) {
    const answer = await api.sell(place, saleInput(payment), payment.key)
    return answer.ok ? { ok: true, value: answer.value.code } : answer
  }
  const paid = { amount: total, provider: providers[payment.way], info: paidInfo(payment) }
  const answer = await api.payOrder(place, order, paid, payment.key)
  return answer.ok ? { ok: true, value: order } : answer
}

const providers = { cash: 'boxoffice', card: 'cardterminal' } as const

/** What is kept with a payment: what was handed over and went back, or the number of the terminal's receipt. */
function paidInfo({ sale, way, given, reference }: TillPayment): Record<string, string> {
  if (way === 'card') return reference === '' ? {} : { reference }
  return { given: decimalOf(given), change: decimalOf(Math.max(0, given - hundredthsOf(sale.total))) }
}

function saleInput(payment: TillPayment): SaleInput {
  const { positions, total } = payment.sale
  const input = { positions, expected_total: total }
  if (hundredthsOf(total) === 0) return input
  return { ...input, payment_provider: providers[payment.way], payment_info: paidInfo(payment) }
}

/** Whether the server has not said what became of something: it is not there, broken, busy, or still at it. */
export const isSilent = ({ kind, status, reason }: Problem): boolean =>
  reason !== 'offline' && (kind === 'unreachable' || kind === 'broken' || status === 409 || status === 429)
