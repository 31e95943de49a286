import sql, { join, type Sql } from 'sql-template-tag'
import type {
  AddonChoice,
  BundledProduct,
  SaleCatalogue,
  SoldDate,
  SoldProduct,
} from '../../../schema/bodies/sale-catalogue.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { mayPayLater } from '../../domain/orders/invoices.ts'
import { smallestAmount } from '../../domain/pricing/rounding.ts'
import { isSoldThrough, type SoldThrough } from '../../domain/pricing/sold-through.ts'
import { chargedPrice } from '../../domain/pricing/taxes.ts'
import { budgetLeft, priceWithVoucher } from '../../domain/pricing/vouchers.ts'
import {
  type Availability,
  availability,
  leastOf,
  leftTogether,
} from '../../domain/quotas/quota-availability.ts'
import { counts, type ProductLine, type QuotaFacts } from '../../domain/quotas/quotas.ts'
import type { EventFacts } from '../../resource/api.ts'
import { amountOf } from '../../resource/codec.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { seatedItems } from '../catalogue/seats.ts'
import { readHolder, readLeasedStock } from '../quotas/lease-holder.ts'
import { nothingTaken, quotasOf, quotaUsage } from '../quotas/quota-usage.ts'
import {
  type ItemFacts,
  isDisabledOn,
  listedPriceOf,
  loadCatalogue,
  type OrderCatalogue,
} from './order-catalogue.ts'
import { askedAtSale } from './sale-questions.ts'
import { isSoldWith, leftWith, type TillVoucher } from './sale-voucher.ts'
import { bundlesOf, leftWithBundles } from './sold-bundles.ts'

/** The sales channel of whoever sells at a till. */
export const tillChannel = 'boxoffice'

/** How long a date is still sold after it has begun, in milliseconds. */
const soldAfterStart = 24 * 3_600_000

/** What is asked for: an event, a date of it, and what the node may sell. */
interface Wanted {
  readonly event: EventFacts
  /** The moment at which it is sold: 27 characters, UTC. */
  readonly now: string
  /** The next date where this is none that is sold. */
  readonly wanted: number | null
  /** How many of each quota this node may sell without asking; null where it asks nobody. */
  readonly leased: ReadonlyMap<number, number> | null
  /** Whether the upstream server can be asked for no more than that. */
  readonly isOffline: boolean
  /** What somebody wants to redeem; null for nothing. */
  readonly voucher: TillVoucher | null
}

/** What a till sells of an event now, in the order of categories and positions, with what is left to sell here. */
export async function saleCatalogue(
  db: Queryable,
  place: Place,
  asked: Wanted,
): Promise<Omit<SaleCatalogue, 'drawer' | 'other_drawers'>> {
  const { event, wanted, now, voucher } = asked
  const dates = event.hasSubevents ? await soldDates(db, place, now) : []
  const date = dates.find(({ id }) => id === wanted) ?? dates[0] ?? null
  const categories = await findRows(db, category, place, { order: sql`position, id` })
  return {
    currency: event.currency,
    subevent: date?.id ?? null,
    dates,
    categories: categories.map(({ id, name, is_addon }) => ({ id, name, is_addon })),
    ...(await askedAtSale(db, place, event)),
    pays_later: mayPayLater(event.settings, tillChannel),
    products:
      event.hasSubevents && !date ? [] : await soldProducts(db, place, { ...asked, date: date?.id ?? null }),
    voucher: voucher && { code: voucher.facts.code, uses_left: voucher.left },
  }
}

async function soldDates(db: Queryable, place: Place, now: string): Promise<SoldDate[]> {
  const since = new Date(Date.parse(now) - soldAfterStart).toISOString()
  const rows = await findRows(db, subevent, place, {
    where: sql`active = 1 AND coalesce(date_to, date_from) >= ${since}`,
    order: sql`date_from, id`,
  })
  return rows.map(({ id, name, date_from }) => ({ id, name, date_from }))
}

/** On sale at a moment; what is hidden shows to whoever has a voucher that says so. */
function onSale(now: string, voucher: TillVoucher | null): Sql {
  const hidden = voucher?.facts.show_hidden_items ? sql`` : sql` AND hide_without_voucher = 0`
  return sql`active = 1 AND (available_from IS NULL OR available_from <= ${now})
      AND (available_until IS NULL OR available_until >= ${now})${hidden}`
}

const atTill = <T extends SoldThrough>(rows: readonly T[]): T[] =>
  rows.filter((row) => isSoldThrough(row, tillChannel))

