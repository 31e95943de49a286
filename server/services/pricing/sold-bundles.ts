import sql, { join } from 'sql-template-tag'
import type { BundledProduct } from '../../../schema/bodies/sale-catalogue.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import type { Availability } from '../../domain/quotas/quota-availability.ts'
import { counts, type ProductLine, type QuotaFacts } from '../../domain/quotas/quotas.ts'
import { findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** What some products come with, by their ids. */
export async function bundlesOf(
  db: Queryable,
  place: Place,
  items: readonly number[],
): Promise<ReadonlyMap<number, readonly BundledProduct[]>> {
  const bundles = await findRows(db, itemBundle, place, {
    where: sql`item IN (${join([...items])})`,
    order: sql`id`,
  })
  if (bundles.length === 0) return new Map()
  const products = await findRows(db, item, place, {
    where: sql`id IN (${join(bundles.map(({ bundled_item }) => bundled_item))})`,
  })
  const forms = await findRows(db, variation, place, {
    where: sql`item IN (${join(bundles.map(({ bundled_item }) => bundled_item))})`,
  })
  const byItem = Map.groupBy(bundles, ({ item: base }) => base)
  return new Map(
    [...byItem].map(([base, rows]) => [
      base,
      rows.flatMap(({ bundled_item, bundled_variation, count }): BundledProduct[] => {
        const product = products.find(({ id }) => id === bundled_item)
        const form = forms.find(({ id }) => id === bundled_variation)
        if (!product) return []
        const { id, name, admission, personalized } = product
        return [
          {
            ...{ product: id, variation: bundled_variation, count },
            ...{ name, variation_name: form?.value ?? null, personalized: admission && personalized },
          },
        ]
      }),
    ]),
  )
}

/**
 * How many of a product its stock allows together with what it comes with: each quota gives as many as all of them need of
 * it. Null where there is no limit; 0 where something of it is in no quota.
 */
export function leftWithBundles(
  quotas: ReadonlyMap<QuotaFacts, Availability>,
  line: ProductLine,
  bundles: readonly BundledProduct[],
): number | null {
  const parts = bundles.map(({ product, variation: form, count }) => ({
    line: { item: product, variation: form, subevent: line.subevent },
    count,
  }))
  const isInNone = parts.some((part) => ![...quotas.keys()].some((quota) => counts(quota, part.line)))
  if (isInNone) return 0
  const limits = [...quotas].flatMap(([quota, { number }]) => {
    const bundled = parts.reduce((sum, part) => sum + (counts(quota, part.line) ? part.count : 0), 0)
    if (bundled === 0 || number === null) return []
    return [Math.floor(number / (bundled + (counts(quota, line) ? 1 : 0)))]
  })
  return limits.length === 0 ? null : Math.min(...limits)
}
