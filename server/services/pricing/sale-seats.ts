import sql from 'sql-template-tag'
import type { SaleSeats, SeatSaleState } from '../../../schema/bodies/sale-seats.ts'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import { seatingPlan } from '../../../schema/resources/catalogue/seating-plan.ts'
import { event as eventResource } from '../../../schema/resources/events/event.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { seatName } from '../../domain/quotas/seats.ts'
import type { EventFacts } from '../../resource/api.ts'
import { findRow, findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { seatsOf } from '../catalogue/seats.ts'
import { tillChannel } from './sale-catalogue.ts'

/** Of which date seats are wanted, and as of which moment: 27 characters, UTC. */
interface WantedSeats {
  readonly event: EventFacts
  readonly date: number | null
  readonly now: string
}

/** The seats of an event, or of a date of it, as a till sells them. */
export async function saleSeats(
  db: Queryable,
  place: Place,
  { event, date, now }: WantedSeats,
): Promise<SaleSeats> {
  const rows = await findRows(db, seat, place, {
    where: seatsOf(place, date),
    order: sql`seat."rank", seat.id`,
  })
  const taken = await takenSeats(db, place, { date, now })
  const { seating_allow_blocked_seats_for_channel: channels } = event.settings
  return {
    categories: await categoriesOf(db, place, date),
    sells_blocked: channels.includes(tillChannel),
    seats: rows.map((row) => ({
      ...{ guid: row.seat_guid, name: seatName(row), zone: row.zone_name, row: row.row_name },
      ...{ x: row.x, y: row.y, category: row.category, product: row.product },
      state: taken.get(row.id) ?? (row.blocked ? 'blocked' : 'free'),
    })),
  }
}

/** By whom seats are taken, all of them read at once: a hall has thousands. A ticket comes first, then a basket. */
async function takenSeats(
  db: Queryable,
  { organizer, event }: Place,
  { date, now }: Omit<WantedSeats, 'event'>,
): Promise<ReadonlyMap<number, SeatSaleState>> {
  const vouchers = await db.all<{ id: number }>(
    sql`SELECT seat.id FROM voucher v JOIN seat ON seat.organizer = v.organizer AND seat.event = v.event
          AND seat.seat_guid = v.seat AND coalesce(seat.subevent, 0) = coalesce(v.subevent, 0)
        WHERE v.organizer = ${organizer} AND v.event = ${event} AND v.seat IS NOT NULL
          AND ${seatsOf({ organizer, event }, date)} AND v.redeemed < v.max_usages
          AND (v.valid_until IS NULL OR v.valid_until >= ${now})`,
  )
  const carts = await db.all<{ id: number }>(
    sql`SELECT seat_id AS id FROM cart_position
        WHERE organizer = ${organizer} AND event = ${event} AND seat_id IS NOT NULL AND expires >= ${now}`,
  )
  const tickets = await db.all<{ id: number }>(
    sql`SELECT p.seat_id AS id FROM order_position p
        JOIN orders o ON o.organizer = p.organizer AND o.id = p.order_id
        WHERE p.organizer = ${organizer} AND p.event = ${event} AND p.seat_id IS NOT NULL AND p.canceled = 0
          AND o.status IN ('n', 'p')`,
  )
  return new Map<number, SeatSaleState>([
    ...vouchers.map(({ id }) => [id, 'voucher'] as const),
    ...carts.map(({ id }) => [id, 'held'] as const),
    ...tickets.map(({ id }) => [id, 'sold'] as const),
  ])
}

async function categoriesOf(db: Queryable, place: Place, date: number | null) {
  const seated =
    date === null
      ? await findRow(db, eventResource, place, { id: place.event })
      : await findRow(db, subevent, place, { id: date })
  const top = { organizer: place.organizer, event: 0 }
  const plan =
    seated?.seating_plan == null
      ? undefined
      : await findRow(db, seatingPlan, top, { id: seated.seating_plan })
  return (plan?.layout.categories ?? []).map(({ name, color }) => ({ name, color: color ?? null }))
}
