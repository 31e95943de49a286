import sql, { empty, join, type Sql } from 'sql-template-tag'
import type { EventSettings } from '../../../schema/event-settings.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { subevent as subeventResource } from '../../../schema/resources/events/subevent.ts'
import {
  isSeatTaken,
  isTooClose,
  type OwnHolds,
  type SeatState,
  seatName,
} from '../../domain/quotas/seats.ts'
import { findRow, lockRow, rowOf } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Cells, Queryable } from '../../storage/database.ts'

/** The condition that keeps to the seats of an event, or of one date of a series. */
export const seatsOf = (place: Place, date: number | null): Sql =>
  sql`seat.organizer = ${place.organizer} AND seat.event = ${place.event} AND ${
    date === null ? sql`seat.subevent IS NULL` : sql`seat.subevent = ${date}`
  }`

/** Tickets that hold a seat. */
const tickets = sql`order_position p JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
  AND p.canceled = 0 AND o.status IN ('n', 'p')`

const isOfTicket = sql`p.organizer = seat.organizer AND p.seat_id = seat.id`

const isOfCart = (now: string): Sql =>
  sql`c.organizer = seat.organizer AND c.seat_id = seat.id AND c.expires >= ${now}`

const isOfVoucher = (now: string): Sql => sql`v.organizer = seat.organizer AND v.event = seat.event
  AND v.seat = seat.seat_guid AND coalesce(v.subevent, 0) = coalesce(seat.subevent, 0)
  AND v.redeemed < v.max_usages AND (v.valid_until IS NULL OR v.valid_until >= ${now})`

/** The condition that a seat is held by somebody at a moment. */
const isHeldAt = (now: string): Sql => sql`(EXISTS (SELECT 1 FROM ${tickets} WHERE ${isOfTicket})
  OR EXISTS (SELECT 1 FROM cart_position c WHERE ${isOfCart(now)})
  OR EXISTS (SELECT 1 FROM voucher v WHERE ${isOfVoucher(now)}))`

/** The condition that a seat is neither blocked nor held by anybody at a moment. */
export const isFreeAt = (now: string): Sql => sql`(seat.blocked = 0 AND NOT ${isHeldAt(now)})`

type Holders = Readonly<Record<'orderposition' | 'cartposition' | 'voucher', number | null>>

/** A seat with the ids of the ticket, the place in a cart or the voucher that holds it. */
export type SeatWithHolders = StoredRow<typeof seat> & Holders

/** Which seats are wanted, in which order, and which page of them where not all are. */
interface SeatSelection {
  readonly where: Sql
  readonly order?: Sql
  readonly page?: { readonly size: number; readonly offset: number }
}

/**
 * Rows of seats with whoever holds them at a moment, as the API shows them and with what is hidden. The holders of all
 * of them are read at once: asked for the least id of each seat, databases walk through all tickets for every seat.
 */
export async function heldSeats(
  db: Queryable,
  now: string,
  { where, order = sql`seat.id`, page }: SeatSelection,
): Promise<SeatWithHolders[]> {
  const limit = page ? sql`LIMIT ${page.size} OFFSET ${page.offset}` : empty
  const found = await db.all<Cells & Holders>(
    sql`WITH wanted AS (SELECT seat.* FROM seat WHERE ${where} ORDER BY ${order} ${limit}),
          ticket AS (SELECT seat.id AS held, min(p.id) AS id
            FROM wanted seat CROSS JOIN ${tickets} WHERE ${isOfTicket} GROUP BY seat.id),
          cart AS (SELECT seat.id AS held, min(c.id) AS id
            FROM wanted seat CROSS JOIN cart_position c WHERE ${isOfCart(now)} GROUP BY seat.id),
          reserved AS (SELECT seat.id AS held, min(v.id) AS id
            FROM wanted seat CROSS JOIN voucher v WHERE ${isOfVoucher(now)} GROUP BY seat.id)
        SELECT seat.*, ticket.id AS orderposition, cart.id AS cartposition, reserved.id AS voucher
        FROM wanted seat
        LEFT JOIN ticket ON ticket.held = seat.id
        LEFT JOIN cart ON cart.held = seat.id
        LEFT JOIN reserved ON reserved.held = seat.id
        ORDER BY ${order}`,
  )
  return found.map(({ orderposition, cartposition, voucher, ...cells }) => ({
    ...rowOf(seat, cells),
    orderposition,
    cartposition,
    voucher,
  }))
}

