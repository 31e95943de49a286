import type { SaleSeats } from '../../../schema/bodies/seats.ts'
import type { ApiAnswer } from '../../api/requests.ts'
import { type BasketLine, heldFor } from '../selling/basket.ts'
import { withVoucher } from '../selling/next-basket.ts'
import type { TillLink } from '../till-tools.ts'
import type { PlacedSeat } from './seat-plan.ts'

/** What a seat is sold as. */
interface SeatChoice {
  readonly seat: PlacedSeat
  readonly variation: number | null
  readonly price: string
}

/** The seats of a till. */
export interface TillSeats {
  /** All seats of the chosen date, with what is free. */
  load(): Promise<ApiAnswer<SaleSeats>>
  /** Has some seats held and puts them into the basket; why one could not be had, or an empty text. */
  take(choices: readonly SeatChoice[]): Promise<string>
  /** Gives back what one basket held and another one does not. */
  giveBack(before: readonly BasketLine[], after: readonly BasketLine[]): void
}

/** What the suffix of carts has to be that are made through the interface. */
const cartSuffix = '@api'

/** Holds seats for the basket: each in a cart of its own, so that others see at once that it is taken. */
export function openSeats({ api, tools, state, send }: Omit<TillLink, 'refresh' | 'payments'>): TillSeats {
  async function take(choices: readonly SeatChoice[]): Promise<string> {
    const place = tools.place()
    if (!place) return ''
    for (const { seat, variation, price } of choices) {
      if (seat.product === null) continue
      const subevent = state.value.date
      const cart = `till-${tools.newId()}${cartSuffix}`
      const voucher = withVoucher(state.value)
      const hold = {
        item: seat.product,
        variation,
        subevent,
        seat: seat.guid,
        price,
        cart_id: cart,
        ...voucher,
      }
      const answer = await api.hold(place, hold)
      if (!answer.ok) return answer.problem.detail
      const held = { guid: seat.guid, name: seat.name, hold: answer.value.id, cart }
      const choice = { product: seat.product, variation, subevent, addons: [], seat: held, ...voucher }
      send({ type: 'added', choice, count: 1 })
      const isIn = heldFor(state.value.lines).some((one) => one.hold === held.hold)
      if (!isIn) void api.release(place, held.hold)
    }
    return ''
  }

  let givenBack: Promise<unknown> = Promise.resolve()
  return {
    async load() {
      await givenBack
      return api.seats(state.value.date, state.value.voucher)
    },
    take,
    giveBack(before, after) {
      const place = tools.place()
      if (!place || before === after) return
      const kept = new Set(heldFor(after).map(({ hold }) => hold))
      const gone = heldFor(before).filter(({ hold }) => !kept.has(hold))
      givenBack = Promise.all(gone.map(({ hold }) => api.release(place, hold)))
    },
  }
}
