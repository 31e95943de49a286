import type { JsonObject } from '../../../schema/fields.ts'
import { shownInstant } from '../../../schema/instants.ts'
import type { Queryable } from '../../storage/database.ts'
import { identifiers } from '../orders/positions.ts'
import type { CartRow, CreatedCart } from './cart-rows.ts'

/** Cart positions of one organizer in the JSON form of the API, with a fixed number of statements. */
export async function presentCarts(
  db: Queryable,
  organizer: number,
  rows: readonly CartRow[],
): Promise<JsonObject[]> {
  const known = await identifiers(
    db,
    organizer,
    rows.flatMap(({ answers }) => answers),
  )
  return rows.map(({ seat_id: _, device: __, ...row }) => ({
    ...row,
    datetime: shownInstant(row.datetime),
    expires: shownInstant(row.expires),
    answers: row.answers
      .filter((answer) => known.questions.has(answer.question))
      .map((answer) => ({
        ...answer,
        question_identifier: known.questions.get(answer.question),
        option_identifiers: answer.options.flatMap((id) => known.options.get(id) ?? []),
      })),
  }))
}

/** Cart positions that were just created, with what came with them. */
export async function presentCreated(
  db: Queryable,
  organizer: number,
  carts: readonly CreatedCart[],
): Promise<JsonObject[]> {
  const rows = carts.flatMap(({ row, addons, bundled }) => [row, ...addons, ...bundled])
  const shown = new Map((await presentCarts(db, organizer, rows)).map((row) => [row.id, row]))
  const shownOf = (some: readonly CartRow[]) => some.map(({ id }) => shown.get(id))
  return carts.map(({ row, addons, bundled }) => ({
    ...shown.get(row.id),
    addons: shownOf(addons),
    bundled: shownOf(bundled),
  }))
}
