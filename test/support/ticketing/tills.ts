import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import sql, { bulk, join, raw } from 'sql-template-tag'
import { tableOf } from '../../../schema/resource.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { resources } from '../../../schema/resources/index.ts'
import type { FactResult, SentFact } from '../../../schema/sync.ts'
import { instantOf, realEnv } from '../../../server/env.ts'
import { silentLog } from '../../../server/log.ts'
import type { Actor } from '../../../server/resource/actor.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { openTransactions } from '../../../server/resource/open-transactions.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Place, Transactions } from '../../../server/resource/transactions.ts'
import { eventBySlug } from '../../../server/services/events/events.ts'
import { createOrder } from '../../../server/services/order-actions/order-create.ts'
import type { CreatedOrder } from '../../../server/services/pricing/order-draft.ts'
import { readOrder } from '../../../server/services/pricing/order-input.ts'
import { keepGranted } from '../../../server/services/quotas/lease-demand.ts'
import type { StoredLease } from '../../../server/services/quotas/lease-rows.ts'
import { grantLease } from '../../../server/services/quotas/leases.ts'
import type { Database } from '../../../server/storage/database.ts'
import { migrate } from '../../../server/storage/migrate.ts'
import { prepareSearch } from '../../../server/storage/search.ts'
import { type QueuedFact, sentFactOf } from '../../../server/sync/outbox/outbox.ts'
import { recordResults } from '../../../server/sync/outbox/outbox-results.ts'
import { receiveFacts } from '../../../server/sync/receive/receive.ts'
import { devicesById } from '../../../server/sync/receive/senders.ts'
import { openMemory } from '../engines/sqlite-image.ts'
import { addEvent, addOrganizer } from '../servers/servers.ts'
import { addDevice, addItem } from './tickets.ts'

/** A clock that all nodes of a test go by, in milliseconds since 1970. */
interface SharedTime {
  now: number
}

const second = 1000
const start = Date.UTC(2030, 5, 1, 10)

/** A node of a test: central, a hub or a till, with its own copy of the data. */
export interface Till {
  readonly name: string
  readonly site: number
  readonly device: number
  readonly transactions: Transactions
  readonly database: Database
  readonly place: Place
  readonly actor: Actor
  /** Milliseconds by which its own clock is wrong, and whether it knows the time. */
  skew: number
  offset: number | null
  /** Sells some of an item, paid at once. */
  sell(item: number, count?: number, more?: RowData): Promise<CreatedOrder>
  leases(): Promise<StoredLease[]>
  /** Facts that were not reported yet, as they travel. */
  waiting(): Promise<QueuedFact[]>
}

/** Central with an event, and the tills and hubs below it. */
export interface TillWorld {
  readonly time: SharedTime
  readonly central: Till
  readonly place: Place
  /** Sold in a quota of its own. */
  readonly item: number
  readonly quota: number
  /** Adds a node below another one, with a copy of the data. */
  join(name: string, upstream?: Till, settings?: RowData): Promise<Till>
  /** Tells the upstream node of everything that waits. `lost`: the answer does not arrive. */
  push(till: Till, upstream?: Till, lost?: boolean): Promise<FactResult[]>
  /** Copies everything that the upstream node has, as it is now. */
  pull(till: Till, upstream?: Till): Promise<void>
  /** Asks the upstream node for a lease and stores the answer. `lost`: the answer does not arrive. */
  lease(till: Till, size: number, options?: LeaseOptions): Promise<StoredLease>
  /** How many are sold at central. */
  sold(): Promise<number>
  conflicts(): Promise<{ readonly kind: string; readonly data: RowData }[]>
  close(): Promise<void>
}

interface LeaseOptions {
  readonly upstream?: Till
  readonly nonce?: string
  readonly until?: string
  readonly lost?: boolean
}

