import sql from 'sql-template-tag'
import { permissions } from '../../schema/permissions.ts'
import type { Resource } from '../../schema/resource.ts'
import { category } from '../../schema/resources/category.ts'
import { checkinList } from '../../schema/resources/checkin-list.ts'
import { event } from '../../schema/resources/event.ts'
import { gate } from '../../schema/resources/gate.ts'
import { item } from '../../schema/resources/item.ts'
import { itemAddon } from '../../schema/resources/item-addon.ts'
import { question } from '../../schema/resources/question.ts'
import { questionOption } from '../../schema/resources/question-option.ts'
import { quota } from '../../schema/resources/quota.ts'
import { taxRule } from '../../schema/resources/tax-rule.ts'
import { variation } from '../../schema/resources/variation.ts'
import { type DemoOrder, type DemoPlan, demoPlan, type Key } from '../domain/demo-plan.ts'
import { rulesWithIds } from '../domain/demo-plan-festival.ts'
import { type SampleTicket, sampleTickets } from '../domain/demo-plan-samples.ts'
import { withScheme } from '../domain/names.ts'
import { hundredths, type RowData } from '../resource/codec.ts'
import { blankRow } from '../resource/defaults.ts'
import { insertRow, updateRow } from '../resource/store.ts'
import type { Place, Transactions, Tx } from '../resource/transactions.ts'
import { commandActor, createOrganizer, createTeam, createToken } from './accounts.ts'
import { eventById } from './events.ts'
import type { OrderDraft } from './order-draft.ts'
import { createOrders } from './order-drafts.ts'

/** The demo event as it stands in the database. */
export interface Demo {
  readonly organizer: string
  readonly event: string
  readonly place: Place
  /** The tickets to try out, by language. */
  readonly samples: { readonly en: readonly SampleTicket[]; readonly de: readonly SampleTicket[] }
}

/** Tells how many of all orders are made. */
export type Progress = (done: number, total: number) => void

const ordersAtOnce = 200

/** The demo event, made with all its orders where it is missing; one that was left half made is not used. */
export async function makeDemo(
  transactions: Transactions,
  random: () => number,
  progress: Progress = () => {},
): Promise<Demo> {
  const { database } = transactions
  const known = await findDemo(transactions)
  if (known) return known
  const plan = await transactions.write(async (tx) => demoPlan(random, tx.now))
  const made = await transactions.write((tx) => makeCatalogue(tx, plan))
  const facts = await eventById(database, made.place.organizer, made.place.event)
  if (!facts) throw new Error('The demo event was deleted while it was being made.')
  for (let first = 0; first < plan.orders.length; first += ordersAtOnce) {
    progress(first, plan.orders.length)
    const drafts = plan.orders.slice(first, first + ordersAtOnce).map((order) => draftOf(order, plan, made))
    await transactions.write((tx) =>
      createOrders(tx, commandActor, { place: made.place, event: facts }, drafts),
    )
  }
  const samples = { en: sampleTickets(plan, 'en'), de: sampleTickets(plan, 'de') }
  await transactions.write((tx) =>
    updateRow(tx, event, { organizer: made.place.organizer, event: 0 }, made.place.event, {
      live: true,
      settings: { ...plan.event.settings, demo_samples: samples },
    }),
  )
  progress(plan.orders.length, plan.orders.length)
  return { organizer: plan.organizer.slug, event: made.slug, place: made.place, samples }
}

/** The demo event that is there and complete, or undefined. */
export async function findDemo({ database }: Transactions): Promise<Demo | undefined> {
  const rows = await database.all<{
    organizer: number
    id: number
    slug: string
    settings: string
    org: string
  }>(
    sql`SELECT event.organizer, event.id, event.slug, event.settings, organizer.slug AS org FROM event
        JOIN organizer ON organizer.id = event.organizer WHERE organizer.slug = 'demo' ORDER BY event.id DESC`,
  )
  for (const row of rows) {
    const { demo_samples: samples } = JSON.parse(row.settings)
    if (samples)
      return {
        organizer: row.org,
        event: row.slug,
        place: { organizer: row.organizer, event: row.id },
        samples,
      }
  }
  return undefined
}

/** A fresh token that may do everything with the demo. */
export const demoToken = (transactions: Transactions, demo: Demo): Promise<RowData> =>
  transactions.write(async (tx) => {
    const { organizer } = demo.place
    const team = await createTeam(tx, organizer, 'Demo', { permissions, allEvents: true, events: [] })
    return createToken(tx, commandActor, organizer, Number(team.id), 'demo')
  })

/** The ids that the plan's keys have become. */
interface Made {
  readonly place: Place
  readonly slug: string
  readonly idOf: (resource: Resource, key: Key) => number
  readonly optionOf: (question: Key, identifier: string) => number
}

