import assert from 'node:assert/strict'
import sql, { type Sql } from 'sql-template-tag'
import { item } from '../../../schema/resources/catalogue/item.ts'
import { checkinList } from '../../../schema/resources/checkin/checkin-list.ts'
import { order } from '../../../schema/resources/orders/order.ts'
import { orderPosition } from '../../../schema/resources/orders/order-position.ts'
import type { LinkStatus } from '../../../schema/station-link.ts'
import type { Config } from '../../../server/config.ts'
import { type Env, realEnv } from '../../../server/env.ts'
import { type Log, silentLog } from '../../../server/log.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow, insertRows } from '../../../server/resource/store.ts'
import type { Transactions, Tx } from '../../../server/resource/transactions.ts'
import { type Running, startServer } from '../../../server/serve.ts'
import { commandActor } from '../../../server/services/accounts/accounts.ts'
import { createDevice } from '../../../server/services/devices/devices.ts'
import { indexOrders } from '../../../server/services/orders/order-search-text.ts'
import type { Cells, Database } from '../../../server/storage/database.ts'
import { openMemory } from '../engines/sqlite-image.ts'
import { assertDescribed } from './described.ts'
import { type Call, startTestServer, type TestServer } from './servers.ts'

/** The secret of the screens of stations under test. */
export const key = 'station-key'

/** An item, a check-in list and tickets at the event of a test server. */
export interface Venue {
  readonly item: number
  readonly list: number
  /** Codes of the tickets, and the ids of their positions. */
  readonly codes: readonly string[]
  readonly positions: readonly number[]
}

/** Sells some tickets, each in an order of its own; their codes and the ids of their positions. */
export async function sell(
  tx: Tx,
  organizer: number,
  event: number,
  itemId: number,
  codes: readonly string[],
): Promise<number[]> {
  const place = { organizer, event }
  const orders = codes.map((code, index) => ({
    ...blankRow(order),
    id: tx.nextId(),
    code: `O${code}`.slice(0, 16),
    status: 'p' as const,
    secret: `secret${index}`,
    email: `${code}@example.org`,
    total: '10.00',
    datetime: tx.now,
    expires: tx.now,
    last_modified: tx.now,
  }))
  await insertRows(tx, order, place, orders)
  const positions = codes.map((code, index) => ({
    ...blankRow(orderPosition),
    id: tx.nextId(),
    order_id: orders[index]?.id ?? 0,
    positionid: 1,
    item: itemId,
    price: '10.00',
    tax_rate: '0.00',
    tax_value: '0.00',
    attendee_name: `Guest ${code}`,
    attendee_name_parts: { full_name: `Guest ${code}` },
    name_key: `guest ${code}`,
    secret: code,
    pseudonymization_id: `P${code}`.slice(0, 16),
  }))
  await insertRows(tx, orderPosition, place, positions)
  await indexOrders(
    tx,
    place,
    orders.map((one) => one.id),
  )
  return positions.map((one) => one.id)
}

/** Makes the event of a server one that can be entered with some tickets. */
export async function openVenue(server: TestServer, codes: readonly string[]): Promise<Venue> {
  const { organizer, event } = server
  const place = { organizer, event }
  return server.running.transactions.write(async (tx) => {
    const itemId = tx.nextId()
    const admission = { name: { en: 'Day' }, default_price: '10.00', admission: true }
    await insertRow(tx, item, place, { ...blankRow(item), ...admission, id: itemId })
    const list = tx.nextId()
    await insertRow(tx, checkinList, place, { ...blankRow(checkinList), name: 'Doors', id: list })
    return { item: itemId, list, codes, positions: await sell(tx, organizer, event, itemId, codes) }
  })
}

/** Makes a device at a server; its one-time token. */
export async function makeDevice(server: TestServer, name: string, values: RowData = {}): Promise<RowData> {
  const answer = await server.call('POST', `${server.org}/devices/`, { name, all_events: true, ...values })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body as RowData
}

/** A station or hub under test. */
export interface TestNode {
  readonly running: Running
  readonly url: string
  readonly transactions: Transactions
  /** Asks as the screens of the station do. */
  readonly call: Call
  link(): Promise<LinkStatus>
  /** Has it let in by a server. */
  join(url: string, token: string, role?: 'station' | 'hub'): Promise<void>
  /** Sets it up for a list of the event `gala`. */
  setUp(list: number): Promise<void>
  scan(code: string): Promise<RowData>
  close(): Promise<void>
}

