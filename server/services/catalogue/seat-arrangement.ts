import sql, { join } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import { seatingPlan } from '../../../schema/resources/catalogue/seating-plan.ts'
import { resourceByName } from '../../../schema/resources/index.ts'
import type { Layout } from '../../../schema/seating-layout.ts'
import { type PlannedSeat, seatsOfLayout } from '../../domain/quotas/seating.ts'
import { seatName } from '../../domain/quotas/seats.ts'
import { invalid } from '../../errors.ts'
import { blankRow } from '../../resource/defaults.ts'
import { deleteWithReferences } from '../../resource/references.ts'
import { findRows, insertRows, lockRow, removeRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { differences } from '../../resource/writing.ts'
import { seatsOf } from './seats.ts'

/** What an event, or a date of a series, says about its seats. */
export interface Seating {
  readonly seating_plan: number | null
  /** Which item is sold for the seats of a category. */
  readonly seat_category_mapping: Readonly<Record<string, number | null>>
}

/** The layout of a plan of an organizer, which nobody changes until the commit; undefined when there is no such plan. */
export async function layoutOf(tx: Tx, organizer: number, plan: number): Promise<Layout | undefined> {
  const row = await lockRow(tx, seatingPlan, { organizer, event: 0 }, { id: plan })
  return row?.layout
}

/** A seat of a plan as it is stored: its row without what was decided about it since. */
const seatRow = (planned: PlannedSeat, date: number | null, { seat_category_mapping }: Seating) => ({
  ...planned,
  subevent: date,
  product: seat_category_mapping[planned.category] ?? null,
})

/**
 * Gives an event, or a date of it, the seats of its plan: those that have the same identifier stay what they are.
 * Refused with 400 when a seat would go that is sold or that a voucher is for.
 */
export async function arrangeSeats(
  tx: Tx,
  place: Place,
  date: number | null,
  seating: Seating,
): Promise<void> {
  const layout =
    seating.seating_plan === null ? undefined : await layoutOf(tx, place.organizer, seating.seating_plan)
  const wanted = new Map((layout ? seatsOfLayout(layout) : []).map((one) => [one.seat_guid, one]))
  // Whoever sells a seat has it locked, so that after this none of them is being sold.
  await tx.all(sql`SELECT id FROM seat WHERE ${seatsOf(place, date)} ORDER BY id${tx.forUpdate}`)
  const existing = await findRows(tx, seat, place, { where: seatsOf(place, date) })
  await removeSeats(
    tx,
    place,
    date,
    existing.filter((row) => !wanted.has(row.seat_guid)),
  )
  for (const row of existing) {
    const planned = wanted.get(row.seat_guid)
    if (!planned) continue
    const next = { ...row, ...seatRow(planned, date, seating) }
    const changes = differences(row, next)
    if (Object.keys(changes).length > 0) await updateRow(tx, seat, place, { id: row.id, ...changes })
  }
  const known = new Set(existing.map((row) => row.seat_guid))
  const fresh = [...wanted.values()].filter(({ seat_guid }) => !known.has(seat_guid))
  const rows = fresh.map((one) => ({ ...blankRow(seat), ...seatRow(one, date, seating), id: tx.nextId() }))
  await insertRows(tx, seat, place, rows)
}

const atOnce = 500

async function removeSeats(
  tx: Tx,
  place: Place,
  date: number | null,
  rows: readonly StoredRow<typeof seat>[],
): Promise<void> {
  for (let first = 0; first < rows.length; first += atOnce) {
    const some = rows.slice(first, first + atOnce)
    const ids = some.map((row) => row.id)
    const guids = some.map((row) => row.seat_guid)
    const used = await tx.all<{ seat_guid: string }>(
      sql`SELECT seat.seat_guid FROM seat WHERE seat.organizer = ${place.organizer} AND seat.id IN (${join(ids)})
            AND EXISTS (SELECT 1 FROM order_position p
              WHERE p.organizer = seat.organizer AND p.seat_id = seat.id AND p.canceled = 0)
          UNION SELECT v.seat FROM voucher v WHERE v.organizer = ${place.organizer} AND v.event = ${place.event}
            AND coalesce(v.subevent, 0) = ${date ?? 0} AND v.seat IN (${join(guids)})`,
    )
    const taken = new Set(used.map(({ seat_guid }) => seat_guid))
    const one = some.find((row) => taken.has(row.seat_guid))
    if (one)
      throw invalid({
        seating_plan: [`The seat ${seatName(one)} is sold or kept for a voucher, but is not in this plan.`],
      })
    await dropCarts(tx, place, ids)
    for (const id of ids) await removeRow(tx, seat, place, id)
  }
}

/** Takes back what carts hold of seats that go: nobody has bought it yet. */
async function dropCarts(tx: Tx, place: Place, ids: readonly number[]): Promise<void> {
  for (const { id } of await findRows(tx, cartPosition, place, {
    where: sql`seat_id IN (${join([...ids])})`,
  }))
    await deleteWithReferences(tx, resourceByName, { resource: cartPosition, place, id })
}
