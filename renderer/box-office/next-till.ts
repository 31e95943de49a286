import { decimalOf } from './amounts.ts'
import {
  asksForChoice,
  basketPositions,
  cartsOf,
  mostTickets,
  ticketCount,
  withCount,
  withMore,
  withSeat,
} from './basket.ts'
import {
  chosenOrder,
  dueOf,
  holdsMoney,
  isPinned,
  type PaymentEvent,
  type PinnedSale,
  pricedNow,
  stillToPay,
  type TillEvent,
  type TillPayment,
  type TillState,
} from './till-state.ts'

/** The till after an event. What does not fit the state, such as a late answer, changes nothing. */
export function nextTill(state: TillState, event: TillEvent): TillState {
  switch (event.type) {
    case 'offered':
      // What could not be sold may have come back: it is asked again.
      return {
        ...state,
        catalogue: event.catalogue,
        trouble: null,
        date: event.catalogue.subevent,
        objection: null,
      }
    case 'not-offered':
      return { ...state, trouble: event.detail }
    case 'dated':
      return { ...state, date: event.date, choosing: null }
    case 'restored':
      return { ...state, lines: event.lines, payment: event.payment }
    case 'searched':
      return { ...state, search: event.search }
    case 'orders-sought':
    case 'orders-found':
    case 'orders-missed':
    case 'order-chosen':
    case 'orders-closed':
      return isPinned(state) ? state : nextOrders(state, event)
    case 'priced':
      return { ...state, priced: event.priced, objection: null }
    case 'objected':
      return { ...state, objection: event.objection }
    case 'at-drawer':
      return isPinned(state) ? state : { ...state, atDrawer: event.open, orders: null, choosing: null }
    case 'back':
      return goBack(state)
    case 'finished':
      return { ...state, sold: null }
    case 'unsettled':
      return { ...state, unsettled: event.unsettled }
    case 'pressed':
    case 'added':
    case 'choice-closed':
    case 'counted':
    case 'emptied':
    case 'taken-off':
      return isPinned(state) ? state : unlessSame(state, nextBasket(state, event))
    default:
      return nextPayment(state, event)
  }
}

function goBack(state: TillState): TillState {
  const { payment, orders, choosing } = state
  if (payment) return nextPayment(state, { type: 'payment-closed' })
  if (orders?.chosen) return { ...state, orders: { ...orders, chosen: null } }
  if (orders) return { ...state, orders: null }
  if (state.atDrawer) return { ...state, atDrawer: false }
  return choosing === null ? { ...state, sold: null } : { ...state, choosing: null }
}

type OrdersEvent = Extract<
  TillEvent,
  {
    readonly type: 'orders-sought' | 'orders-found' | 'orders-missed' | 'order-chosen' | 'orders-closed'
  }
>

function nextOrders(state: TillState, event: OrdersEvent): TillState {
  const { orders } = state
  if (event.type === 'orders-closed') return { ...state, orders: null }
  if (event.type === 'orders-sought') {
    const search = { text: event.text, found: null, trouble: null, chosen: null }
    return { ...state, orders: search, choosing: null, sold: null }
  }
  if (!orders) return state
  if (event.type === 'order-chosen') return { ...state, orders: { ...orders, chosen: event.code } }
  // An answer to what was sought before.
  if (event.text !== orders.text) return state
  if (event.type === 'orders-missed') return { ...state, orders: { ...orders, trouble: event.detail } }
  const [only, ...others] = event.found
  const chosen = only && others.length === 0 ? only.code : null
  return { ...state, orders: { ...orders, found: event.found, trouble: null, chosen } }
}

/** What was said of a basket is not believed once it was changed, also where it is the same again later. */
const unlessSame = (before: TillState, after: TillState): TillState =>
  before.lines === after.lines ? after : { ...after, priced: null, objection: null }

type BasketEvent = Extract<
  TillEvent,
  { readonly type: 'pressed' | 'added' | 'choice-closed' | 'counted' | 'emptied' | 'taken-off' }
>

