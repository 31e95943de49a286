import type { FoundPosition } from '../../schema/bodies/guests.ts'
import type { Direction } from '../../schema/bodies/station.ts'

/** Whether a ticket is paid for. */
type Payment = 'paid' | 'unpaid' | 'expired' | 'canceled' | 'blocked'

/** Where a ticket's holder is, as far as these lists know. */
type Presence = { readonly where: 'out' } | { readonly where: 'in' | 'left'; readonly since: string }

/** A ticket as the search shows it. */
export interface FoundTicket {
  readonly position: FoundPosition
  readonly payment: Payment
  readonly presence: Presence
  /** Pressing the button is what one would expect to do with it. */
  readonly expected: boolean
}

/** The tickets of one order. */
export interface FoundOrder {
  readonly order: string
  readonly tickets: readonly FoundTicket[]
}

function paymentOf(position: FoundPosition): Payment {
  if (Array.isArray(position.blocked) && position.blocked.length > 0) return 'blocked'
  switch (position.order__status) {
    case 'p':
      return 'paid'
    case 'c':
      return 'canceled'
    case 'e':
      return 'expired'
    default:
      return 'unpaid'
  }
}

function presenceOf(position: FoundPosition, lists: readonly number[]): Presence {
  const here = position.checkins.filter((checkin) => lists.includes(checkin.list))
  const last = here.toSorted((a, b) => Date.parse(a.datetime) - Date.parse(b.datetime)).at(-1)
  if (!last) return { where: 'out' }
  return { where: last.type === 'entry' ? 'in' : 'left', since: last.datetime }
}

/** A found ticket with what the search shows of it. */
export function foundTicket(
  position: FoundPosition,
  lists: readonly number[],
  direction: Direction,
): FoundTicket {
  const payment = paymentOf(position)
  const presence = presenceOf(position, lists)
  const fits = direction === 'exit' ? presence.where === 'in' : payment === 'paid' && presence.where === 'out'
  return { position, payment, presence, expected: fits }
}

/** Found tickets put expectedTickets by order, in the order in which they were found. */
export function foundOrders(
  found: readonly FoundPosition[],
  lists: readonly number[],
  direction: Direction,
): readonly FoundOrder[] {
  const orders = Map.groupBy(found, (position) => position.order)
  return [...orders].map(([order, positions]) => ({
    order,
    tickets: positions
      .toSorted((a, b) => a.positionid - b.positionid)
      .map((position) => foundTicket(position, lists, direction)),
  }))
}

/** The tickets of an order that one press can pass together. */
export const expectedTickets = (order: FoundOrder): readonly FoundTicket[] =>
  order.tickets.filter((ticket) => ticket.expected)
