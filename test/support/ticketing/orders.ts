import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Resource } from '../../../schema/resource.ts'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { question } from '../../../schema/resources/catalogue/question.ts'
import { questionOption } from '../../../schema/resources/catalogue/question-option.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { taxRule } from '../../../schema/resources/catalogue/tax-rule.ts'
import { variation } from '../../../schema/resources/catalogue/variation.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { subevent } from '../../../schema/resources/events/subevent.ts'
import { customer } from '../../../schema/resources/orders/customer.ts'
import type { Config } from '../../../server/config.ts'
import { type Env, realEnv } from '../../../server/env.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Tx } from '../../../server/resource/transactions.ts'
import type { Database } from '../../../server/storage/database.ts'
import { addEvent, startTestServer, type TestServer } from '../servers/servers.ts'

/** The part of a position in an answer that tests look at. */
export interface ShownPosition extends RowData {
  readonly id: number
  readonly positionid: number
  readonly item: number
  readonly price: string
  readonly secret: string
  readonly checkins: readonly RowData[]
  readonly answers: readonly RowData[]
}

/** The part of an order in an answer that tests look at. */
export interface ShownOrder extends RowData {
  readonly code: string
  readonly status: string
  readonly secret: string
  readonly total: string
  readonly expires: string
  readonly last_modified: string
  readonly positions: readonly [ShownPosition, ...ShownPosition[]]
  readonly payments: readonly RowData[]
  readonly fees: readonly RowData[]
}

/** A page of a list in an answer. */
export interface ShownPage<T> {
  readonly count: number
  readonly next: string | null
  readonly results: readonly T[]
}

/** What the event `gala` sells. */
interface Shop {
  /** 23.00 with 19 % tax in it, in a quota of 100. */
  readonly ticket: number
  /** 40.00 or, for children, 15.00, in the same quota. */
  readonly dinner: number
  readonly adult: number
  readonly child: number
  /** 10.00, in a quota of 2. */
  readonly rare: number
  /** Costs nothing, in a quota without limit. */
  readonly free: number
  /** In no quota. */
  readonly unlisted: number
  /** Not sold any more. */
  readonly old: number
  readonly taxRule: number
  readonly rareQuota: number
  /** One line of text, and one choice of two options. */
  readonly allergies: number
  readonly meal: number
  readonly vegan: number
  readonly fish: number
}

/** A server with a shop in its event. */
export interface ShopServer extends TestServer {
  readonly shop: Shop
  /** Creates an order from a body and answers with it. */
  order(body: RowData): Promise<ShownOrder>
  /** Creates an order with one ticket that is paid. */
  paidOrder(values?: RowData): Promise<ShownOrder>
  /** The answer to a request below the event's path, which must have the given status. */
  ask<T = unknown>(status: number, method: string, path: string, body?: unknown): Promise<T>
  /** The words of the audit trail about an order since the beginning, oldest first. */
  trail(code: string): Promise<string[]>
}

/** Adds a row of a resource; its id. */
export async function addRow(
  tx: Tx,
  resource: Resource,
  place: { organizer: number; event: number },
  values: RowData,
) {
  const id = tx.nextId()
  await insertRow(tx, resource, place, { ...blankRow(resource), ...values, id })
  return id
}

/** Adds what the shop sells to an event. */
async function addShop(tx: Tx, organizer: number, event: number): Promise<Shop> {
  const place = { organizer, event }
  const rule = await addRow(tx, taxRule, place, { name: { en: 'VAT' }, rate: '19.00' })
  const addItem = (name: string, price: string, values: RowData = {}) =>
    addRow(tx, item, place, { name: { en: name }, default_price: price, ...values })
  const addVariation = (of: number, name: string, price: string | null) =>
    addRow(tx, variation, place, { value: { en: name }, default_price: price, item: of })
  const ticket = await addItem('Ticket', '23.00', { tax_rule: rule, admission: true })
  const dinner = await addItem('Dinner', '40.00')
  const adult = await addVariation(dinner, 'Adult', null)
  const child = await addVariation(dinner, 'Child', '15.00')
  const rare = await addItem('Rare', '10.00')
  const free = await addItem('Free', '0.00')
  const unlisted = await addItem('Unlisted', '5.00')
  const old = await addItem('Old', '5.00', { active: false })
  const addQuota = (name: string, size: number | null, items: number[], variations: number[] = []) =>
    addRow(tx, quota, place, { name, size, items, variations })
  await addQuota('House', 100, [ticket, dinner, old], [adult, child])
  const rareQuota = await addQuota('Rare', 2, [rare])
  await addQuota('Open', null, [free])
  const ask = (identifier: string, type: string) =>
    addRow(tx, question, place, { question: { en: identifier }, type, items: [ticket], identifier })
  const allergies = await ask('allergies', 'S')
  const meal = await ask('meal', 'C')
  const addOption = (name: string) =>
    addRow(tx, questionOption, place, { identifier: name, answer: { en: name }, question: meal })
  const vegan = await addOption('vegan')
  const fish = await addOption('fish')
  return {
    ...{ ticket, dinner, adult, child, rare, free, unlisted, old },
    ...{ taxRule: rule, rareQuota, allergies, meal, vegan, fish },
  }
}

