import sql, { join } from 'sql-template-tag'
import type { ListCapacity } from '../../../schema/bodies/station-state.ts'
import type { JsonObject } from '../../../schema/fields.ts'
import { serverTranslator } from '../../../schema/texts/server.ts'
import { fullnessOf } from '../../domain/checkin/capacity.ts'
import type { Circumstances, Decision } from '../../domain/checkin/checkin.ts'
import { latestCheckin } from '../../domain/rules/facts.ts'
import { inLanguage } from '../../domain/text/multilingual.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { countsByProduct, entryCount, insideBySignature, insideCount } from './checkin-counts.ts'
import type { ListAt } from './checkin-lists.ts'
import type { ListedScan } from './redeem-input.ts'

interface ItemCells {
  readonly id: number
  readonly name: string
  readonly internal_name: string | null
  readonly admission: number
}

interface VariationCells {
  readonly id: number
  readonly item: number
  readonly value: string
}

/** How full an entrance is, in all and for each product and variation of the list, in the event's language. */
export async function listStatus(db: Queryable, organizer: number, list: ListAt): Promise<JsonObject> {
  const { facts, event } = list
  const text = (stored: string): string => inLanguage(JSON.parse(stored), event.locale)
  const products = await countsByProduct(db, organizer, facts)
  const chosen = facts.all_products
    ? sql`1 = 1`
    : facts.limit_products.length > 0
      ? sql`item.id IN (${join([...facts.limit_products])})`
      : sql`1 = 0`
  const items = await db.all<ItemCells>(
    sql`SELECT item.id, item.name, item.internal_name, item.admission FROM item
        LEFT JOIN category ON category.organizer = item.organizer AND category.id = item.category
        WHERE item.organizer = ${organizer} AND item.event = ${facts.event} AND ${chosen}
        ORDER BY category."position" ASC NULLS LAST, item."position", item.id`,
  )
  const variations = await db.all<VariationCells>(
    sql`SELECT id, item, value FROM variation WHERE organizer = ${organizer} AND event = ${facts.event} ORDER BY "position", id`,
  )
  const sum = (rows: readonly { positions: number; checkins: number }[]) => ({
    checkin_count: rows.reduce((total, row) => total + row.checkins, 0),
    position_count: rows.reduce((total, row) => total + row.positions, 0),
  })
  return {
    ...sum(products),
    inside_count: await insideCount(db, organizer, facts),
    event: { name: await nameOf(db, organizer, list, text) },
    items: items.map((item) => ({
      name: item.internal_name || text(item.name),
      id: item.id,
      admission: item.admission === 1,
      ...sum(products.filter((product) => product.item === item.id)),
      variations: variations
        .filter((variation) => variation.item === item.id)
        .map((variation) => ({
          value: text(variation.value),
          id: variation.id,
          ...sum(products.filter((product) => product.variation === variation.id)),
        })),
    })),
  }
}

/** The name of what the list is for: its date, or the whole event. */
async function nameOf(
  db: Queryable,
  organizer: number,
  list: ListAt,
  text: (stored: string) => string,
): Promise<string> {
  const { subevent, event } = list.facts
  const row =
    subevent === null
      ? await db.get<{ name: string }>(
          sql`SELECT name FROM event WHERE organizer = ${organizer} AND id = ${event}`,
        )
      : await db.get<{ name: string }>(
          sql`SELECT name FROM subevent WHERE organizer = ${organizer} AND id = ${subevent}`,
        )
  return row ? text(row.name) : ''
}

/**
 * How full the place behind a list is, with so many known tickets inside; undefined where there is room, or nobody has said
 * how many have.
 */
export async function capacityOf(
  db: Queryable,
  organizer: number,
  { facts, name, capacity, event }: ListAt,
  known: number,
): Promise<ListCapacity | undefined> {
  if (capacity === null) return undefined
  const inside = known + (await insideBySignature(db, organizer, facts.id))
  const fullness = fullnessOf(inside, capacity, event.settings.entrance_capacity_warning)
  return fullness === null ? undefined : { list: facts.id, name, inside, capacity, fullness }
}

/**
 * Why an entry is refused that the decision would admit: the place is full, and nobody more is let in there then. Whoever
 * is inside already takes no more room.
 */
export async function refusedAsFull(
  tx: Tx,
  { place, list, input }: ListedScan,
  { priorCheckins, locale }: Circumstances,
  decision: Decision,
): Promise<Decision> {
  const { capacity, event, facts } = list
  if (capacity === null || !event.settings.entrance_capacity_blocks) return decision
  if (decision.outcome === 'refuse' || input.force || input.type !== 'entry') return decision
  if (latestCheckin(priorCheckins)?.type === 'entry') return decision
  // Two last places are given out one after the other.
  if (tx.engine === 'postgres')
    await tx.get(
      sql`SELECT id FROM checkin_list WHERE organizer = ${place.organizer} AND id = ${facts.id}${tx.forUpdate}`,
    )
  // Most of an evening so few have come that nobody has to be counted one by one.
  if ((await entryCount(tx, place.organizer, facts.id)) < capacity) return decision
  const known = await insideCount(tx, place.organizer, facts)
  const inside = known + (await insideBySignature(tx, place.organizer, facts.id))
  if (inside < capacity) return decision
  const explanation = serverTranslator(locale)('rule.full', { inside, capacity })
  return { outcome: 'refuse', reason: 'rules', explanation }
}
