import sql from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import type { Resource } from '../../../schema/resource.ts'
import { voucher } from '../../../schema/resources/carts/voucher.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { discount } from '../../../schema/resources/catalogue/discount.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemMetaProperty } from '../../../schema/resources/catalogue/item-meta-property.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../../schema/resources/catalogue/question-option.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { taxRule } from '../../../schema/resources/catalogue/tax-rule.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { gate } from '../../../schema/resources/devices/gate.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { giftCard } from '../../../schema/resources/payments/gift-card.ts'
import { salesChannelIdentifiers } from '../../../schema/sales-channels.ts'
import { rulesWithIds } from '../../domain/demo/festival.ts'
import type { DemoGiftCard, DemoItem, DemoKey, DemoPlan } from '../../domain/demo/plan.ts'
import { hundredths } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { insertRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { recordChange } from '../payments/gift-card-transactions.ts'

/** The demo event without its orders, and the ids that the plan's keys have become. */
export interface DemoCatalogue {
  readonly place: Place
  readonly idOf: (resource: Resource, key: DemoKey) => number
  readonly optionOf: (question: DemoKey, identifier: string) => number
}

/** Rows that are being stored; a row with a key is found again by it. */
class Rows {
  readonly #tx: Tx
  readonly #ids = new Map<string, number>()

  constructor(tx: Tx) {
    this.#tx = tx
  }

  async add(resource: Resource, place: Place, key: DemoKey | null, values: JsonObject): Promise<number> {
    const id = this.#tx.nextId()
    if (key !== null) this.know(resource, key, id)
    await insertRow(this.#tx, resource, place, { ...blankRow(resource), ...values, id })
    return id
  }

  know(resource: Resource, key: DemoKey, id: number): void {
    this.#ids.set(`${resource.name}/${key}`, id)
  }

  idOf(resource: Resource, key: DemoKey): number {
    const id = this.#ids.get(`${resource.name}/${key}`)
    if (id === undefined) throw new Error(`The demo plan refers to "${key}", which it does not have.`)
    return id
  }
}

/** Stores everything of the plan but its orders; `values` are what is different about the event. */
export async function makeDemoCatalogue(
  tx: Tx,
  organizer: number,
  plan: DemoPlan,
  values: JsonObject,
): Promise<DemoCatalogue> {
  const rows = new Rows(tx)
  const items = (key: DemoKey): number => rows.idOf(item, key)
  const organizerPlace = { organizer, event: 0 }
  const own = await rows.add(event, organizerPlace, null, { ...plan.event, ...values })
  const place = { organizer, event: own }
  for (const { key, ...values } of plan.gates) {
    // Gates belong to the organizer, so an earlier demo may have brought them.
    const there = await tx.get<{ id: number }>(
      sql`SELECT id FROM gate WHERE organizer = ${organizer} AND identifier = ${values.identifier}`,
    )
    if (there) rows.know(gate, key, there.id)
    else await rows.add(gate, organizerPlace, key, values)
  }
  for (const [name, usual] of Object.entries(plan.event.item_meta_properties))
    await rows.add(itemMetaProperty, place, null, { name, default: usual })
  for (const { key, ...values } of plan.tax_rules) await rows.add(taxRule, place, key, values)
  for (const { key, ...values } of plan.categories) await rows.add(category, place, key, values)
  for (const one of plan.items) await addItem(rows, place, one)
  for (const { key, options, ...values } of plan.questions) {
    const id = await rows.add(question, place, key, { ...values, items: values.items.map(items) })
    for (const one of options)
      await rows.add(questionOption, place, `${key}/${one.identifier}`, { ...one, question: id })
  }
  for (const one of plan.quotas)
    await rows.add(quota, place, null, {
      ...one,
      items: one.items.map(items),
      variations: one.variations.map((key) => rows.idOf(variation, key)),
    })
  for (const one of plan.discounts)
    await rows.add(discount, place, null, {
      ...one,
      sales_channels: everyChannel,
      condition_all_products: false,
      condition_limit_products: one.condition_limit_products.map(items),
    })
  for (const one of plan.vouchers) await rows.add(voucher, place, null, { ...one, item: items(one.item) })
  for (const one of plan.gift_cards) await addGiftCard(tx, organizer, rows, one)
  for (const { key, ...values } of plan.checkin_lists)
    await rows.add(checkinList, place, key, {
      ...values,
      limit_products: values.limit_products.map(items),
      rules: rulesWithIds(values.rules, items),
    })
  return {
    place,
    idOf: (resource, key) => rows.idOf(resource, key),
    optionOf: (key, identifier) => rows.idOf(questionOption, `${key}/${identifier}`),
  }
}

/** Gift cards belong to the organizer, so an earlier demo may have brought them. */
async function addGiftCard(tx: Tx, organizer: number, rows: Rows, planned: DemoGiftCard): Promise<void> {
  const { secret, value } = planned
  const place = { organizer, event: 0 }
  const there = sql`SELECT id FROM gift_card WHERE organizer = ${organizer} AND secret = ${secret}`
  if (await tx.get(there)) return
  const id = await rows.add(giftCard, place, null, { ...planned })
  await recordChange(tx, place, id, { value: hundredths(value) })
}

const everyChannel = [...salesChannelIdentifiers]

async function addItem(rows: Rows, place: Place, planned: DemoItem): Promise<void> {
  const { key, variations, addons, ...values } = planned
  const id = await rows.add(item, place, key, {
    ...values,
    sales_channels: everyChannel,
    category: rows.idOf(category, values.category),
    tax_rule: rows.idOf(taxRule, values.tax_rule),
  })
  for (const { key: name, ...one } of variations)
    await rows.add(variation, place, name, { ...one, sales_channels: everyChannel, item: id })
  for (const one of addons)
    await rows.add(itemAddon, place, null, {
      ...one,
      item: id,
      addon_category: rows.idOf(category, one.addon_category),
    })
}