/** Starts a server whose event `gala` has a shop. */
export async function startShop(
  database?: Database,
  env: Env = realEnv,
  more: Pick<Config, 'mail'> = {},
): Promise<ShopServer> {
  const server = await startTestServer(database, null, { env, ...more })
  const { transactions } = server.running
  const shop = await transactions.write((tx) => addShop(tx, server.organizer, server.event))
  const ask: ShopServer['ask'] = async <T>(status: number, method: string, path: string, body?: unknown) => {
    const answer = await server.call(method, server.ev + path, body)
    assert.equal(answer.status, status, JSON.stringify(answer.body))
    return answer.body as T
  }
  const order = (body: RowData): Promise<ShownOrder> => ask(201, 'POST', '/orders/', body)
  const paid = { status: 'p', payment_provider: 'manual', positions: [{ item: shop.ticket }] }
  return {
    ...server,
    shop,
    ask,
    order,
    paidOrder: (values = {}) => order({ ...paid, ...values }),
    async trail(code) {
      const rows = await transactions.database.all<{ action: string }>(
        sql`SELECT a.action FROM audit a JOIN orders o ON o.organizer = a.organizer AND o.id = a.row_id
            WHERE a.organizer = ${server.organizer} AND a.resource = 'order' AND o.code = ${code} ORDER BY a.id`,
      )
      return rows.map((row) => row.action.replace('ticketsvc.event.order.', ''))
    },
  }
}

/** A series with two dates: the second sells the item dearer, and not its variation. */
export interface Series {
  readonly event: number
  readonly ev: string
  readonly item: number
  readonly withVariation: number
  readonly variation: number
  readonly first: number
  readonly second: number
}

/** Adds the series `series` to a server's organizer. */
export function addSeries(server: TestServer): Promise<Series> {
  return server.running.transactions.write(async (tx) => {
    const event = await addEvent(tx, server.organizer, 'series', { has_subevents: true })
    const place = { organizer: server.organizer, event }
    const plain = await addRow(tx, item, place, { name: { en: 'Tour' }, default_price: '10.00' })
    const withVariation = await addRow(tx, item, place, { name: { en: 'Talk' }, default_price: '8.00' })
    const form = await addRow(tx, variation, place, { value: { en: 'Seat' }, item: withVariation })
    const off = { disabled: false, available_from: null, available_until: null, price: null }
    const addDate = (day: number, values: RowData = {}) =>
      addRow(tx, subevent, place, {
        name: { en: `Day ${day}` },
        date_from: `2030-06-0${day}T10:00:00.000000Z`,
        last_modified: tx.now,
        ...values,
      })
    const first = await addDate(1)
    const second = await addDate(2, {
      item_price_overrides: [{ ...off, item: plain, price: '12.50' }],
      variation_price_overrides: [{ ...off, variation: form, disabled: true }],
    })
    for (const date of [first, second])
      await addRow(tx, quota, place, {
        name: `Day ${date}`,
        size: 10,
        items: [plain, withVariation],
        variations: [form],
        subevent: date,
      })
    return {
      ...{ event, ev: `${server.org}/events/series`, item: plain, withVariation, variation: form },
      ...{ first, second },
    }
  })
}

/** Adds somebody who buys from the organizer again and again. */
export const addCustomer = (server: TestServer, identifier: string): Promise<number> =>
  server.running.transactions.write((tx) =>
    addRow(
      tx,
      customer,
      { organizer: server.organizer, event: 0 },
      { identifier, date_joined: tx.now, last_modified: tx.now },
    ),
  )

/** Adds a check-in list to an event. */
export const addList = (server: TestServer, values: RowData = {}): Promise<number> =>
  server.running.transactions.write((tx) =>
    addRow(
      tx,
      checkinList,
      { organizer: server.organizer, event: server.event },
      { name: 'Door', ...values },
    ),
  )
