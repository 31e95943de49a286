import sql from 'sql-template-tag'
import type { ParkedBasket } from '../../../schema/bodies/parked-baskets.ts'
import { instantAt, microsecondsOf, shownInstant } from '../../../schema/instants.ts'
import { notFound, Refusal } from '../../errors.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** How long a basket can be taken up again, in microseconds: as long as its seats are held. */
const parkedFor = 30 * 60_000_000

const endOf = (now: string): string => instantAt(microsecondsOf(now) - parkedFor)

/** A basket as a till parks it. */
interface BasketToPark {
  readonly id: string
  readonly name: string
  readonly tickets: number
  readonly lines: readonly object[]
}

/** The baskets of an event that nobody has taken up, the oldest first. */
export async function parkedBaskets(db: Queryable, place: Place, now: string): Promise<ParkedBasket[]> {
  const rows = await db.all<ParkedBasket>(
    sql`SELECT id, name, tickets, parked FROM parked_basket
        WHERE organizer = ${place.organizer} AND event = ${place.event} AND taken_by IS NULL
          AND parked > ${endOf(now)} ORDER BY parked, id`,
  )
  return rows.map((row) => ({ ...row, parked: shownInstant(row.parked) }))
}

/** Parks a basket, once for its id, and forgets all that are too old to be taken up. */
export async function parkBasket(tx: Tx, place: Place, basket: BasketToPark): Promise<void> {
  await tx.run(sql`DELETE FROM parked_basket WHERE parked <= ${endOf(tx.now)}`)
  await tx.run(
    sql`INSERT INTO parked_basket (organizer, event, id, name, tickets, lines, parked, taken_by)
        VALUES (${place.organizer}, ${place.event}, ${basket.id}, ${basket.name.trim()}, ${basket.tickets},
          ${JSON.stringify(basket.lines)}, ${tx.now}, NULL) ON CONFLICT DO NOTHING`,
  )
}

/** Gives a basket to a till, and to no other; the same till may ask again where it has not heard the answer. */
export async function takeBasket(
  tx: Tx,
  place: Place,
  { id, till }: { readonly id: string; readonly till: string },
): Promise<{ readonly lines: readonly object[] }> {
  await tx.run(
    sql`UPDATE parked_basket SET taken_by = ${till} WHERE organizer = ${place.organizer}
          AND event = ${place.event} AND id = ${id} AND taken_by IS NULL AND parked > ${endOf(tx.now)}`,
  )
  const row = await tx.get<{ lines: string; taken_by: string | null }>(
    sql`SELECT lines, taken_by FROM parked_basket WHERE organizer = ${place.organizer}
          AND event = ${place.event} AND id = ${id} AND parked > ${endOf(tx.now)}`,
  )
  if (!row) throw notFound('This basket was parked for more than 30 minutes. Begin a new one.')
  if (row.taken_by !== till)
    throw new Refusal(409, { detail: 'Another till has taken this basket up. Ask there before you sell it.' })
  return { lines: JSON.parse(row.lines) as object[] }
}
