import sql, { join, type Sql } from 'sql-template-tag'
import { question } from '../../../schema/resources/catalogue/question.ts'
import type { PriceOverride } from '../../../schema/resources/events/subevent.ts'
import { listedPrice } from '../../domain/pricing/prices.ts'
import type { TaxRuleFacts } from '../../domain/pricing/taxes.ts'
import type { QuestionFacts } from '../../domain/questions/questions.ts'
import { hundredths } from '../../resource/codec.ts'
import { findRows } from '../../resource/store.ts'
import type { Place } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { questionFacts, withOptions } from '../catalogue/questions.ts'

/** An item as selling looks at it; the price is in hundredths. */
export interface ItemFacts {
  readonly id: number
  readonly active: boolean
  readonly default_price: number
  readonly tax_rule: number | null
  /** All of its variations; an item without any is sold as it is. */
  readonly variations: readonly { readonly id: number; readonly default_price: number | null }[]
}

/** A date of a series as selling looks at it. */
interface DateFacts {
  readonly id: number
  readonly items: readonly PriceOverride[]
  readonly variations: readonly PriceOverride[]
}

/** The part of an event's catalogue that some positions are about. */
export interface OrderCatalogue {
  readonly items: ReadonlyMap<number, ItemFacts>
  readonly subevents: ReadonlyMap<number, DateFacts>
  readonly taxRules: ReadonlyMap<number, TaxRuleFacts>
  readonly questions: ReadonlyMap<number, QuestionFacts>
  /** Files that answers may name, as they name them. */
  readonly files: ReadonlySet<string>
}

/** What positions point at. */
interface Wanted {
  readonly items: readonly number[]
  readonly subevents: readonly number[]
  readonly questions: readonly number[]
  readonly files?: ReadonlySet<string>
}

const byId = <T extends { readonly id: number }>(rows: readonly T[]): ReadonlyMap<number, T> =>
  new Map(rows.map((row) => [row.id, row]))

const among = (ids: readonly number[]): Sql => sql`id IN (${join([...new Set(ids)])})`

/** Loads what some positions point at; what does not exist in the event is missing. */
export async function loadCatalogue(db: Queryable, place: Place, wanted: Wanted): Promise<OrderCatalogue> {
  return {
    items: byId(await loadItems(db, place, wanted.items)),
    subevents: byId(await loadDates(db, place, wanted.subevents)),
    taxRules: byId(await loadTaxRules(db, place)),
    questions: byId(await loadQuestions(db, place, wanted.questions)),
    files: wanted.files ?? new Set(),
  }
}

const inPlace = (place: Place): Sql => sql`organizer = ${place.organizer} AND event = ${place.event}`

async function loadItems(db: Queryable, place: Place, ids: readonly number[]): Promise<ItemFacts[]> {
  if (ids.length === 0) return []
  const items = await db.all<{ id: number; active: number; default_price: number; tax_rule: number | null }>(
    sql`SELECT id, active, default_price, tax_rule FROM item WHERE ${inPlace(place)} AND ${among(ids)}`,
  )
  const variations = await db.all<{ id: number; item: number; default_price: number | null }>(
    sql`SELECT id, item, default_price FROM variation WHERE organizer = ${place.organizer} AND item IN (${join([...new Set(ids)])})`,
  )
  return items.map((item) => ({
    ...item,
    active: item.active === 1,
    variations: variations.filter((variation) => variation.item === item.id),
  }))
}

async function loadDates(db: Queryable, place: Place, ids: readonly number[]): Promise<DateFacts[]> {
  if (ids.length === 0) return []
  const rows = await db.all<{ id: number; items: string; variations: string }>(
    sql`SELECT id, item_price_overrides AS items, variation_price_overrides AS variations FROM subevent
        WHERE ${inPlace(place)} AND ${among(ids)}`,
  )
  return rows.map((row) => ({
    id: row.id,
    items: JSON.parse(row.items),
    variations: JSON.parse(row.variations),
  }))
}

async function loadTaxRules(db: Queryable, place: Place): Promise<TaxRuleFacts[]> {
  const rows = await db.all<{ id: number; rate: number; home_country: string } & Record<string, number>>(
    sql`SELECT id, rate, home_country, price_includes_tax, eu_reverse_charge, keep_gross_if_rate_changes FROM tax_rule
        WHERE ${inPlace(place)}`,
  )
  return rows.map((row) => ({
    id: row.id,
    rate: row.rate,
    home_country: row.home_country,
    price_includes_tax: row.price_includes_tax === 1,
    eu_reverse_charge: row.eu_reverse_charge === 1,
    keep_gross_if_rate_changes: row.keep_gross_if_rate_changes === 1,
  }))
}

async function loadQuestions(db: Queryable, place: Place, ids: readonly number[]): Promise<QuestionFacts[]> {
  if (ids.length === 0) return []
  const rows = await findRows(db, question, place, { where: among(ids) })
  return (await withOptions(db, place, rows)).map(questionFacts)
}

/** What is different on a date for an item or, where one is meant, its variation. */
function overridesOn(date: DateFacts | undefined, item: number, variation: number | null) {
  return {
    item: date?.items.find((one) => one.item === item),
    variation: variation === null ? undefined : date?.variations.find((one) => one.variation === variation),
  }
}

const priceOf = (override: PriceOverride | undefined): number | null =>
  typeof override?.price === 'string' ? hundredths(override.price) : null

/** The listed price of an item or one of its variations, on a date or without one, in hundredths. */
export function listedPriceOf(
  { subevents }: OrderCatalogue,
  item: ItemFacts,
  variation: number | null,
  subevent: number | null,
): number {
  const on = overridesOn(subevent === null ? undefined : subevents.get(subevent), item.id, variation)
  return listedPrice({
    item: item.default_price,
    itemOnDate: priceOf(on.item),
    variation: item.variations.find((one) => one.id === variation)?.default_price ?? null,
    variationOnDate: priceOf(on.variation),
  })
}

/** Whether an item or variation is not sold on a date. */
export function isDisabledOn(
  { subevents }: OrderCatalogue,
  item: number,
  variation: number | null,
  subevent: number | null,
): boolean {
  const on = overridesOn(subevent === null ? undefined : subevents.get(subevent), item, variation)
  return on.item?.disabled === true || on.variation?.disabled === true
}
