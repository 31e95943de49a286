import type { SaleCatalogue } from '../../schema/bodies/sale-catalogue.ts'
import { nextOrders } from './orders/next-orders.ts'
import { nextPayment } from './payment/next-payment.ts'
import { nextBasket, nextDetails } from './selling/next-basket.ts'
import { isPinned, type TillEvent, type TillState } from './till-state.ts'

/** The till after an event. What does not fit the state, such as a late answer, changes nothing. */
export function nextTill(state: TillState, event: TillEvent): TillState {
  switch (event.type) {
    case 'offered':
      return offered(state, event.catalogue)
    case 'redeeming':
      return offered(
        { ...state, orders: null, atDrawer: false, atDisplay: false, search: '', sold: null },
        event.catalogue,
      )
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
    case 'order-changed':
    case 'order-chosen':
    case 'orders-closed':
      return isPinned(state) ? state : nextOrders(state, event)
    case 'priced':
      return { ...state, priced: event.priced, objection: null }
    case 'objected':
      return { ...state, objection: event.objection }
    case 'at-drawer':
      return isPinned(state) ? state : { ...state, ...nothingOpen, atDrawer: event.open }
    case 'at-display':
      return isPinned(state) ? state : { ...state, ...nothingOpen, atDrawer: false, atDisplay: event.open }
    case 'at-receipts':
      return isPinned(state) ? state : { ...state, ...nothingOpen, receipts: event.search }
    case 'back':
      return goBack(state)
    case 'baskets-parked':
      return { ...state, parked: event.baskets }
    case 'finished':
      return { ...state, sold: null }
    case 'printing':
      return { ...state, prints: event.prints }
    case 'unsettled':
      return { ...state, unsettled: event.unsettled }
    case 'asking':
    case 'detailed':
      return isPinned(state) ? state : nextDetails(state, event)
    case 'pressed':
    case 'added':
    case 'choice-closed':
    case 'counted':
    case 'emptied':
    case 'parking':
    case 'parked':
    case 'taken-up':
    case 'taken-off':
    case 'taken-out':
    case 'quantity':
      return isPinned(state) ? state : unlessSame(state, nextBasket(state, event))
    default:
      return nextPayment(state, event)
  }
}

/** What could not be sold may have come back: it is asked again. */
const offered = (state: TillState, catalogue: SaleCatalogue): TillState => ({
  ...state,
  catalogue,
  voucher: catalogue.voucher?.code ?? null,
  trouble: null,
  date: catalogue.subevent,
  objection: null,
})

const nothingOpen = { orders: null, choosing: null, receipts: null, atDisplay: false } as const

function goBack(state: TillState): TillState {
  const { payment, orders, choosing, parking } = state
  if (payment) return nextPayment(state, { type: 'payment-closed' })
  if (parking) return { ...state, parking: false }
  if (orders?.chosen) return { ...state, orders: { ...orders, chosen: null } }
  if (orders) return { ...state, orders: null }
  if (state.receipts !== null) return { ...state, receipts: null }
  if (state.atDrawer) return { ...state, atDrawer: false }
  if (state.atDisplay) return { ...state, atDisplay: false }
  if (state.asking) return { ...state, asking: null }
  if (state.quantity !== null) return { ...state, quantity: null, choosing: null }
  return choosing === null ? { ...state, sold: null } : { ...state, choosing: null }
}

/** What was said of a basket is not believed once it was changed, also where it is the same again later. */
const unlessSame = (before: TillState, after: TillState): TillState =>
  before.lines === after.lines ? after : { ...after, asking: null, priced: null, objection: null }
