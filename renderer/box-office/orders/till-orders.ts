import type { Exchange, PricedExchange, TillOrder } from '../../api/orders-api.ts'
import type { ApiAnswer, Problem } from '../../api/requests.ts'
import { ordersOnPage, type SalesApi } from '../../api/sales-api.ts'
import type { SalesPlace } from '../../api/sales-place.ts'
import { nowhere } from '../acts.ts'
import type { TillLink } from '../till-tools.ts'

/** Milliseconds after the last key until it is searched. */
export const searchAfter = 250
/** As few letters as are searched for. */
const fewestLetters = 2

/** Asks for a page of what somebody looks for. */
type Search = (place: SalesPlace, page: number) => ReturnType<SalesApi['find']>

/** Whether a text can be the number of a card payment. */
const isCardNumber = (text: string): boolean => /^[\w -]*\d[\w -]*$/.test(text)

/** Asks again for an order, after something was done to it. Who looks at it still sees what it is now. */
async function lookAgain(
  { api, tools, state, send }: Pick<TillLink, 'api' | 'tools' | 'state' | 'send'>,
  code: string,
): Promise<void> {
  const place = tools.place()
  const text = state.value.orders?.text
  if (!place || text === undefined) return
  const answer = await api.findByCode(place, code)
  if (!answer.ok) return send({ type: 'orders-missed', text, detail: answer.problem.detail })
  for (const order of answer.value.results) send({ type: 'order-changed', order })
}

/** Looks for orders; only the answer to the latest question counts. */
export function openOrders({ api, tools, state, send }: TillLink) {
  let stop = (): void => undefined
  let latest: Search | null = null

  async function ask(text: string, search: Search, page = 1): Promise<void> {
    const place = tools.place()
    if (!place) return
    const answer = await search(place, page)
    if (answer.ok) {
      const { results, count } = answer.value
      send({ type: 'orders-found', text, found: results, count, page })
    } else send({ type: 'orders-missed', text, detail: answer.problem.detail })
  }

  /** What nobody is found by may be the number on a receipt of the card terminal. */
  function searchFor(sought: string): Search {
    let isByCard = false
    return async (place, page) => {
      if (isByCard) return api.findByCard(place, sought, page)
      const answer = await api.find(place, sought, page)
      if (!answer.ok || answer.value.count > 0 || !isCardNumber(sought)) return answer
      isByCard = true
      return api.findByCard(place, sought, page)
    }
  }

  return {
    find(text: string) {
      send({ type: 'orders-sought', text })
      stop()
      const sought = text.trim()
      if (sought.length < fewestLetters) return
      const search = searchFor(sought)
      latest = search
      stop = tools.after(searchAfter, () => void ask(text, search))
    },
    /** Shows the next of those that were found. */
    async showMore(): Promise<void> {
      const { orders } = state.value
      if (orders?.found && latest)
        await ask(orders.text, latest, Math.floor(orders.found.length / ordersOnPage) + 1)
    },
    /** Looks for the order of a ticket; where there is none, for a voucher that is redeemed, and for orders else. */
    async scanned(code: string, redeem: (code: string) => Promise<Problem | null>) {
      stop()
      send({ type: 'orders-sought', text: code })
      const search = searchFor(code)
      latest = search
      await ask(code, async (place, page) => {
        const byTicket = await api.findByTicket(place, code)
        if (!byTicket.ok || byTicket.value.count > 0) return byTicket
        const problem = await redeem(code)
        if (!problem) return byTicket
        // A voucher that cannot be used says why; what is no voucher may be an order.
        return problem.status === 409 ? { ok: false, problem } : search(place, page)
      })
    },
    lookAgain: (code: string) => lookAgain({ api, tools, state, send }, code),
    /** What an order would be after an exchange. */
    async priceExchange(code: string, exchange: Exchange): Promise<ApiAnswer<TillOrder>> {
      const place = tools.place()
      return place ? tools.orders.priceExchange(place, code, exchange) : nowhere
    },
    payExchange: (exchange: PricedExchange, due: string) =>
      send({ type: 'paying-exchange', key: tools.newId(), exchange, due }),
    payOrder: () => send({ type: 'paying-order', key: tools.newId() }),
  }
}
