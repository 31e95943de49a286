import sql from 'sql-template-tag'
import { type JsonObject, marksOf } from '../../../schema/fields.ts'
import type { PageElement } from '../../../schema/page-elements.ts'
import type { Resource, StoredRow } from '../../../schema/resource.ts'
import { category } from '../../../schema/resources/catalogue/category.ts'
import { discount } from '../../../schema/resources/catalogue/discount.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { itemAddon } from '../../../schema/resources/catalogue/item-addon.ts'
import { itemBundle } from '../../../schema/resources/catalogue/item-bundle.ts'
import { itemMetaProperty } from '../../../schema/resources/catalogue/item-meta-property.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../../schema/resources/catalogue/question-option.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { taxRule } from '../../../schema/resources/catalogue/tax-rule.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { autoCheckinRule } from '../../../schema/resources/checkin/auto-checkin-rule.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { event } from '../../../schema/resources/events/event.ts'
import { badgeItem } from '../../../schema/resources/layouts/badge-item.ts'
import { badgeLayout } from '../../../schema/resources/layouts/badge-layout.ts'
import { ticketLayout } from '../../../schema/resources/layouts/ticket-layout.ts'
import { ticketLayoutItem } from '../../../schema/resources/layouts/ticket-layout-item.ts'
import { withOtherIds } from '../../domain/rules/rules.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Scope } from '../../resource/api.ts'
import { settled } from '../../resource/codec.ts'
import { blankRow } from '../../resource/defaults.ts'
import { readBody } from '../../resource/input.ts'
import { findRow, findRows, insertRow, insertRows, storedFields, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { followItemMeta } from '../catalogue/item-meta-properties.ts'
import { copyPicture } from '../catalogue/item-pictures.ts'
import { letCreatorIn } from '../events/event-limits.ts'
import { withChannels } from '../events/sales-channels.ts'
import { copyBackground } from '../layouts/layout-backgrounds.ts'
import { withOtherQuestions } from '../layouts/layout-elements.ts'
import { prepareEvent } from './event-behaviour.ts'

/** What an event takes over from the one it is made after, unless the request says something else. */
const inherited = [
  'testmode',
  'is_public',
  'currency',
  'has_subevents',
  'meta_data',
  'plugins',
  'timezone',
  'item_meta_properties',
] as const

/** The two spellings of where an event is sold: whoever sends one of them takes nothing over. */
const channelFields = ['sales_channels', 'all_sales_channels', 'limit_sales_channels'] as const

/** What is copied with an event, each after what it points at. */
const copied: readonly Resource[] = [
  itemMetaProperty,
  category,
  taxRule,
  item,
  variation,
  itemAddon,
  itemBundle,
  quota,
  discount,
  question,
  questionOption,
  badgeLayout,
  badgeItem,
  ticketLayout,
  ticketLayoutItem,
  checkinList,
  autoCheckinRule,
]

const isLayout = (resource: Resource): boolean => resource === badgeLayout || resource === ticketLayout

/** New ids by resource and old id. */
type Ids = ReadonlyMap<string, ReadonlyMap<number, number>>

/**
 * Makes an event after another one of the same organizer: its settings, catalogue, questions, quotas and check-in
 * lists, but neither its orders nor its dates, nor what belongs to one date only. The new event's row.
 */
export async function cloneEvent(tx: Tx, scope: Scope, body: unknown): Promise<StoredRow<typeof event>> {
  const source = await findRow(tx, event, scope.place, { id: scope.place.event })
  if (!source) throw notFound()
  const taken = Object.fromEntries(inherited.map((name) => [name, source[name]]))
  const [sold = source] = await withChannels(tx, scope.organizer.id, [source])
  const { all_sales_channels, sales_channels } = sold
  const channels = all_sales_channels
    ? { sales_channels }
    : { all_sales_channels, limit_sales_channels: sales_channels }
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body)
  const names = isObject && channelFields.some((name) => name in body)
  const sent = isObject ? { ...taken, ...(names ? {} : channels), ...body } : body
  const values = readBody(event.fields, sent, { partial: false, locale: scope.event?.locale ?? 'en' })
  const start = { ...blankRow(event), ...settled(event.fields, values) }
  const next = await prepareEvent(tx, scope, { next: start, before: undefined, body: sent as JsonObject })
  const organizer: Place = { organizer: scope.place.organizer, event: 0 }
  if (await findRow(tx, event, organizer, { slug: next.slug }))
    throw invalid({ slug: ['This slug is already in use.'] })
  const fresh = { ...next, id: tx.nextId(), settings: source.settings, cloned_from: source.id }
  await insertRow(tx, event, organizer, fresh)
  const own = { ...organizer, event: fresh.id }
  await copyContents(tx, scope.place, own)
  await followItemMeta(tx, own, next.item_meta_properties)
  await letCreatorIn(tx, organizer.organizer, scope.actor, next.slug)
  tx.audit(organizer, scope.actor, {
    action: 'ticketsvc.event.added',
    resource: event.name,
    row: fresh.id,
    data: { cloned_from: source.id },
  })
  return settled(storedFields(event), fresh)
}