const seatStateOf = (row: SeatWithHolders): SeatState => ({ ...row, name: seatName(row) })

/**
 * Seats of an event, or of a date of it, with whoever holds them now, by their identifiers in the plan. Nobody else
 * takes them until the transaction ends. Those that do not exist are missing.
 */
export async function seatsByGuid(
  tx: Tx,
  place: Place,
  date: number | null,
  guids: readonly string[],
): Promise<ReadonlyMap<string, SeatState>> {
  if (guids.length === 0) return new Map()
  const locked = await tx.all<{ id: number }>(
    sql`SELECT id FROM seat WHERE ${seatsOf(place, date)} AND seat.seat_guid IN (${join([...new Set(guids)])})
        ORDER BY id${tx.forUpdate}`,
  )
  if (locked.length === 0) return new Map()
  // Who holds them is asked only now that they are ours: whoever had them before us may just have sold them.
  const ids = locked.map(({ id }) => id)
  const where = sql`seat.organizer = ${place.organizer} AND seat.id IN (${join(ids)})`
  const rows = await heldSeats(tx, tx.now, { where })
  return new Map(rows.map((row) => [row.seat_guid, seatStateOf(row)]))
}

/** A seat as it is shown in a cart or with a ticket. */
export const shownSeat = ({ id, name, seat_guid }: SeatState) => ({ id, name, seat_guid })

/** Whether a product is sold with a seat at an event, or on a date of it. */
export const isSeated = async (
  db: Queryable,
  place: Place,
  date: number | null,
  item: number,
): Promise<boolean> => (await seatedItems(db, place, date)).has(item)

/** The products that are sold with seats at an event, or on a date of it. */
export async function seatedItems(
  db: Queryable,
  place: Place,
  date: number | null,
): Promise<ReadonlySet<number>> {
  const row =
    date === null
      ? await findRow(db, event, place, { id: place.event })
      : await findRow(db, subeventResource, place, { id: date })
  if (!row || row.seating_plan === null) return new Set()
  return new Set(Object.values(row.seat_category_mapping).flatMap((item) => item ?? []))
}

/** Where seats are asked for, by whom, and what the event's settings are. */
interface SeatQuestion {
  readonly place: Place
  readonly date: number | null
  readonly settings: Pick<
    EventSettings,
    'seating_minimal_distance' | 'seating_distance_within_row' | 'seating_allow_blocked_seats_for_channel'
  >
  readonly channel: string
  /** Whoever asks holds these already. */
  readonly own?: OwnHolds
}

/**
 * Why some of the seats found by `seatsByGuid` cannot be taken together, by their identifiers; empty when they can.
 * They may be next to each other, but not next to others where the event keeps people apart.
 */
export async function seatProblems(
  tx: Tx,
  { place, date, settings, channel, own = {} }: SeatQuestion,
  seats: Iterable<SeatState>,
): Promise<ReadonlyMap<string, string>> {
  const wanted = [...seats]
  const mayTakeBlocked = settings.seating_allow_blocked_seats_for_channel.includes(channel)
  const distance = settings.seating_minimal_distance
  const others = distance > 0 && wanted.length > 0 ? await seatsOfOthers(tx, place, date, own) : []
  const withinRow = settings.seating_distance_within_row
  return new Map(
    wanted.flatMap((one) => {
      if (one.blocked && !mayTakeBlocked) return [[one.seat_guid, `The seat ${one.name} is not for sale.`]]
      if (isSeatTaken(one, own)) return [[one.seat_guid, `The seat ${one.name} is already taken.`]]
      return isTooClose(one, others, distance, withinRow)
        ? [[one.seat_guid, `The seat ${one.name} is too close to one that is already taken.`]]
        : []
    }),
  )
}

/** Seats that others hold, to which none is added until the transaction ends. */
async function seatsOfOthers(tx: Tx, place: Place, date: number | null, own: OwnHolds): Promise<SeatState[]> {
  await lockRow(tx, event, place, { id: place.event })
  const held = await heldSeats(tx, tx.now, { where: sql`${seatsOf(place, date)} AND ${isHeldAt(tx.now)}` })
  return held.map(seatStateOf).filter((one) => isSeatTaken(one, own))
}
