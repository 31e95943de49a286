import type { BasketEvent, DetailsEvent, TillState } from '../till-state.ts'
import {
  asksForChoice,
  type BasketChoice,
  bundledWith,
  mostTickets,
  ticketCount,
  withAll,
  withCount,
  withDetail,
  withFewer,
  withMore,
  withSeat,
} from './basket.ts'

/** The part of a choice that says with which voucher it is bought. */
export const withVoucher = ({ voucher }: TillState): Pick<BasketChoice, 'voucher'> =>
  voucher === null ? {} : { voucher }

/** A choice together with what its product comes with. */
function whole({ catalogue }: TillState, choice: BasketChoice): BasketChoice {
  const product = catalogue?.products.find(({ id }) => id === choice.product)
  return product ? { ...choice, addons: [...choice.addons, ...bundledWith(product)] } : choice
}

/** The till after its basket was changed. */
export function nextBasket(state: TillState, event: BasketEvent): TillState {
  switch (event.type) {
    case 'pressed': {
      const product = state.catalogue?.products.find(({ id }) => id === event.product)
      if (!product) return state
      if (asksForChoice(product)) return { ...state, choosing: product.id, sold: null }
      const choice = {
        ...withVoucher(state),
        product: product.id,
        variation: null,
        subevent: state.date,
        addons: [],
      }
      return nextBasket(state, { type: 'added', choice, count: state.quantity ?? 1 })
    }
    case 'added': {
      const choice = whole(state, event.choice)
      if (choice.seat) return { ...state, lines: withSeat(state.lines, choice), quantity: null, sold: null }
      const lines = withMore(state.lines, choice, event.count)
      if (ticketCount(lines) > mostTickets) return { ...state, quantity: null, choosing: null }
      return { ...state, lines, quantity: null, choosing: null, sold: null }
    }
    case 'choice-closed':
      return { ...state, quantity: null, choosing: null }
    case 'counted': {
      if (event.count > 1 && state.lines.some(({ key, seat }) => key === event.key && seat)) return state
      const lines = withCount(state.lines, event.key, event.count)
      return ticketCount(lines) > mostTickets ? state : { ...state, lines }
    }
    case 'emptied':
      return { ...state, lines: [], choosing: null, parking: false }
    case 'parking':
      return { ...state, parking: event.open && state.lines.length > 0 }
    case 'parked':
      // What was put into the basket while it was on its way stays there.
      return state.lines === event.lines ? { ...state, lines: [], choosing: null, parking: false } : state
    case 'taken-up':
      return { ...state, lines: withAll(state.lines, event.lines), sold: null }
    case 'quantity':
      return event.quantity !== null && (event.quantity < 1 || event.quantity > mostTickets)
        ? state
        : { ...state, quantity: event.quantity }
    case 'taken-out': {
      const lines = withFewer(state.lines, event.product, state.quantity ?? 1)
      return { ...state, lines, quantity: null }
    }
    case 'taken-off': {
      const last = state.lines.at(-1)
      return last ? { ...state, lines: withCount(state.lines, last.key, last.count - 1) } : state
    }
    default:
      return event satisfies never
  }
}

/** The till after something was typed about a ticket or the buyer, or another page of it is shown. */
export function nextDetails(state: TillState, event: DetailsEvent): TillState {
  if (event.type === 'detailed') {
    const { ticket, field, text } = event
    const lines = ticket
      ? withDetail(state.lines, ticket, [field, text])
      : state.lines.map((line) => ({ ...line, email: text }))
    return { ...state, lines }
  }
  const { page } = event
  return {
    ...state,
    choosing: null,
    asking: page === null ? null : { page, pays: state.asking?.pays ?? false },
  }
}

/** A quantity after one more key: a digit is added, the last one erased; undefined for any other key. */
export function quantityAfter(quantity: number | null, key: string): number | null | undefined {
  const digits = String(quantity ?? '')
  if (/^\d$/.test(key)) return Number(digits + key) || null
  return key === 'Backspace' ? Number(digits.slice(0, -1)) || null : undefined
}
