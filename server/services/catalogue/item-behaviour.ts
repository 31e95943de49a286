import sql, { join, type Sql } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { Resource, StoredRow } from '../../../schema/resource.ts'
import type { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { taxRule } from '../../../schema/resources/catalogue/tax-rule.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { contradictory, type FieldErrors, invalid } from '../../errors.ts'
import type { Behaviour, RowChange, Scope } from '../../resource/api.ts'
import { hundredths } from '../../resource/codec.ts'
import { audienceOf, maskedRow } from '../../resource/mask.ts'
import { type Query, single } from '../../resource/query.ts'
import { findRow, findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { withChannels, withSentChannels } from '../events/sales-channels.ts'
import { saidIn } from '../input/json-filters.ts'
import { isReversed } from '../input/time-order.ts'
import { refuseIfInCart } from './cart-use.ts'
import { itemMetaErrors } from './item-meta-properties.ts'
import { checkParts, insertParts, partsIn } from './item-parts.ts'
import { chosenPicture, forgetPictures, keepPicture, withPicture } from './item-pictures.ts'
import { membershipErrors } from './memberships.ts'
import { dropOverrides } from './price-overrides.ts'
import { shownVariations } from './variation-behaviour.ts'

/** What items must keep to, and what is shown with them. */
export const itemBehaviour: Behaviour<typeof item> = {
  prepare: prepareItem,
  async afterWrite(tx, scope, { next: row, before, body }) {
    if (!before) await insertParts(tx, scope, row.id, body)
    await keepPicture(tx, scope, row, before)
  },
  async beforeDelete(tx, scope, row) {
    await refuseIfInCart(tx, scope.place, 'item', row.id)
    const forms = await findRows(tx, variation, scope.place, { where: sql`item = ${row.id}` })
    await dropOverrides(
      tx,
      scope.place,
      'variation',
      forms.map((form) => form.id),
    )
    await dropOverrides(tx, scope.place, 'item', [row.id])
    await forgetPictures(tx, scope.place.organizer, sql`${row.id}`)
  },
  conditions: (scope, query) => [...rateConditions(scope.place, query), ...nameConditions(query)],
  async present(db, scope, rows) {
    const { origin = '', organizer, event } = scope
    const site = { origin, organizer: organizer.slug, event: event?.slug ?? '' }
    const sold = await withChannels(db, organizer.id, rows)
    return (await withParts(db, scope, sold)).map((row) => withPicture(site, row))
  },
}

async function prepareItem(
  tx: Tx,
  scope: Scope,
  { next: given, before, body }: RowChange<typeof item>,
): Promise<StoredRow<typeof item>> {
  const [part] = before ? partsIn(body) : []
  if (part)
    throw contradictory(`Updating ${part} via PATCH/PUT is not supported. Please use the nested endpoint.`)
  const { row: next, errors: unsold } = await withSentChannels(tx, scope.place, { next: given, before, body })
  const personalized = isPersonalized(next, before, body)
  const errors: FieldErrors = {
    ...unsold,
    ...(await membershipErrors(tx, scope.place, next)),
    ...(await itemMetaErrors(tx, scope.place, next, before)),
  }
  const chosen = await chosenPicture(tx, scope, next, before)
  if ('errors' in chosen) Object.assign(errors, chosen.errors)
  if (Object.keys(errors).length > 0) throw invalid(errors)
  const problems = await itemProblems(tx, scope.place, { ...next, personalized })
  if (problems.length > 0) throw contradictory(...problems)
  if (!before) await checkParts(tx, scope, next, body)
  // What nobody sees without a voucher cannot be bought without one.
  const require_voucher = next.require_voucher || next.hide_without_voucher
  const picture = 'picture' in chosen ? chosen.picture : next.picture
  return { ...next, personalized, require_voucher, picture }
}

/** Whether tickets of an item have names: what admits somebody does where nothing is said, and nothing else can. */
function isPersonalized(
  next: StoredRow<typeof item>,
  before: StoredRow<typeof item> | undefined,
  body: JsonObject,
): boolean {
  if (Object.hasOwn(body, 'personalized')) return next.personalized
  return next.admission && (before ? before.personalized : true)
}

async function itemProblems(tx: Tx, place: Place, next: StoredRow<typeof item>): Promise<string[]> {
  const problems: string[] = []
  const { min_per_order: fewest, max_per_order: most } = next
  if (isReversed(next, 'available_from', 'available_until'))
    problems.push('An item cannot become unavailable before it is available.')
  if (typeof fewest === 'number' && typeof most === 'number' && most < fewest)
    problems.push('The maximum number per order must not be smaller than the minimum number per order.')
  if (next.personalized && !next.admission)
    problems.push('Only products that admit somebody can be personalized.')
  if (!next.issue_giftcard) return problems
  if (next.admission) problems.push('Gift card products cannot be admission products.')
  if ((await rateOf(tx, place, next.tax_rule)) > 0)
    problems.push('Gift card products cannot be taxed: what is bought with a card is.')
  return problems
}

async function rateOf(tx: Tx, place: Place, rule: unknown): Promise<number> {
  const row = rule === null ? undefined : await findRow(tx, taxRule, place, { id: Number(rule) })
  return row ? hundredths(row.rate) : 0
}

/** The condition of the `tax_rate` parameter; an item without a rule is not taxed. */
function rateConditions(place: Place, query: Query): Sql[] {
  const text = single(query, 'tax_rate')
  if (text === undefined || text === '') return []
  if (!/^\d{1,3}(\.\d{1,2}0*)?$/.test(text)) throw invalid({ tax_rate: ['Enter a number.'] })
  const rate = hundredths(text)
  const rules = sql`tax_rule IN (SELECT id FROM tax_rule WHERE organizer = ${place.organizer} AND event = ${place.event} AND rate = ${rate})`
  return [rate === 0 ? sql`(tax_rule IS NULL OR ${rules})` : rules]
}

/** The condition of the `search` parameter: a piece of the name in any language, or of the internal name. */
function nameConditions(query: Query): Sql[] {
  const words = single(query, 'search')
  return words ? [saidIn({ words, texts: [sql`name`], plain: [sql`internal_name`] })] : []
}

async function withParts<R extends StoredRow<typeof item>>(
  db: Queryable,
  { actor, place }: Scope,
  items: readonly R[],
) {
  if (items.length === 0) return []
  const audience = audienceOf(actor)
  const ids = items.map((row) => row.id)
  const of = <R extends Resource>(resource: R, order: Sql) =>
    findRows(db, resource, place, { where: sql`item IN (${join(ids)})`, order })
  const byPosition = sql`"position", id`
  const variations = await shownVariations(db, place, await of(variation, byPosition))
  const addons = await of(itemAddon, byPosition)
  const bundles = await of(itemBundle, sql`id`)
  const rates = new Map((await findRows(db, taxRule, place)).map((rule) => [rule.id, rule.rate]))
  return items.map((row) => {
    const own = (part: { readonly item: unknown }): boolean => part.item === row.id
    const forms = variations.filter(own)
    return {
      ...row,
      tax_rate: rates.get(Number(row.tax_rule)) ?? '0.00',
      has_variations: forms.length > 0,
      variations: forms.map(({ item: _, ...shown }) => maskedRow(variation, audience, shown)),
      addons: addons.filter(own).map(({ id: _, item: __, ...shown }) => shown),
      bundles: bundles
        .filter(own)
        .map(({ id: _, item: __, ...shown }) => maskedRow(itemBundle, audience, shown)),
    }
  })
}