async function openAt(
  database: Database,
  site: number,
  time: SharedTime,
  clock: { skew: number; offset: number | null },
  boot: string,
): Promise<Transactions> {
  await migrate(database)
  await prepareSearch(database)
  await database.run(
    sql`INSERT INTO node (id, site, next_id, epoch) VALUES (1, ${site}, 1, 'e') ON CONFLICT (id) DO NOTHING`,
  )
  const wall = (): number => time.now + clock.skew
  return openTransactions(database, {
    instant: () => instantOf(site === 0 ? time.now : wall() + (clock.offset ?? 0)),
    randomBytes: (count) => randomBytes(count),
    ...(site === 0
      ? {}
      : {
          stamp: () => ({
            deviceTime: instantOf(wall()),
            mono: time.now - start,
            boot,
            clockOffset: clock.offset,
          }),
        }),
  })
}

const actorFor = (place: Place, device: number): Actor => ({
  kind: 'device',
  id: device,
  name: '',
  organizer: place.organizer,
  permissions: new Set(['can_change_orders', 'can_view_orders']),
  allEvents: true,
  events: new Set(),
  device: { id: device, gate: null, profile: 'boxoffice' },
})

async function sellAt(
  { transactions, place, actor }: Pick<Till, 'transactions' | 'place' | 'actor'>,
  item: number,
  count: number,
  more: RowData,
): Promise<CreatedOrder> {
  const event = await eventBySlug(transactions.database, place.organizer, 'gala')
  assert.ok(event)
  const at = { actor, place, event }
  const body = {
    status: 'p',
    payment_provider: 'manual',
    positions: Array.from({ length: count }, () => ({ item })),
    ...more,
  }
  const input = readOrder(body, at)
  return transactions.write((tx) => createOrder(tx, at, input))
}

const tillOf = (
  parts: Pick<Till, 'name' | 'site' | 'device' | 'transactions' | 'database' | 'place' | 'actor'>,
  clock: { skew: number; offset: number | null },
): Till =>
  Object.assign(clock, {
    ...parts,
    sell: (item: number, count = 1, more: RowData = {}) => sellAt(parts, item, count, more),
    leases: () => parts.database.all<StoredLease>(sql`SELECT * FROM quota_lease ORDER BY created, id`),
    waiting: () =>
      parts.database.all<QueuedFact>(sql`SELECT * FROM outbox WHERE state = 'waiting' ORDER BY seq`),
  })

const replicatedTables = ['organizer', ...resources.map(tableOf)]

/** Copies all rows of one node to another, older ones over newer ones too. */
async function copyRows(from: Database, to: Database, tables = replicatedTables): Promise<void> {
  await to.run(sql`PRAGMA foreign_keys = OFF`)
  for (const table of tables) {
    const rows = await from.all(sql`SELECT * FROM ${raw(`"${table}"`)}`)
    for (const row of rows) {
      const columns = Object.keys(row)
      const names = join(columns.map((name) => raw(`"${name}"`)))
      const key = columns.includes('organizer') ? raw('organizer, id') : raw('id')
      const sets = join(columns.map((name) => raw(`"${name}" = excluded."${name}"`)))
      await to.run(
        sql`INSERT INTO ${raw(`"${table}"`)} (${names}) VALUES ${bulk([columns.map((name) => row[name] as string)])}
            ON CONFLICT (${key}) DO UPDATE SET ${sets}`,
      )
    }
  }
  await to.run(sql`PRAGMA foreign_keys = ON`)
}

