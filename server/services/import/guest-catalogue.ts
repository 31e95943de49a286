import sql from 'sql-template-tag'
import type { ProductCatalogue } from '../../domain/guest-list/products.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** The products of an event by all their names, for matching what a guest list says. */
export async function guestCatalogue(
  db: Queryable,
  { organizer, event }: Place,
  defaultItem: number | null,
): Promise<ProductCatalogue> {
  const items = await db.all<{ id: number; name: string; internal_name: string | null }>(
    sql`SELECT id, name, internal_name FROM item WHERE organizer = ${organizer} AND event = ${event} ORDER BY "position", id`,
  )
  const variations = await db.all<{ id: number; item: number; value: string }>(
    sql`SELECT id, item, value FROM variation WHERE organizer = ${organizer} AND event = ${event} ORDER BY "position", id`,
  )
  const texts = (stored: string): string[] =>
    Object.values<string>(JSON.parse(stored)).filter((text) => text !== '')
  return {
    defaultItem,
    items: items.map((item) => ({
      id: item.id,
      names: [...texts(item.name), ...(item.internal_name ? [item.internal_name] : [])],
      variations: variations
        .filter((variation) => variation.item === item.id)
        .map((variation) => ({ id: variation.id, names: texts(variation.value) })),
    })),
  }
}