function nextBasket(state: TillState, event: BasketEvent): TillState {
  switch (event.type) {
    case 'pressed': {
      const product = state.catalogue?.products.find(({ id }) => id === event.product)
      if (!product) return state
      if (asksForChoice(product)) return { ...state, choosing: product.id, sold: null }
      const choice = { product: product.id, variation: null, subevent: state.date, addons: [] }
      return nextBasket(state, { type: 'added', choice, count: 1 })
    }
    case 'added': {
      if (event.choice.seat) return { ...state, lines: withSeat(state.lines, event.choice), sold: null }
      const lines = withMore(state.lines, event.choice, event.count)
      if (ticketCount(lines) > mostTickets) return { ...state, choosing: null }
      return { ...state, lines, choosing: null, sold: null }
    }
    case 'choice-closed':
      return { ...state, choosing: null }
    case 'counted': {
      if (event.count > 1 && state.lines.some(({ key, seat }) => key === event.key && seat)) return state
      const lines = withCount(state.lines, event.key, event.count)
      return ticketCount(lines) > mostTickets ? state : { ...state, lines }
    }
    case 'emptied':
      return { ...state, lines: [], choosing: null }
    case 'taken-off': {
      const last = state.lines.at(-1)
      return last ? { ...state, lines: withCount(state.lines, last.key, last.count - 1) } : state
    }
    default:
      return event satisfies never
  }
}

function nextPayment(state: TillState, event: PaymentEvent): TillState {
  if (event.type === 'paying') return payBasket(state, event.key)
  if (event.type === 'paying-order') return payOrder(state, event.key)
  const { payment } = state
  if (!payment) return state
  const change = (more: Partial<TillPayment>): TillState => ({ ...state, payment: { ...payment, ...more } })
  const isOpen = payment.phase === 'open' || payment.phase === 'refused'
  switch (event.type) {
    case 'way':
      return isOpen ? change({ way: event.way }) : state
    case 'given':
      return isOpen ? change({ given: event.given }) : state
    case 'referred':
      return isOpen ? change({ reference: event.reference }) : state
    case 'taken':
      return isOpen ? change({ phase: 'asking', detail: '', given: event.given ?? 0 }) : state
    case 'payment-closed':
      // What was asked for without an answer may be sold: it cannot be given up before the server says.
      return isOpen && !holdsMoney(payment) ? { ...state, payment: null } : state
    case 'part-added':
      // The same twice is the same once.
      return payment.parts.some(({ id }) => id === event.part.id)
        ? state
        : change({
            parts: [...payment.parts, event.part],
            given: 0,
            reference: '',
            charging: null,
            detail: '',
            way: 'cash',
          })
    case 'part-removed':
      return isOpen ? change({ parts: payment.parts.filter(({ id }) => id !== event.id) }) : state
    case 'charging':
      return change({ charging: event.charging })
    case 'part-refused':
      return isOpen ? change({ phase: 'open', detail: event.detail }) : state
    case 'unanswered':
      return isOpen ? state : change({ phase: 'unanswered' })
    case 'refused':
      return change({ phase: 'refused', detail: event.detail, key: event.key })
    case 'sold':
      return {
        ...state,
        // Somebody who picks up an order leaves the basket of the next one in place.
        ...(payment.sale.order === null ? { lines: [], priced: null, objection: null } : {}),
        payment: null,
        search: '',
        orders: null,
        sold: {
          code: event.code,
          tickets: payment.sale.tickets,
          total: payment.sale.total,
          way: payment.way,
          change: payment.way === 'cash' && payment.given > 0 ? payment.given - stillToPay(payment) : null,
        },
      }
    default:
      return event satisfies never
  }
}

function payBasket(state: TillState, key: string): TillState {
  const priced = pricedNow(state)
  if (!priced || state.lines.length === 0) return state
  const positions = basketPositions(state.lines).map(({ position }) => position)
  const carts = cartsOf(state.lines)
  return pinned(state, key, { positions, carts, total: priced.total, order: null, tickets: positions.length })
}

function payOrder(state: TillState, key: string): TillState {
  const order = chosenOrder(state)
  if (!order || dueOf(order) === 0) return state
  const tickets = order.positions.length
  return pinned(state, key, { positions: [], total: decimalOf(dueOf(order)), order: order.code, tickets })
}

function pinned(state: TillState, key: string, sale: PinnedSale): TillState {
  if (isPinned(state)) return state
  return {
    ...state,
    choosing: null,
    payment: {
      key,
      sale,
      way: 'cash',
      given: 0,
      reference: '',
      parts: [],
      charging: null,
      phase: 'open',
      detail: '',
    },
  }
}
