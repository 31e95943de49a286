import sql, { type Sql } from 'sql-template-tag'
import type { Resource, StoredRow } from '../../../schema/resource.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { contradictory } from '../../errors.ts'
import type { Behaviour } from '../../resource/api.ts'
import { countRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** What the bundles of an item must keep to. */
export const bundleBehaviour: Behaviour<typeof itemBundle> = {
  async prepare(tx, scope, { next }) {
    const problem = await bundleProblem(tx, scope.place, next, next.item)
    if (problem) throw contradictory(problem)
    return next
  },
}

/**
 * What speaks against a bundle, or undefined: bundles are one level deep, and a variation is named exactly where there
 * are some. `base` is the item that the bundle belongs to, or null for one that is not stored yet.
 */
export async function bundleProblem(
  db: Queryable,
  place: Place,
  row: Pick<StoredRow<typeof itemBundle>, 'bundled_item' | 'bundled_variation'>,
  base: number | null,
): Promise<string | undefined> {
  const { bundled_item: bundled, bundled_variation: form } = row
  const any = async (resource: Resource, condition: Sql): Promise<boolean> =>
    (await countRows(db, resource, place, condition)) > 0
  if (bundled === base) return 'The bundled item must not be the same item as the bundling one.'
  if (await any(itemBundle, sql`item = ${bundled}`))
    return 'The bundled item must not have bundles on its own.'
  if (base !== null && (await any(itemBundle, sql`bundled_item = ${base}`)))
    return 'The item is bundled with another one, so it must not have bundles on its own.'
  const ofBundled = sql`item = ${bundled}`
  if (form === null)
    return (await any(variation, ofBundled)) ? 'A variation needs to be set for this item.' : undefined
  const fits = await any(variation, sql`${ofBundled} AND id = ${form}`)
  return fits ? undefined : 'The chosen variation does not belong to this item.'
}
