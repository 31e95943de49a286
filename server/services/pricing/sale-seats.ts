import sql from 'sql-template-tag'
import type { SaleSeats, SeatSaleState } from '../../../schema/bodies/seats.ts'
import { seatingPlan } from '../../../schema/resources/catalogue/seating-plan.ts'
import { event as eventResource } from '../../../schema/resources/events/event.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import type { EventFacts } from '../../resource/api.ts'
import { findRow } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { heldSeats, type SeatWithHolders, seatsOf } from '../catalogue/seats.ts'
import { tillChannel } from './sale-catalogue.ts'
import { voucherByCode } from './sale-voucher.ts'

/** Of which date seats are wanted, and as of which moment: 27 characters, UTC. */
interface WantedSeats {
  readonly event: EventFacts
  readonly date: number | null
  readonly now: string
  /** The code of the voucher that is being redeemed, whose seat is free for it; empty for none. */
  readonly voucher: string
}

/** The seats of an event, or of a date of it, as a till sells them. */
export async function saleSeats(
  db: Queryable,
  place: Place,
  { event, date, now, voucher }: WantedSeats,
): Promise<SaleSeats> {
  const order = sql`seat."rank", seat.id`
  const rows = await heldSeats(db, now, { where: seatsOf(place, date), order })
  const own = voucher === '' ? null : ((await voucherByCode(db, place, voucher))?.id ?? null)
  const { seating_allow_blocked_seats_for_channel: channels } = event.settings
  return {
    categories: await categoriesOf(db, place, date),
    sells_blocked: channels.includes(tillChannel),
    seats: rows.map((row) => ({
      ...{ guid: row.seat_guid, zone: row.zone_name },
      ...{ row: row.row_name, row_label: row.row_label, seat: row.seat_number, seat_label: row.seat_label },
      ...{ x: row.x, y: row.y, category: row.category, product: row.product },
      state: stateOf(row, own),
    })),
  }
}

/** A ticket comes first, then a basket. */
function stateOf(row: SeatWithHolders, own: number | null): SeatSaleState {
  if (row.orderposition !== null) return 'sold'
  if (row.cartposition !== null) return 'held'
  if (row.voucher !== null) return row.voucher === own ? 'free' : 'voucher'
  return row.blocked ? 'blocked' : 'free'
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
