import type { TillState } from '../till-state.ts'
import type { OrdersEvent } from './order-state.ts'

/** The till after something happened while an order was looked for. */
export function nextOrders(state: TillState, event: OrdersEvent): TillState {
  const { orders } = state
  if (event.type === 'orders-closed') return { ...state, orders: null }
  if (event.type === 'orders-sought') {
    const search = { text: event.text, found: null, count: 0, trouble: null, chosen: null }
    // The first key of a scanner's burst was heard as if somebody had typed a quantity.
    return { ...state, orders: search, quantity: null, choosing: null, sold: null }
  }
  if (!orders) return state
  if (event.type === 'order-chosen') return { ...state, orders: { ...orders, chosen: event.code } }
  if (event.type === 'order-changed') {
    // Whoever has gone back meanwhile, or looks at another one, stays there.
    const found = orders.found?.map((one) => (one.code === event.order.code ? event.order : one)) ?? null
    return { ...state, orders: { ...orders, found, trouble: null } }
  }
  // An answer to what was sought before.
  if (event.text !== orders.text) return state
  if (event.type === 'orders-missed') return { ...state, orders: { ...orders, trouble: event.detail } }
  const { count, page } = event
  if (page > 1) {
    const known = new Set(orders.found?.map(({ code }) => code))
    const found = [...(orders.found ?? []), ...event.found.filter(({ code }) => !known.has(code))]
    return { ...state, orders: { ...orders, found, count, trouble: null } }
  }
  const [only, ...others] = event.found
  const chosen = only && others.length === 0 ? only.code : null
  return { ...state, orders: { ...orders, found: event.found, count, trouble: null, chosen } }
}