/** Starts central with an event that sells one item, in a quota of some size. */
export async function startTills(size: number, given?: Database): Promise<TillWorld> {
  const database = given ?? (await openMemory())
  const time: SharedTime = { now: start }
  const transactions = await openAt(database, 0, time, { skew: 0, offset: 0 }, 'central')
  const made = await transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    const event = await addEvent(tx, organizer, 'gala', { live: true })
    const place = { organizer, event }
    const item = await addItem(tx, place, 'Ticket')
    const id = tx.nextId()
    const values = { name: 'House', size, items: [item], variations: [] }
    await insertRow(tx, quota, place, { ...blankRow(quota), ...values, id })
    return { place, item, quota: id }
  })
  const { place, item } = made
  const parts = { name: 'central', site: 0, device: 0, transactions, database, place }
  const central = tillOf({ ...parts, actor: actorFor(place, 0) }, { skew: 0, offset: 0 })
  const nodes: Till[] = [central]
  let devices = 0

  async function join(name: string, upstream = central, settings: RowData = {}): Promise<Till> {
    devices += 1
    const site = devices * 10
    const device = await upstream.transactions.write((tx) =>
      addDevice(tx, place.organizer, devices, name, {
        security_profile: 'boxoffice',
        site: upstream === central ? site : upstream.site + devices,
        site_end: upstream === central ? site + 10 : null,
      }),
    )
    const own = upstream === central ? site : upstream.site + devices
    // A hub tells of its devices before it gives them anything.
    if (upstream !== central) await copyRows(upstream.database, database, ['device'])
    const copy = await openMemory()
    const clock = { skew: 0, offset: 0 }
    const joined = await openAt(copy, own, time, clock, `${name} boot`)
    const till = tillOf(
      {
        ...{ name, site: own, device, transactions: joined, database: copy, place },
        actor: actorFor(place, device),
      },
      clock,
    )
    await copy.run(
      sql`INSERT INTO upstream (id, url, organizer, slug, device, device_name, security_profile, token, role, site, site_end,
            with_orders, state, settings)
          VALUES (1, 'http://above', ${place.organizer}, 'acme', ${device}, ${name}, 'boxoffice', 't', 'station', ${own},
            ${own + 10}, 1, 'following', ${JSON.stringify(settings)})`,
    )
    await copyRows(upstream.database, copy)
    nodes.push(till)
    return till
  }

  async function push(till: Till, upstream = central, lost = false): Promise<FactResult[]> {
    const facts = await till.waiting()
    if (facts.length === 0) return []
    const sender = (await devicesById(upstream.database, place.organizer, [till.device])).get(till.device)
    assert.ok(sender)
    const results = await receiveFacts(
      { transactions: upstream.transactions, env: realEnv, log: silentLog },
      { organizer: place.organizer, device: sender, isVouchedFor: false },
      {
        clock: {
          boot: `${till.name} boot`,
          mono: time.now - start,
          device_time: instantOf(time.now + till.skew),
          clock_offset: till.offset,
        },
        live: true,
        facts: facts.map((fact): SentFact => sentFactOf(fact)),
      },
    )
    if (!lost) await recordResults(till.database, results, instantOf(time.now), () => 0)
    return results
  }

  return {
    ...{ time, central, ...made, join, push },
    pull: (till, upstream = central) => copyRows(upstream.database, till.database),
    async lease(till, count, { upstream = central, nonce = randomUUID(), until, lost = false } = {}) {
      const wish = { quota: made.quota, size: count, until: until ?? null, nonce }
      const row = await upstream.transactions.write((tx) => grantLease(tx, till.actor, place, wish))
      if (!lost) await till.transactions.write((tx) => keepGranted(tx, row))
      return row
    },
    async sold() {
      const row = await database.get<{ count: number }>(
        sql`SELECT count(*) AS count FROM order_position p JOIN orders o ON o.id = p.order_id AND o.organizer = p.organizer
            WHERE p.item = ${item} AND o.status IN ('p', 'n')`,
      )
      return Number(row?.count)
    },
    async conflicts() {
      const rows = await database.all<{ kind: string; data: string }>(
        sql`SELECT kind, data FROM conflict ORDER BY id`,
      )
      return rows.map(({ kind, data }) => ({ kind, data: JSON.parse(data) }))
    },
    async close() {
      for (const node of nodes) await node.database.close()
    },
  }
}

/** Minutes in milliseconds. */
export const minutes = (count: number): number => count * 60 * second
