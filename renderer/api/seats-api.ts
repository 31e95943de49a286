import type { SaleSeats } from '../../schema/bodies/seats.ts'
import { type ApiAnswer, patience, request } from './requests.ts'
import { eventPath, type SalesPlace } from './sales-place.ts'

/** A seat that is to be held for a basket. */
export interface SeatHold {
  readonly item: number
  readonly variation: number | null
  readonly subevent: number | null
  readonly seat: string
  readonly price: string
  readonly voucher?: string
  /** The cart that holds it. */
  readonly cart_id: string
}

/** The requests about seats. */
export interface SeatsApi {
  /** All seats of the event, or of a date of it; that of a voucher is free for it. */
  seats(date: number | null, voucher: string | null): Promise<ApiAnswer<SaleSeats>>
  /** Holds a seat until it is sold, given back or half an hour has passed. */
  hold(place: SalesPlace, hold: SeatHold): Promise<ApiAnswer<{ readonly id: number }>>
  /** Gives back what is held. */
  release(place: SalesPlace, hold: number): Promise<ApiAnswer<unknown>>
}

/** The requests about seats against a server at `base`. */
export function openSeatsApi(base: string): SeatsApi {
  const carts = (place: SalesPlace, path: string) =>
    `${base}${eventPath(place)}/cartpositions/${path}?upstream=true`
  return {
    seats: (date, voucher) => {
      const query = new URLSearchParams({
        ...(date === null ? {} : { subevent: String(date) }),
        ...(voucher === null ? {} : { voucher }),
      })
      return request(`${base}/api/v1/station/sale/seats/?${query}`, {}, patience.other)
    },
    hold: (place, hold) =>
      request(
        carts(place, ''),
        {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ ...hold, sales_channel: 'boxoffice' }),
        },
        patience.slow,
      ),
    release: (place, hold) => request(carts(place, `${hold}/`), { method: 'DELETE' }, patience.slow),
  }
}

/** Whether a sale is carried out where all tills see it: seats and vouchers are one thing each. */
export const isUpstream = ({ positions = [] }: { readonly positions?: readonly object[] }): boolean =>
  positions.some((one) => 'seat' in one || 'voucher' in one)