async function soldProducts(
  db: Queryable,
  place: Place,
  asked: Wanted & { readonly date: number | null },
): Promise<SoldProduct[]> {
  const { event, now, date, voucher } = asked
  const unasked = voucher ? sql`` : sql` AND require_voucher = 0`
  const where = sql`${onSale(now, voucher)}${unasked} AND require_bundling = 0`
  const items = atTill(await findRows(db, item, place, { where, order: sql`position, id` }))
  if (items.length === 0) return []
  const ids = items.map(({ id }) => id)
  const among = sql`item IN (${join(ids)})`
  const variations = atTill(
    await findRows(db, variation, place, {
      where: sql`${onSale(now, voucher)} AND ${among}`,
      order: sql`position, id`,
    }),
  )
  const addons = await findRows(db, itemAddon, place, { where: among, order: sql`position, id` })
  const subevents = date === null ? [] : [date]
  const catalogue = await loadCatalogue(db, place, { items: ids, subevents, questions: [] })
  const quotas = await leftOfQuotas(db, place, asked)
  const bundles = await bundlesOf(db, place, ids)
  const terms = { catalogue, quotas, bundles, date, voucher, step: smallestAmount(event.currency) }
  const seated = await seatedItems(db, place, date)
  return items.flatMap((row): SoldProduct[] => {
    const facts = catalogue.items.get(row.id)
    const own = facts && tagOf(terms, facts, null)
    if (!facts || (!own && facts.variations.length === 0)) return []
    const forms = variations.flatMap((form) => {
      const tag = form.item === row.id ? tagOf(terms, facts, form.id) : null
      return tag ? [{ id: form.id, name: form.value, ...tag }] : []
    })
    if (facts.variations.length > 0 && forms.length === 0) return []
    return [
      {
        id: row.id,
        name: row.name,
        category: row.category,
        max_per_order: row.max_per_order,
        seated: seated.has(row.id),
        free_price: row.free_price,
        personalized: row.admission && row.personalized,
        ...(own ?? { price: forms[0]?.price ?? row.default_price, left: leftOfForms(terms, row.id, forms) }),
        variations: forms,
        addons: addons.filter((one) => one.item === row.id).map(addonChoice),
        bundles: [...(bundles.get(row.id) ?? [])],
      },
    ]
  })
}

const addonChoice = (row: StoredRow<typeof itemAddon>): AddonChoice => ({
  category: row.addon_category,
  min_count: row.min_count,
  max_count: row.max_count,
  multi_allowed: row.multi_allowed,
  price_included: row.price_included,
})

/** What prices and stocks depend on. */
interface Terms {
  readonly catalogue: OrderCatalogue
  readonly quotas: ReadonlyMap<QuotaFacts, Availability>
  readonly bundles: ReadonlyMap<number, readonly BundledProduct[]>
  readonly date: number | null
  readonly voucher: TillVoucher | null
  /** The smallest amount of the currency, in hundredths. */
  readonly step: number
}

/** What a product costs and how many are left, or null where it is not sold. */
function tagOf(
  { catalogue, quotas, bundles, date, voucher, step }: Terms,
  facts: ItemFacts,
  form: number | null,
): { readonly price: string; readonly left: number | null } | null {
  if ((form === null) !== (facts.variations.length === 0)) return null
  if (isDisabledOn(catalogue, facts.id, form, date)) return null
  const line = { item: facts.id, variation: form, subevent: date }
  const counting = stocksOf(quotas, line)
  if (counting.length === 0 || (voucher && !isSoldWith(voucher, line, quotas.keys()))) return null
  const rule = catalogue.taxRules.get(facts.tax_rule ?? 0) ?? null
  const listed = listedPriceOf(catalogue, facts, form, date)
  const wanted = voucher ? priceWithVoucher(listed, voucher.facts, step, budgetLeft(voucher.facts)) : listed
  const { price } = chargedPrice(wanted, rule, null, step)
  const own = leastOf(counting).number
  const number = lesser(own, leftWithBundles(quotas, line, bundles.get(facts.id) ?? []))
  return { price: amountOf(price), left: voucher ? leftWith(voucher, number) : number }
}

/** The smaller of two numbers, each null for no limit. */
const lesser = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other)

/** What is left of each quota that counts a product. */
const stocksOf = (quotas: Terms['quotas'], line: ProductLine): readonly Availability[] =>
  [...quotas].filter(([quota]) => counts(quota, line)).map(([, stock]) => stock)

/** How many of a product are left, whichever of its forms they take; null where there is no limit. */
const leftOfForms = (
  { quotas, bundles, date, voucher }: Terms,
  item: number,
  forms: readonly { readonly id: number; readonly left: number | null }[],
) => {
  if (voucher) return Math.max(...forms.map(({ left }) => left ?? voucher.left))
  const lines = forms.map(({ id }) => ({ item, variation: id, subevent: date }))
  const own = leftTogether(
    lines.map((line) => stocksOf(quotas, line)),
    ({ number }) => number,
  )
  const together = lines.map((line) => leftWithBundles(quotas, line, bundles.get(item) ?? []))
  return lesser(own, together.includes(null) ? null : Math.max(...together.map(Number)))
}

/** How many of each quota of an event this node may sell without asking; null on a node that asks nobody. */
export async function leasedHere(tx: Tx, place: Place): Promise<Wanted['leased']> {
  const holder = tx.site === 0 ? undefined : await readHolder(tx)
  if (!holder) return null
  const ids = (await quotasOf(tx, place)).map(({ id }) => id)
  const { own } = await readLeasedStock(tx, holder, ids)
  const free = new Map<number, number>()
  for (const lease of own) free.set(lease.quota, (free.get(lease.quota) ?? 0) + lease.free)
  return free
}

/**
 * What is left of the quotas of a date. On a node below another one, what it may sell without asking is left to it,
 * beside what nobody has taken as far as it knows while it can ask for that.
 */
async function leftOfQuotas(
  db: Queryable,
  place: Place,
  { now, date, leased, isOffline }: Omit<Wanted, 'wanted' | 'voucher'> & { readonly date: number | null },
): Promise<Terms['quotas']> {
  const quotas = (await quotasOf(db, place)).filter((one) => one.subevent === date)
  const usage = await quotaUsage(db, place, quotas, now)
  return new Map(
    quotas.map((one) => {
      const own = leased?.get(one.id) ?? 0
      if (leased && isOffline && one.size !== null)
        return [one, { state: own > 0 ? 'available' : 'reserved', number: own }]
      const used = usage.get(one.id) ?? nothingTaken
      return [one, availability(one, { ...used, leased: Math.max(0, (used.leased ?? 0) - own) })]
    }),
  )
}