/** Starts a node with nothing on it. */
export async function startNode(
  options: Pick<Config, 'upstream' | 'openBeside' | 'updates'> & {
    database?: string
    env?: Env
    log?: Log
  } = {},
): Promise<TestNode> {
  const { database = ':memory:', env = realEnv, log = silentLog, ...more } = options
  const config = { database, host: '127.0.0.1', port: 0, stationKey: key, ...more }
  const running = await startServer(
    config,
    env,
    log,
    database === ':memory:' ? await openMemory() : undefined,
  )
  const node: TestNode = {
    running,
    url: running.url,
    get transactions() {
      return running.transactions
    },
    async call(method, path, body, headers = {}) {
      const answer = await fetch(running.url + path, {
        method,
        headers: {
          Authorization: `Station ${key}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      const text = await answer.text()
      const isJson = answer.headers.get('content-type')?.includes('json') ?? false
      const { status } = answer
      const read = isJson ? JSON.parse(text) : text
      assertDescribed({ method, path, status, type: answer.headers.get('content-type'), body: read })
      return { status, body: read, headers: answer.headers }
    },
    async link() {
      return (await node.call('GET', '/api/v1/station/link/')).body as LinkStatus
    },
    async join(url, token, role = 'station') {
      const code = JSON.stringify({ handshake_version: 1, url, token })
      const answer = await node.call('POST', '/api/v1/station/join/', { code, role })
      assert.equal(answer.status, 202, JSON.stringify(answer.body))
    },
    async setUp(list) {
      const settings = { organizer: 'acme', event: 'gala', list, direction: 'entry', name: 'North' }
      const answer = await node.call('PUT', '/api/v1/station/settings/', settings)
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
    },
    async scan(code) {
      const answer = await node.call('POST', '/api/v1/station/scan/', { code, source: 'hand' })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      return answer.body as RowData
    },
    close: () => running.close(),
  }
  return node
}

/** Makes a device on a hub, as its commands do. */
export const makeDeviceAt = (hub: TestNode, organizer: number, name: string): Promise<RowData> =>
  hub.transactions.write((tx) =>
    createDevice(
      tx,
      {
        actor: commandActor,
        place: { organizer, event: 0 },
        organizer: { id: organizer, slug: 'acme' },
        event: null,
      },
      { name, all_events: true },
    ),
  )

/** Waits until something is so; asks again and again, and gives up after most of a minute. */
export async function until(what: string, look: () => Promise<boolean> | boolean): Promise<void> {
  // Some things are looked at every twenty seconds only, and a machine with much to do may stand still for a while.
  const end = realEnv.elapsed() + 50_000
  while (!(await look())) {
    assert.ok(realEnv.elapsed() < end, `It never came so far: ${what}`)
    await new Promise<void>((resolve) => realEnv.after(15, resolve))
    // The timers of the environment do not keep a program running; a request does.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

/** Waits until a node follows the upstream server and holds everything. */
export const followed = (node: TestNode): Promise<void> =>
  until('the node follows', async () => {
    const { upstream, loading, state, data_age } = await node.link()
    return (
      upstream !== null &&
      loading === null &&
      state !== 'alone' &&
      data_age !== null &&
      node.transactions.site > 0
    )
  })

/** A central with a venue, on a database of its own or the given one, and a station that has joined it; `log` is central's. */
export async function startPair(
  codes: readonly string[],
  options: Parameters<typeof startNode>[0] = {},
  upstream?: Database,
  log?: Log,
): Promise<{ central: TestServer; station: TestNode; venue: Venue }> {
  const central = await startTestServer(upstream, null, log ? { log } : {})
  const venue = await openVenue(central, codes)
  const device = await makeDevice(central, 'North')
  const station = await startNode(options)
  await station.join(central.url, String(device.initialization_token))
  await followed(station)
  await station.setUp(venue.list)
  return { central, station, venue }
}

/** The rows that a statement reads; while one copy is replaced by another, in the one that comes. */
export async function rowsOf<Row extends Cells>(
  node: { transactions: Transactions },
  statement: Sql,
): Promise<readonly Row[]> {
  const { transactions } = node
  try {
    return await transactions.database.all<Row>(statement)
  } catch (cause) {
    if (!(cause instanceof Error && /connection is not open/.test(cause.message))) throw cause
    await until('another copy is in use', () => node.transactions !== transactions)
    return rowsOf(node, statement)
  }
}

/** A number that a statement counts; while one copy is replaced by another, in the one that comes. */
export async function countOf(
  node: { transactions: Transactions },
  table: string,
  where = '1 = 1',
): Promise<number> {
  const statement = sql([
    `SELECT count(*) AS count FROM ${table} WHERE ${where}`,
  ] as unknown as TemplateStringsArray)
  const [row] = await rowsOf<{ count: number }>(node, statement)
  return Number(row?.count)
}
