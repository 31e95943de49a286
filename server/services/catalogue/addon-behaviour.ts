import sql from 'sql-template-tag'
import type { StoredRow } from '../../../schema/resource.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { findRows, lockRow } from '../../resource/store.ts'

/** What the add-ons of an item must keep to. */
export const addonBehaviour: Behaviour<typeof itemAddon> = {
  async prepare(tx, scope, { next, before }) {
    const own = await lockRow(tx, item, scope.place, { id: next.item })
    const others = await findRows(tx, itemAddon, scope.place, {
      where: sql`item = ${next.item} AND id <> ${before?.id ?? 0}`,
    })
    const errors = addonErrors(next, others, own?.category ?? null)
    if (Object.keys(errors).length > 0) throw invalid(errors)
    return next
  },
}

type AddonLimits = Pick<StoredRow<typeof itemAddon>, 'addon_category' | 'min_count' | 'max_count'>

/** Complaints about an add-on, given the other ones of its item and the category that the item itself is in. */
export function addonErrors(
  row: AddonLimits,
  others: readonly AddonLimits[],
  ownCategory: number | null,
): FieldErrors {
  if (row.addon_category === ownCategory)
    return { addon_category: ['An item cannot be added to items of its own category.'] }
  if (others.some((other) => other.addon_category === row.addon_category))
    return { addon_category: ['The item already has an add-on of this category.'] }
  if (row.max_count < row.min_count)
    return { non_field_errors: ['The maximum count must not be smaller than the minimum count.'] }
  return {}
}
