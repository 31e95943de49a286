import sql, { join } from 'sql-template-tag'
import { item } from '../../../schema/resources/catalogue/item.ts'
import type { FieldErrors } from '../../errors.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { arrangeSeats, layoutOf, type Seating } from './seat-arrangement.ts'

type Mapping = Seating['seat_category_mapping']

/** What an event or date that is about to be stored says about its seats, or what is wrong with it. */
type SeatingAnswer = { readonly errors: FieldErrors } | { readonly mapping: Mapping }

/**
 * Checks the plan of an event, or of a date of it, and what is sold for its categories. Only what was changed is looked
 * at: items of another event. Categories that the plan does not have stay, as a later one may have them again.
 */
export async function checkSeating(
  tx: Tx,
  place: Place,
  next: Seating,
  before: Seating | undefined,
): Promise<SeatingAnswer> {
  const plan = next.seating_plan
  const mapping = next.seat_category_mapping
  const isNewPlan = plan !== (before?.seating_plan ?? null)
  const isNewMapping = JSON.stringify(mapping) !== JSON.stringify(before?.seat_category_mapping ?? {})
  if (!isNewPlan && !isNewMapping) return { mapping }
  const layout = plan === null ? undefined : await layoutOf(tx, place.organizer, plan)
  if (plan !== null && !layout)
    return { errors: { seating_plan: [`Invalid pk "${plan}" - object does not exist.`] } }
  if (!layout) return { mapping: {} }
  if (!isNewMapping) return { mapping }
  const problems = await unknownItems(tx, place, Object.values(mapping))
  return problems.length > 0 ? { errors: { seat_category_mapping: problems } } : { mapping }
}

async function unknownItems(tx: Tx, place: Place, ids: readonly (number | null)[]): Promise<string[]> {
  const wanted = [...new Set(ids.filter((id) => id !== null))]
  if (wanted.length === 0) return []
  const found = await findRows(tx, item, place, { where: sql`id IN (${join(wanted)})` })
  const known = new Set(found.map((row) => row.id))
  return wanted.filter((id) => !known.has(id)).map((id) => `Invalid pk "${id}" - object does not exist.`)
}

/** Makes the seats of an event or date what it says about them, if it says something new. */
export async function followSeating(
  tx: Tx,
  place: Place,
  date: number | null,
  { next, before }: { readonly next: Seating; readonly before: Seating | undefined },
): Promise<void> {
  const said = (of: Seating | undefined) =>
    JSON.stringify([of?.seating_plan ?? null, of?.seat_category_mapping ?? {}])
  if (said(next) !== said(before)) await arrangeSeats(tx, place, date, next)
}
