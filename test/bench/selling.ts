import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { quota } from '../../schema/resources/catalogue/quota.ts'
import { openData, openDatabase } from '../../server/data.ts'
import { instantOf, realEnv } from '../../server/env.ts'
import { quotasOf, quotaUsage } from '../../server/services/quotas/quota-usage.ts'
import { addRow } from '../support/ticketing/orders.ts'
import { addItem } from '../support/ticketing/tickets.ts'
import { type Figure, median, percentile, shownTime } from './figures.ts'
import { startClients, startOurs } from './programs.ts'
import type { Venue } from './venue.ts'

const rounds = 5
const cartsPerRound = 600
const looks = 100
const quotaCount = 200
const ev = '/api/v1/organizers/acme/events/gala'

const request = (method: string, path: string, body = ''): string =>
  [
    `${method} ${ev}${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Token all',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')

/** Adds an item in a quota of its own to a venue, and many quotas that all count its tickets; the item. */
async function addGoods({ folder, file, place }: Venue): Promise<number> {
  const reader = new Sqlite(file, { readonly: true })
  const crowded = Number(reader.prepare('SELECT id FROM item').pluck().get())
  reader.close()
  const database = await openDatabase(folder)
  const transactions = await openData(database, realEnv)
  const hot = await transactions.write(async (tx) => {
    const id = await addItem(tx, place, 'Hot')
    await addRow(tx, quota, place, { name: 'Hot', size: 1_000_000, items: [id] })
    for (let n = 0; n < quotaCount; n += 1)
      await addRow(tx, quota, place, { name: `Crowded ${n}`, size: 1_000_000, items: [crowded] })
    return id
  })
  await transactions.release()
  await database.close()
  return hot
}

/** One row that everybody changes, by the database library alone, each change durable before the next. */
function openHotRow(file: string) {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
  database.exec(
    'CREATE TABLE hot (id INTEGER PRIMARY KEY, taken INTEGER NOT NULL); INSERT INTO hot VALUES (1, 0)',
  )
  const update = database.prepare('UPDATE hot SET taken = taken + 1 WHERE id = 1')
  return {
    perSecond(count: number): number {
      const start = performance.now()
      for (let done = 0; done < count; done += 1) update.run()
      return (count / (performance.now() - start)) * 1000
    },
    close: () => database.close(),
  }
}

/** How long it takes to count what is taken of all quotas of an event, each time. */
async function measureLooks({ folder, place }: Venue): Promise<readonly number[]> {
  const database = await openDatabase(folder)
  const quotas = await quotasOf(database, place)
  if (quotas.length <= quotaCount) throw new Error('There are not as many quotas as were to be looked at.')
  const times: number[] = []
  for (let look = 0; look < looks; look += 1) {
    const start = performance.now()
    await quotaUsage(database, place, quotas, instantOf(realEnv.now()))
    times.push(performance.now() - start)
  }
  await database.close()
  return times
}

/** Measures carts in turns with changes of one row, and looks at many quotas of many tickets. */
export async function measureSelling(venue: Venue): Promise<Figure[]> {
  const hot = await addGoods(venue)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-hot-'))
  const row = openHotRow(join(folder, 'hot.sqlite'))
  const server = await startOurs(venue.folder)
  const clients = startClients()
  const cart = request('POST', '/cartpositions/', JSON.stringify({ item: hot, price: '1.00' }))
  const fill = async (): Promise<number> => {
    const requests = Array<string>(cartsPerRound).fill(cart)
    const { took } = await clients.ask({
      ...{ port: server.port, connections: 32, requests, expected: 'HTTP/1.1 201' },
    })
    return (cartsPerRound / took) * 1000
  }
  await fill()
  const carts: { ours: number; raw: number }[] = []
  for (let round = 0; round < rounds; round += 1) {
    carts.push({ raw: row.perSecond(cartsPerRound), ours: await fill() })
  }
  await clients.stop()
  await server.stop()
  row.close()
  await rm(folder, { recursive: true })
  const times = await measureLooks(venue)
  const ours = median(carts.map((one) => one.ours))
  const against = `${median(carts.map((one) => one.raw)).toFixed(0)} changes of one row/s`
  return [
    {
      what: 'carts of one hot quota over HTTP, 32 clients',
      ...{ ours: `${ours.toFixed(0)}/s`, against, goal: { atLeast: 0.3 } },
      ratio: median(carts.map((one) => one.ours / one.raw)),
    },
    {
      what: 'carts of one hot quota, of the 200/s that are wanted',
      ...{ ours: `${ours.toFixed(0)}/s`, against: '200/s', ratio: ours / 200, goal: { atLeast: 1 } },
    },
    {
      what: `what is left of ${quotaCount} quotas that count ${venue.count} tickets: p50`,
      ...{ ours: shownTime(percentile(times, 0.5)), against: '50 ms', goal: { atMost: 1 } },
      ratio: percentile(times, 0.5) / 50,
    },
  ]
}
