import sql, { join } from 'sql-template-tag'
import { isBefore } from '../../../schema/instants.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import type { PriceOverride, subevent } from '../../../schema/resources/events/subevent.ts'
import { isSoldThrough } from '../../domain/pricing/sold-through.ts'
import { availability, bestState, stateNumber } from '../../domain/quotas/quota-availability.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import type { Behaviour } from '../../resource/api.ts'
import { type Query, single } from '../../resource/query.ts'
import { findRows } from '../../resource/store.ts'
import type { Place, Transactions } from '../../resource/transactions.ts'
import { type Measuring, measureQuotas, measuringOn } from '../quotas/quota-availability.ts'
import { subeventBehaviour } from './subevent-behaviour.ts'

const channelIn = (query: Query): string => single(query, 'with_availability_for') ?? ''

/** What dates of a series must keep to, and what is left of them where a sales channel asks for that. */
export const subeventsOnSale = (transactions: Transactions): Behaviour<typeof subevent> => ({
  ...subeventBehaviour,
  isLive: (query) => channelIn(query) !== '',
  async present(db, scope, rows, query) {
    const channel = channelIn(query)
    const at = measuringOn(transactions, db)
    const stated = channel === '' ? rows : await withBestState(at, scope.place, channel, rows)
    return (await subeventBehaviour.present?.(db, scope, stated, query)) ?? stated
  },
})

/** What is on sale in a channel at a moment: items without variations, and variations, by their ids. */
interface OnSale {
  readonly items: ReadonlySet<number>
  readonly variations: ReadonlySet<number>
}

/** Dates as rows, each with the best that can be said of what is on sale on it in a sales channel. */
export async function withBestState<Date extends PriceOverrides & { readonly id: number }>(
  transactions: Measuring,
  place: Place,
  channel: string,
  dates: readonly Date[],
): Promise<(Date & { best_availability_state: number | null })[]> {
  if (dates.length === 0) return []
  const { database } = transactions
  const now = transactions.horizon()
  const quotas = await findRows(database, quota, place, {
    where: sql`subevent IN (${join(dates.map(({ id }) => id))})`,
  })
  const usage = await measureQuotas(transactions, place, quotas)
  const onSale = await findOnSale(transactions, place, channel, now)
  return dates.map((date) => {
    const own = quotas.filter((one) => one.subevent === date.id)
    const best = bestState(
      own.map((one) => ({
        state: availability(one, usage.get(one.id) ?? { paid: 0, pending: 0 }).state,
        products: productsOf(one, onSale, date),
      })),
    )
    return { ...date, best_availability_state: best === null ? null : stateNumber[best] }
  })
}

/** Where a date says something else about prices and what is on sale than its event. */
export type PriceOverrides = Pick<
  StoredRow<typeof subevent>,
  'item_price_overrides' | 'variation_price_overrides'
>

/** The products that a quota counts and that are on sale on a date. */
export function productsOf(one: QuotaFacts, onSale: OnSale, date: PriceOverrides): string[] {
  const off = (overrides: readonly PriceOverride[], key: 'item' | 'variation', id: number): boolean =>
    overrides.some((entry) => entry[key] === id && entry.disabled)
  const items = one.items.filter((id) => onSale.items.has(id) && !off(date.item_price_overrides, 'item', id))
  const forms = one.variations.filter(
    (id) => onSale.variations.has(id) && !off(date.variation_price_overrides, 'variation', id),
  )
  return [...items.map((id) => `item ${id}`), ...forms.map((id) => `variation ${id}`)]
}

/** What an item and a variation both say of when and where they are on sale. */
type OfferedProduct = Pick<
  StoredRow<typeof variation>,
  'active' | 'all_sales_channels' | 'sales_channels' | 'available_from' | 'available_until'
> & { readonly hide_without_voucher?: boolean }

/** What a customer of a sales channel could put into a cart, apart from add-ons and what needs a voucher to be seen. */
export async function findOnSale(
  { database }: Pick<Measuring, 'database'>,
  place: Place,
  channel: string,
  now: string,
): Promise<OnSale> {
  const addons = new Set(
    (await findRows(database, category, place)).filter((row) => row.is_addon).map((row) => row.id),
  )
  const sold = (row: OfferedProduct): boolean =>
    row.active && row.hide_without_voucher !== true && isSoldThrough(row, channel) && isInTime(row, now)
  const items = (await findRows(database, item, place)).filter(
    (row) => sold(row) && !row.require_bundling && !(row.category !== null && addons.has(row.category)),
  )
  const forms = await findRows(database, variation, place)
  const known = new Set(items.map(({ id }) => id))
  const formed = new Set(forms.map((form) => form.item))
  return {
    items: new Set(items.filter(({ id }) => !formed.has(id)).map(({ id }) => id)),
    variations: new Set(forms.filter((form) => sold(form) && known.has(form.item)).map(({ id }) => id)),
  }
}

const isInTime = ({ available_from: from, available_until: until }: OfferedProduct, now: string): boolean =>
  (from === null || !isBefore(now, from)) && (until === null || !isBefore(until, now))
