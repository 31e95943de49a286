import sql, { join } from 'sql-template-tag'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import type { VoucherFacts } from '../../domain/pricing/vouchers.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { isSeated } from '../catalogue/seats.ts'
import { storedCode } from '../codes/voucher-codes.ts'
import { channelNames } from '../events/sales-channels.ts'
import { loadCatalogue, type OrderCatalogue } from '../pricing/order-catalogue.ts'
import { quotasOf } from '../quotas/quota-usage.ts'
import { voucherFacts } from '../vouchers/voucher-redeem.ts'
import type { CartInput } from './cart-input.ts'

/** What cart positions are checked against, loaded for all that are created together. */
export interface CartCatalogue extends OrderCatalogue {
  /** By their stored codes. */
  readonly vouchers: ReadonlyMap<string, VoucherFacts>
  /** The quotas that some of these vouchers name. */
  readonly quotas: readonly QuotaFacts[]
  /** The category of each item that may come with another one. */
  readonly categories: ReadonlyMap<number, number | null>
  /** The categories that add-ons of an item may be of. */
  readonly addons: ReadonlyMap<number, ReadonlySet<number>>
  /** What comes with an item. */
  readonly bundles: ReadonlyMap<
    number,
    readonly { readonly item: number; readonly variation: number | null }[]
  >
  /** The sales channels of the organizer. */
  readonly channels: ReadonlySet<string>
  /** Whether an item is sold with a seat on a date, by `date/item`. */
  readonly seated: ReadonlySet<string>
}

/** The key of an item on a date in `seated`. */
export const seatedKey = (date: number | null, id: number): string => `${date}/${id}`

const unique = (ids: readonly number[]): number[] => [...new Set(ids)]

/** Loads what some cart positions point at; what does not exist in the event is missing. */
export async function loadCartCatalogue(
  tx: Tx,
  place: Place,
  carts: readonly CartInput[],
): Promise<CartCatalogue> {
  const lines = carts.flatMap((cart) => [cart, ...cart.addons, ...cart.bundled])
  const catalogue = await loadCatalogue(tx, place, {
    items: lines.map((line) => line.item),
    subevents: lines.flatMap(({ subevent }) => subevent ?? []),
    questions: lines.flatMap(({ answers }) => answers.map(({ question }) => question)),
  })
  const vouchers = await loadVouchers(
    tx,
    place,
    carts.flatMap((cart) => cart.voucher ?? []),
  )
  const quotas = [...vouchers.values()].some((one) => one.quota !== null) ? await quotasOf(tx, place) : []
  return {
    ...catalogue,
    vouchers,
    quotas,
    ...(await loadParts(tx, place, carts)),
    channels: await channelNames(tx, place.organizer),
    seated: await findSeated(tx, place, lines),
  }
}

async function loadVouchers(
  tx: Tx,
  place: Place,
  codes: readonly string[],
): Promise<Map<string, VoucherFacts>> {
  if (codes.length === 0) return new Map()
  const rows = await findRows(tx, voucher, place, { where: sql`code IN (${join(codes.map(storedCode))})` })
  return new Map(rows.map((row) => [row.code, voucherFacts(row)]))
}

async function loadParts(tx: Tx, place: Place, carts: readonly CartInput[]) {
  const bases = (name: 'addons' | 'bundled') =>
    unique(carts.flatMap((cart) => (cart[name].length > 0 ? [cart.item] : [])))
  const [withAddons, withBundles] = [bases('addons'), bases('bundled')]
  const added = unique(carts.flatMap((cart) => cart.addons.map((line) => line.item)))
  const addons = new Map(withAddons.map((id) => [id, new Set<number>()]))
  const categories = new Map<number, number | null>()
  if (added.length > 0) {
    for (const row of await findRows(tx, item, place, { where: sql`id IN (${join(added)})` }))
      categories.set(row.id, row.category)
    for (const row of await findRows(tx, itemAddon, place, { where: sql`item IN (${join(withAddons)})` }))
      addons.get(row.item)?.add(row.addon_category)
  }
  const bundles = new Map(withBundles.map((id) => [id, [] as { item: number; variation: number | null }[]]))
  if (withBundles.length > 0)
    for (const row of await findRows(tx, itemBundle, place, { where: sql`item IN (${join(withBundles)})` }))
      bundles.get(row.item)?.push({ item: row.bundled_item, variation: row.bundled_variation })
  return { categories, addons, bundles }
}

async function findSeated(
  tx: Tx,
  place: Place,
  lines: readonly { readonly item: number; readonly subevent: number | null }[],
): Promise<Set<string>> {
  const seated = new Set<string>()
  const asked = new Set<string>()
  for (const { item: id, subevent } of lines) {
    const key = seatedKey(subevent, id)
    if (asked.has(key)) continue
    asked.add(key)
    if (await isSeated(tx, place, subevent, id)) seated.add(key)
  }
  return seated
}
