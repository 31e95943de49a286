import { decimalOf } from '../amounts.ts'
import { chosenOrder, dueOf } from '../orders/order-state.ts'
import { cartsOf, emailOf } from '../selling/basket.ts'
import { answeredPositions, askedPages, isOpenPage } from '../selling/sale-details.ts'
import { isPinned, pricedNow, type TillState } from '../till-state.ts'
import {
  holdsMoney,
  type PayingBasket,
  type PayingExchange,
  type PaymentEvent,
  type PinnedSale,
  stillToPay,
  type TillPayment,
} from './payment-state.ts'

/** The till after something happened to a payment. */
export function nextPayment(state: TillState, event: PaymentEvent): TillState {
  if (event.type === 'paying') return payBasket(state, event)
  if (event.type === 'paying-order') return payOrder(state, event.key)
  if (event.type === 'paying-exchange') return payExchange(state, event)
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
    case 'invoiced':
      return isOpen ? change({ invoice: event.to }) : state
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
      return isOpen ? state : change({ phase: 'unanswered', detail: event.detail })
    case 'refused':
      // What it was said to cost may not be true any more.
      return { ...change({ phase: 'refused', detail: event.detail, key: event.key }), priced: null }
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
          ...handedOver(payment),
        },
      }
    default:
      return event satisfies never
  }
}

function handedOver(payment: TillPayment): { readonly given: number | null; readonly change: number | null } {
  const { way, given } = payment
  return way === 'cash' && given > 0
    ? { given, change: given - stillToPay(payment) }
    : { given: null, change: null }
}

function payBasket(state: TillState, { key, timeZone }: PayingBasket): TillState {
  const priced = pricedNow(state)
  if (!priced || state.lines.length === 0) return state
  const open = askedPages(state.catalogue, state.lines).findIndex((page) => isOpenPage(page, timeZone))
  if (open >= 0) return isPinned(state) ? state : { ...state, asking: { page: open, pays: true } }
  const positions = answeredPositions(state.catalogue, state.lines)
  const carts = cartsOf(state.lines)
  const email = emailOf(state.lines).trim()
  return pinned(state, key, {
    ...{ positions, carts, total: priced.total, order: null, tickets: positions.length },
    ...(email === '' ? {} : { email }),
  })
}

function payOrder(state: TillState, key: string): TillState {
  const order = chosenOrder(state)
  if (!order || dueOf(order) === 0) return state
  const tickets = order.positions.length
  return pinned(state, key, { positions: [], total: decimalOf(dueOf(order)), order: order.code, tickets })
}

function payExchange(state: TillState, { key, exchange, due }: PayingExchange): TillState {
  const order = chosenOrder(state)?.code
  if (order === undefined) return state
  return pinned(state, key, { positions: [], total: due, order, tickets: 1, exchange })
}

function pinned(state: TillState, key: string, sale: PinnedSale): TillState {
  if (isPinned(state)) return state
  return {
    ...state,
    quantity: null,
    choosing: null,
    asking: null,
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
