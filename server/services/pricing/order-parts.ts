import sql, { join } from 'sql-template-tag'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** A product that comes with another one; the price is in hundredths, tax included. */
export interface BundledProduct {
  readonly item: number
  readonly variation: number | null
  readonly price: number
}

/** What products come with others, as far as prices depend on it. */
export interface ProductParts {
  /** The category of each item that has one. */
  readonly categories: ReadonlyMap<number, number>
  /** The categories whose products cost nothing as add-ons of an item. */
  readonly included: ReadonlyMap<number, ReadonlySet<number>>
  readonly bundles: ReadonlyMap<number, readonly BundledProduct[]>
}

const none: ProductParts = { categories: new Map(), included: new Map(), bundles: new Map() }

/** Loads what some items are combined of; nothing where no product is an add-on. */
export async function loadParts(
  db: Queryable,
  { organizer, event }: Place,
  lines: readonly { readonly item: number; readonly addon_to: number | null }[],
): Promise<ProductParts> {
  if (lines.every(({ addon_to }) => addon_to === null)) return none
  const items = join([...new Set(lines.map(({ item }) => item))])
  const inPlace = sql`organizer = ${organizer} AND event = ${event}`
  const categories = await db.all<{ id: number; category: number }>(
    sql`SELECT id, category FROM item WHERE ${inPlace} AND category IS NOT NULL AND id IN (${items})`,
  )
  const addons = await db.all<{ item: number; addon_category: number }>(
    sql`SELECT item, addon_category FROM item_addon WHERE ${inPlace} AND price_included = 1 AND item IN (${items})`,
  )
  const bundles = await db.all<{ item: number; id: number; variation: number | null; price: number }>(
    sql`SELECT item, bundled_item AS id, bundled_variation AS variation, designated_price AS price FROM item_bundle
        WHERE ${inPlace} AND item IN (${items}) ORDER BY id`,
  )
  const included = new Map<number, Set<number>>()
  for (const { item, addon_category } of addons)
    included.set(item, (included.get(item) ?? new Set()).add(addon_category))
  const bundled = new Map<number, BundledProduct[]>()
  for (const { item, id, variation, price } of bundles)
    bundled.set(item, [...(bundled.get(item) ?? []), { item: id, variation, price }])
  return { categories: new Map(categories.map((row) => [row.id, row.category])), included, bundles: bundled }
}
