import type { Static } from 'typebox'
import { flag, refs, texts } from '../fields.ts'
import {
  shownChoice,
  shownFlag,
  shownList,
  shownNumberOrNull,
  shownRecord,
  shownText,
  shownTextOrNull,
  shownWholeOrNull,
} from '../shown.ts'

/** What can be changed about a seat. */
export const seatChange = { blocked: flag() }

/** Which seats are meant, by their ids, by their identifiers in the plan, or by both. */
export const seatChoice = { ids: refs('seat'), seat_guids: texts({ default: [] }) }

/** What keeps a seat from being sold, or that nothing does. */
export const seatStates = ['free', 'sold', 'held', 'voucher', 'blocked'] as const

/** Whether a seat is free, and if not, why. */
export type SeatSaleState = (typeof seatStates)[number]

const soldSeat = shownRecord({
  /** Its name in the plan. */
  guid: shownText,
  zone: shownText,
  row: shownText,
  /** How its row is called, where the plan says so. */
  row_label: shownTextOrNull,
  seat: shownText,
  /** How it is called itself, where the plan says so. */
  seat_label: shownTextOrNull,
  /** Its place in the plan; null where the plan has none. */
  x: shownNumberOrNull,
  y: shownNumberOrNull,
  category: shownText,
  product: shownWholeOrNull,
  state: shownChoice(seatStates),
})

/** A seat as a till shows it. */
export type SaleSeat = Static<typeof soldSeat>

const seatColor = shownRecord({ name: shownText, color: shownTextOrNull })

const saleSeats = shownRecord({
  /** The categories of the plan with their colours. */
  categories: shownList(seatColor),
  /** Whether seats that are blocked are sold at the till. */
  sells_blocked: shownFlag,
  /** In the order of the plan. */
  seats: shownList(soldSeat),
})

/** All seats of an event or of a date, with what is free. */
export type SaleSeats = Static<typeof saleSeats>
