import type { SalesApi } from '../api/sales-api.ts'
import type { SalesPlace } from '../api/sales-place.ts'
import type { TillLink } from './till-tools.ts'

/** Milliseconds after the last key until it is searched. */
export const searchAfter = 250
/** As few letters as are searched for. */
const fewestLetters = 2

/** Looks for orders; only the answer to the latest question counts. */
export function openOrders({ api, tools, state, send }: TillLink) {
  let stop = (): void => undefined
  type Search = (place: SalesPlace) => ReturnType<SalesApi['find']>

  async function ask(text: string, search: Search): Promise<void> {
    const place = tools.place()
    if (!place) return
    const answer = await search(place)
    if (answer.ok) send({ type: 'orders-found', text, found: answer.value.results })
    else send({ type: 'orders-missed', text, detail: answer.problem.detail })
  }

  return {
    find(text: string) {
      send({ type: 'orders-sought', text })
      stop()
      const sought = text.trim()
      if (sought.length < fewestLetters) return
      stop = tools.after(searchAfter, () => void ask(text, (place) => api.find(place, sought)))
    },
    scanned(code: string) {
      stop()
      send({ type: 'orders-sought', text: code })
      void ask(code, async (place) => {
        const byTicket = await api.findByTicket(place, code)
        return byTicket.ok && byTicket.value.count === 0 ? api.find(place, code) : byTicket
      })
    },
    /** Asks again for the order that is looked at, after something was done to it. */
    lookAgain(code: string) {
      const { orders } = state.value
      if (orders) void ask(orders.text, (place) => api.findByCode(place, code))
    },
    payOrder: () => send({ type: 'paying-order', key: tools.newId() }),
  }
}
