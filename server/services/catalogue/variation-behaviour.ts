import sql, { join } from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { contradictory, denied, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { countRows, findRows, lockRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { withChannels, withSentChannels } from '../events/sales-channels.ts'
import { isReversed } from '../input/time-order.ts'
import { refuseIfInCart } from './cart-use.ts'
import { membershipErrors } from './memberships.ts'
import { dropOverrides } from './price-overrides.ts'

/** What variations must keep to: an item has some for ever, or never. */
export const variationBehaviour: Behaviour<typeof variation> = {
  async prepare(tx, scope, change) {
    const { row: next, errors: unsold } = await withSentChannels(tx, scope.place, change)
    if (!change.before && (await countVariations(tx, scope.place, next.item)) === 0)
      throw denied('This item was made without variations, so it cannot have any.')
    const errors = { ...unsold, ...(await variationErrors(tx, scope.place, next)) }
    if (errors.non_field_errors) throw contradictory(...(errors.non_field_errors as string[]))
    if (Object.keys(errors).length > 0) throw invalid(errors)
    return next
  },
  async beforeDelete(tx, scope, row) {
    if ((await countVariations(tx, scope.place, row.item)) <= 1)
      throw denied('The last variation of an item cannot be deleted. Delete or deactivate the item instead.')
    await refuseIfInCart(tx, scope.place, 'variation', row.id)
    await dropOverrides(tx, scope.place, 'variation', [row.id])
  },
  present: (db, scope, rows) => shownVariations(db, scope.place, rows),
}

/** Variations with what is looked up for them: what they cost, and where they are sold. */
export const shownVariations = async (
  db: Queryable,
  place: Place,
  rows: readonly StoredRow<typeof variation>[],
) => withChannels(db, place.organizer, await withPrices(db, place, rows))

type VariationTimes = Pick<
  StoredRow<typeof variation>,
  'require_membership_types' | 'available_from' | 'available_until'
>

/** Complaints about a variation on its own. */
export const variationErrors = async (tx: Tx, place: Place, row: VariationTimes): Promise<FieldErrors> => ({
  ...(await membershipErrors(tx, place, row)),
  ...(isReversed(row, 'available_from', 'available_until')
    ? { non_field_errors: ['A variation cannot become unavailable before it is available.'] }
    : {}),
})

/** Variations with their effective price: their own, or else that of their item. */
export async function withPrices<V extends { readonly item: number; readonly default_price: string | null }>(
  db: Queryable,
  place: Place,
  variations: readonly V[],
): Promise<(V & { price: string | undefined })[]> {
  const ids = [...new Set(variations.map((row) => row.item))]
  if (ids.length === 0) return []
  const items = await findRows(db, item, place, { where: sql`id IN (${join(ids)})` })
  const prices = new Map(items.map((row) => [row.id, row.default_price]))
  return variations.map((row) => ({ ...row, price: row.default_price ?? prices.get(row.item) }))
}

/** How many variations an item has, which nobody else changes until the transaction ends. */
async function countVariations(tx: Tx, place: Place, of: number): Promise<number> {
  await lockRow(tx, item, place, { id: of })
  return countRows(tx, variation, place, sql`item = ${of}`)
}
