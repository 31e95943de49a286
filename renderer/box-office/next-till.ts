import { asksForChoice, basketPositions, mostTickets, ticketCount, withCount, withMore } from './basket.ts'
import { isPinned, pricedNow, type TillEvent, type TillPayment, type TillState } from './till-state.ts'

/** The till after an event. What does not fit the state, such as a late answer, changes nothing. */
export function nextTill(state: TillState, event: TillEvent): TillState {
  switch (event.type) {
    case 'offered':
      return { ...state, catalogue: event.catalogue, trouble: null, date: event.catalogue.subevent }
    case 'not-offered':
      return { ...state, trouble: event.detail }
    case 'dated':
      return { ...state, date: event.date, choosing: null }
    case 'restored':
      return { ...state, lines: event.lines, payment: event.payment }
    case 'searched':
      return { ...state, search: event.search }
    case 'scanned':
      return { ...state, scanned: event.on }
    case 'priced':
      return { ...state, priced: event.priced, objection: null }
    case 'objected':
      return { ...state, objection: event.objection }
    case 'finished':
      return { ...state, sold: null }
    case 'pressed':
    case 'added':
    case 'choice-closed':
    case 'counted':
    case 'emptied':
      return isPinned(state) ? state : nextBasket(state, event)
    default:
      return nextPayment(state, event)
  }
}

type BasketEvent = Extract<
  TillEvent,
  { readonly type: 'pressed' | 'added' | 'choice-closed' | 'counted' | 'emptied' }
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
      const lines = withMore(state.lines, event.choice, event.count)
      if (ticketCount(lines) > mostTickets) return { ...state, choosing: null }
      return { ...state, lines, choosing: null, sold: null }
    }
    case 'choice-closed':
      return { ...state, choosing: null }
    case 'counted': {
      const lines = withCount(state.lines, event.key, event.count)
      return ticketCount(lines) > mostTickets ? state : { ...state, lines }
    }
    case 'emptied':
      return { ...state, lines: [], choosing: null }
    default:
      return event satisfies never
  }
}

type PaymentEvent = Extract<
  TillEvent,
  {
    readonly type:
      | 'paying'
      | 'way'
      | 'given'
      | 'referred'
      | 'taken'
      | 'payment-closed'
      | 'unanswered'
      | 'refused'
      | 'sold'
  }
>

function nextPayment(state: TillState, event: PaymentEvent): TillState {
  if (event.type === 'paying') return beginPayment(state, event.key)
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
      return isOpen ? { ...state, payment: null } : state
    case 'unanswered':
      return isOpen ? state : change({ phase: 'unanswered' })
    case 'refused':
      return change({ phase: 'refused', detail: event.detail, key: event.key })
    case 'sold':
      return {
        ...state,
        lines: [],
        payment: null,
        priced: null,
        objection: null,
        search: '',
        sold: {
          code: event.code,
          tickets: payment.sale.positions.length,
          total: payment.sale.total,
          way: payment.way,
          given: payment.way === 'cash' && payment.given > 0 ? payment.given : null,
        },
      }
    default:
      return event satisfies never
  }
}

function beginPayment(state: TillState, key: string): TillState {
  const priced = pricedNow(state)
  if (!priced || isPinned(state) || state.lines.length === 0) return state
  const positions = basketPositions(state.lines).map(({ position }) => position)
  const sale = { positions, total: priced.total }
  return {
    ...state,
    choosing: null,
    payment: { key, sale, way: 'cash', given: 0, reference: '', phase: 'open', detail: '' },
  }
}