async function copyContents(tx: Tx, from: Place, to: Place): Promise<void> {
  const rows = new Map<Resource, JsonObject[]>()
  const ids = new Map<string, Map<number, number>>()
  for (const resource of copied) {
    const ofEveryDate = 'subevent' in resource.fields ? sql`subevent IS NULL` : sql`1 = 1`
    const all = await findRows(tx, resource, from, { where: ofEveryDate })
    // A rule of a list that belongs to one date would be one of all lists without it.
    const found = all.filter(
      ({ list }) =>
        resource !== autoCheckinRule || list === null || ids.get(checkinList.name)?.has(Number(list)),
    )
    rows.set(resource, found)
    ids.set(resource.name, new Map(found.map((row) => [Number(row.id), tx.nextId()])))
  }
  for (const [resource, found] of rows) {
    const copies = found.map((row) => copyOf(resource, row, ids))
    for (const [index, { id, picture, background }] of found.entries()) {
      const copy = copies[index]
      const both = { from: Number(id), to: Number(copy?.id) }
      if (resource === item && copy && picture !== null)
        copy.picture = await copyPicture(tx, to.organizer, both.from, both.to)
      if (isLayout(resource) && copy && background !== null)
        copy.background = await copyBackground(tx, { from, to }, both)
    }
    // A question may point at one that is inserted after it.
    const early = copies.map((row) => (resource === question ? { ...row, dependency_question: null } : row))
    await insertRows(tx, resource, to, early)
    for (const { id, dependency_question } of resource === question ? copies : [])
      if (dependency_question !== null)
        await updateRow(tx, question, to, {
          id: Number(id),
          dependency_question: Number(dependency_question),
        })
  }
}

/** A row as it stands in the other event: every id in it is the new one. */
function copyOf(resource: Resource, row: JsonObject, ids: Ids): Record<string, unknown> {
  const other = (name: string | undefined, id: unknown): number | null =>
    ids.get(name ?? '')?.get(Number(id)) ?? null
  const copy: Record<string, unknown> = { ...row, id: other(resource.name, row.id) }
  for (const [name, field] of Object.entries(storedFields(resource))) {
    const { kind, to } = marksOf(field)
    if (kind === 'ref' && row[name] !== null) copy[name] = other(to, row[name])
    if (kind === 'refs') copy[name] = (row[name] as number[]).flatMap((id) => other(to, id) ?? [])
  }
  if (resource === quota) copy.closed = false
  if (isLayout(resource))
    copy.layout = withOtherQuestions(row.layout as PageElement[], (id) => ids.get(question.name)?.get(id))
  if (resource === checkinList) {
    const models: Readonly<Record<string, string>> = { product: item.name, variation: variation.name }
    copy.rules = withOtherIds(row.rules, (model, id) => ids.get(models[model] ?? '')?.get(id))
  }
  return copy
}
