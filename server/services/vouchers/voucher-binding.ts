import sql, { join } from 'sql-template-tag'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import type { VoucherFacts } from '../../domain/pricing/vouchers.ts'
import type { Scope } from '../../resource/api.ts'
import { findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

interface ItemFacts {
  readonly isBundledOnly: boolean
  readonly isAddon: boolean
  readonly variations: ReadonlySet<number>
}

/** What vouchers may be bound to, as far as some of them are. */
export interface Bindable {
  readonly items: ReadonlyMap<number, ItemFacts>
  /** The date of each quota. */
  readonly quotas: ReadonlyMap<number, number | null>
}

const idsOf = (ids: readonly (number | null)[]): number[] => [...new Set(ids.filter((id) => id !== null))]

/** Loads what some vouchers are bound to. */
export async function loadBindable(
  db: Queryable,
  place: Place,
  vouchers: readonly Pick<VoucherFacts, 'item' | 'quota'>[],
): Promise<Bindable> {
  const items = idsOf(vouchers.map((one) => one.item))
  const quotas = idsOf(vouchers.map((one) => one.quota))
  const rows =
    items.length === 0 ? [] : await findRows(db, item, place, { where: sql`id IN (${join(items)})` })
  const forms =
    items.length === 0 ? [] : await findRows(db, variation, place, { where: sql`item IN (${join(items)})` })
  const categories = idsOf(rows.map((row) => row.category))
  const found =
    categories.length === 0
      ? []
      : await findRows(db, category, place, { where: sql`id IN (${join(categories)})` })
  const addonCategories = new Set(found.filter((row) => row.is_addon).map((row) => row.id))
  const dated =
    quotas.length === 0 ? [] : await findRows(db, quota, place, { where: sql`id IN (${join(quotas)})` })
  return {
    items: new Map(
      rows.map((row) => [
        row.id,
        {
          isBundledOnly: row.require_bundling,
          isAddon: row.category !== null && addonCategories.has(row.category),
          variations: new Set(forms.filter((form) => form.item === row.id).map((form) => form.id)),
        },
      ]),
    ),
    quotas: new Map(dated.map((row) => [row.id, row.subevent])),
  }
}

/** What speaks against what a voucher is bound to, the first thing of all. */
export const bindingProblem = (scope: Scope, voucher: VoucherFacts, bindable: Bindable): string | undefined =>
  productProblem(voucher, bindable) ?? dateProblem(scope, voucher, bindable)

function productProblem(
  { item: product, variation: form, quota: limit, block_quota }: VoucherFacts,
  { items }: Bindable,
): string | undefined {
  if (limit !== null)
    return product === null && form === null
      ? undefined
      : 'A voucher is valid for the products of a quota or for one product, not for both.'
  if (product === null) {
    if (block_quota) return 'Name a product or a quota if this voucher should block quota.'
    return form === null ? undefined : 'A variation can only be named together with its product.'
  }
  const facts = items.get(product)
  if (facts?.isBundledOnly) return 'This product is only sold as part of others, so no voucher can be for it.'
  if (facts?.isAddon) return 'This product is an add-on, so no voucher can be for it.'
  if (form !== null && !facts?.variations.has(form)) return 'This variation does not belong to this product.'
  if (block_quota && form === null && facts && facts.variations.size > 0)
    return 'Name a variation of this product if this voucher should block quota: each may have a quota of its own.'
  return undefined
}

function dateProblem(
  scope: Scope,
  { subevent, block_quota, quota: limit }: VoucherFacts,
  { quotas }: Bindable,
): string | undefined {
  const isSeries = scope.event?.hasSubevents === true
  if (!isSeries) return subevent === null ? undefined : 'Only vouchers of an event series belong to a date.'
  if (!block_quota) return undefined
  if (subevent === null) return 'Name a date if this voucher should block quota.'
  // It would keep nothing free, while it seems to.
  return limit !== null && quotas.get(limit) !== subevent
    ? 'The quota that this voucher should block belongs to another date.'
    : undefined
}

/** What speaks against the numbers of a voucher. */
export function usageProblem({ max_usages, min_usages, redeemed }: VoucherFacts): string | undefined {
  if (max_usages < redeemed)
    return `This voucher was redeemed ${redeemed} times already, so it cannot be limited to fewer.`
  if (max_usages < min_usages)
    return 'The maximum number of usages must not be lower than the minimum number of usages.'
  return undefined
}
