/** How a seat is called in a plan. */
export interface SeatWords {
  readonly zone_name: string
  readonly row_name: string
  readonly row_label: string | null
  readonly seat_number: string
  readonly seat_label: string | null
  readonly seat_guid: string
}

/** A seat and who holds it: a ticket that was not canceled, a cart that has not expired, a voucher that is not used up. */
export interface SeatState {
  readonly id: number
  readonly seat_guid: string
  readonly name: string
  readonly zone_name: string
  readonly row_name: string
  readonly x: number | null
  readonly y: number | null
  readonly product: number | null
  readonly blocked: boolean
  readonly orderposition: number | null
  readonly cartposition: number | null
  readonly voucher: number | null
}

/** Those whose hold on a seat does not count, because it is they who ask. */
export interface OwnHolds {
  readonly positions?: ReadonlySet<number>
  readonly carts?: ReadonlySet<number>
  readonly vouchers?: ReadonlySet<number>
}

/** The name of a seat for people: zone, row and seat as far as they are named, else its identifier in the plan. */
export function seatName(seat: SeatWords): string {
  const row = seat.row_label || (seat.row_name && `Row ${seat.row_name}`)
  const number = seat.seat_label || (seat.seat_number && `Seat ${seat.seat_number}`)
  return [seat.zone_name, row, number].filter(Boolean).join(', ') || seat.seat_guid
}

/** Whether somebody else holds a seat. */
export const isSeatTaken = (
  seat: Pick<SeatState, 'orderposition' | 'cartposition' | 'voucher'>,
  own: OwnHolds = {},
): boolean =>
  isHeld(seat.orderposition, own.positions) ||
  isHeld(seat.cartposition, own.carts) ||
  isHeld(seat.voucher, own.vouchers)

const isHeld = (by: number | null, own: ReadonlySet<number> | undefined): boolean =>
  by !== null && !own?.has(by)

type Spot = Pick<SeatState, 'seat_guid' | 'zone_name' | 'row_name' | 'x' | 'y'>

/**
 * Whether a seat is nearer than a distance, in units of the plan, to a seat that others hold. `withinRow` looks at the
 * same row of the same zone alone. Seats without a place are near to nothing.
 */
export function isTooClose(
  seat: Spot,
  others: readonly Spot[],
  distance: number,
  withinRow: boolean,
): boolean {
  if (distance <= 0 || seat.x === null || seat.y === null) return false
  const { x, y } = seat
  return others.some((other) => {
    if (other.seat_guid === seat.seat_guid || other.x === null || other.y === null) return false
    if (withinRow && (other.zone_name !== seat.zone_name || other.row_name !== seat.row_name)) return false
    return (other.x - x) ** 2 + (other.y - y) ** 2 < distance ** 2
  })
}