async function freeSlug(tx: Tx, organizer: number, wanted: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const slug = number === 1 ? wanted : `${wanted}-${number}`
    if (!(await tx.get(sql`SELECT id FROM event WHERE organizer = ${organizer} AND slug = ${slug}`)))
      return slug
  }
}

/** Stores everything of the plan but its orders. */
async function makeCatalogue(tx: Tx, plan: DemoPlan): Promise<Made> {
  const known = await tx.get<{ id: number }>(
    sql`SELECT id FROM organizer WHERE slug = ${plan.organizer.slug}`,
  )
  const organizer =
    known?.id ?? Number((await createOrganizer(tx, plan.organizer.slug, plan.organizer.name)).id)
  const ids = new Map<string, number>()
  const add = async (resource: Resource, at: Place, key: string | null, values: RowData): Promise<number> => {
    const id = tx.nextId()
    if (key !== null) ids.set(`${resource.name}/${key}`, id)
    await insertRow(tx, resource, at, { ...blankRow(resource), ...values, id })
    return id
  }
  const idOf = (resource: Resource, key: Key): number => {
    const id = ids.get(`${resource.name}/${key}`)
    if (id === undefined) throw new Error(`The demo plan refers to "${key}", which it does not have.`)
    return id
  }
  const items = (key: Key): number => idOf(item, key)
  const above = { organizer, event: 0 }
  const slug = await freeSlug(tx, organizer, plan.event.slug)
  const place = { organizer, event: await add(event, above, null, { ...plan.event, slug }) }
  for (const { key, ...values } of plan.gates) {
    const there = await tx.get<{ id: number }>(
      sql`SELECT id FROM gate WHERE organizer = ${organizer} AND identifier = ${values.identifier}`,
    )
    if (there) ids.set(`${gate.name}/${key}`, there.id)
    else await add(gate, above, key, values)
  }
  for (const { key, ...values } of plan.tax_rules) await add(taxRule, place, key, values)
  for (const { key, ...values } of plan.categories) await add(category, place, key, values)
  for (const { key, variations, addons, ...values } of plan.items) {
    const own = await add(item, place, key, {
      ...values,
      category: idOf(category, values.category),
      tax_rule: idOf(taxRule, values.tax_rule),
    })
    for (const { key: name, ...one } of variations) await add(variation, place, name, { ...one, item: own })
    for (const one of addons)
      await add(itemAddon, place, null, {
        ...one,
        item: own,
        addon_category: idOf(category, one.addon_category),
      })
  }
  for (const { key, options, ...values } of plan.questions) {
    const own = await add(question, place, key, { ...values, items: values.items.map(items) })
    for (const one of options)
      await add(questionOption, place, `${key}/${one.identifier}`, { ...one, question: own })
  }
  for (const one of plan.quotas)
    await add(quota, place, null, {
      ...one,
      items: one.items.map(items),
      variations: one.variations.map((key) => idOf(variation, key)),
    })
  for (const { key, ...values } of plan.checkin_lists)
    await add(checkinList, place, key, {
      ...values,
      limit_products: values.limit_products.map(items),
      rules: rulesWithIds(values.rules, items),
    })
  return { place, slug, idOf, optionOf: (key, identifier) => idOf(questionOption, `${key}/${identifier}`) }
}

/** An order of the plan as it is stored. */
function draftOf(order: DemoOrder, plan: DemoPlan, made: Made): OrderDraft {
  const rate = (key: Key) => {
    const rule = plan.tax_rules.find((one) => one.key === plan.items.find((one) => one.key === key)?.tax_rule)
    return rule ? { tax_rate: hundredths(rule.rate), tax_rule: made.idOf(taxRule, rule.key) } : {}
  }
  const total = order.positions.reduce((sum, position) => sum + hundredths(position.price), 0)
  const { payment_provider: provider, positions, ...values } = order
  return {
    ...values,
    payments:
      order.status === 'p'
        ? [{ state: 'confirmed', amount: total, provider, payment_date: order.datetime }]
        : [{ state: order.status === 'n' ? 'created' : 'canceled', amount: total, provider }],
    positions: positions.map((position) => ({
      ...position,
      ...rate(position.item),
      item: made.idOf(item, position.item),
      variation: position.variation === null ? null : made.idOf(variation, position.variation),
      price: hundredths(position.price),
      attendee_name_parts: withScheme(position.attendee_name_parts, 'given_family'),
      answers: position.answers.map((answer) => ({
        question: made.idOf(question, answer.question),
        answer: answer.answer,
        options: answer.options.map((identifier) => made.optionOf(answer.question, identifier)),
      })),
    })),
  }
}
