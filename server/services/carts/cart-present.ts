import { shownInstant } from '../../../schema/instants.ts'
import { cartPosition } from '../../../schema/resources/carts/cart-position.ts'
import type { StoredAnswer } from '../../../schema/resources/orders/order-position.ts'
import type { RowData } from '../../resource/codec.ts'
import type { Queryable } from '../../storage/database.ts'
import { identifiers } from '../orders/positions.ts'
import type { CreatedCart } from './cart-rows.ts'

/** Cart positions of one organizer in the JSON form of the API, with a fixed number of statements. */
export async function presentCarts(
  db: Queryable,
  organizer: number,
  rows: readonly RowData[],
): Promise<RowData[]> {
  const answersOf = (row: RowData) => row.answers as readonly StoredAnswer[]
  const known = await identifiers(db, organizer, rows.flatMap(answersOf))
  return rows.map((row) => ({
    ...Object.fromEntries(Object.keys(cartPosition.fields).map((name) => [name, row[name]])),
    datetime: shownInstant(String(row.datetime)),
    expires: shownInstant(String(row.expires)),
    answers: answersOf(row)
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
): Promise<RowData[]> {
  const rows = carts.flatMap(({ row, addons, bundled }) => [row, ...addons, ...bundled])
  const shown = new Map((await presentCarts(db, organizer, rows)).map((row) => [row.id, row]))
  const shownOf = (some: readonly RowData[]) => some.map(({ id }) => shown.get(id))
  return carts.map(({ row, addons, bundled }) => ({
    ...shown.get(row.id),
    addons: shownOf(addons),
    bundled: shownOf(bundled),
  }))
}
