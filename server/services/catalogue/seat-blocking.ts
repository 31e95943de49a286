import sql, { join, type Sql } from 'sql-template-tag'
import { seat } from '../../../schema/resources/catalogue/seat.ts'
import { invalid } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { findRows, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { seatsOf } from './seats.ts'

/** Which seats are meant, by their ids or by their identifiers in the plan. */
interface ChosenSeats {
  readonly ids: readonly number[]
  readonly seat_guids: readonly string[]
}

/**
 * Takes seats of an event, or of a date of it, out of sale or puts them back; those that are so already stay. All or
 * none: 400 names the ones that do not exist.
 */
export async function blockSeats(
  tx: Tx,
  actor: Actor,
  place: Place,
  asked: { readonly date: number | null; readonly seats: ChosenSeats; readonly blocked: boolean },
): Promise<void> {
  const { date, blocked } = asked
  const { ids, seat_guids } = asked.seats
  const choices: Sql[] = [
    ...(ids.length > 0 ? [sql`seat.id IN (${join([...ids])})`] : []),
    ...(seat_guids.length > 0 ? [sql`seat.seat_guid IN (${join([...seat_guids])})`] : []),
  ]
  if (choices.length === 0) throw invalid(['Name the seats in ids or in seat_guids.'])
  const chosen = sql`${seatsOf(place, date)} AND (${join(choices, ' OR ')})`
  await tx.all(sql`SELECT id FROM seat WHERE ${chosen} ORDER BY id${tx.forUpdate}`)
  const rows = await findRows(tx, seat, place, { where: chosen })
  const known = new Set(rows.map((row) => row.id))
  const names = new Set(rows.map((row) => row.seat_guid))
  const missing = {
    ids: ids.filter((id) => !known.has(id)),
    seat_guids: seat_guids.filter((guid) => !names.has(guid)),
  }
  const errors = Object.entries(missing).filter(([, list]) => list.length > 0)
  if (errors.length > 0)
    throw invalid(
      Object.fromEntries(
        errors.map(([name, list]) => [name, list.map((one) => `There is no seat "${one}" here.`)]),
      ),
    )
  for (const row of rows) {
    if (row.blocked === blocked) continue
    await updateRow(tx, seat, place, { id: row.id, blocked })
    tx.audit(place, actor, {
      action: 'ticketsvc.event.seat.changed',
      resource: seat.name,
      row: row.id,
      data: { blocked },
    })
  }
}
