import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quota } from '../../schema/resources/catalogue/quota.ts'
import { openData, openDatabase } from '../../server/data.ts'
import { realEnv } from '../../server/env.ts'
import { addRow } from '../support/ticketing/orders.ts'
import { addItem } from '../support/ticketing/tickets.ts'
import { type Figure, median, percentile, shownTime } from './figures.ts'
import { startBare, startClients, startOurs } from './programs.ts'
import type { Venue } from './venue.ts'

const rounds = 5
const asked = 150
const ev = '/api/v1/organizers/acme/events/gala'

/** What a till asks for: the price of a basket after each tap, and the sale when it is paid; milliseconds it may take. */
const steps = {
  'two tickets priced at a till': { values: { simulate: true }, atMost: 20, patience: 100 },
  'two tickets sold at a till': {
    values: { status: 'p', payment_provider: 'boxoffice', expected_total: '46.00' },
    ...{ atMost: 10, patience: 50 },
  },
}

function requestOf(item: number, values: object): string {
  const positions = [{ item }, { item }]
  const body = JSON.stringify({ ...values, positions, sales_channel: 'boxoffice', locale: 'en' })
  return [
    `POST ${ev}/orders/ HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Token all',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    '',
    body,
  ].join('\r\n')
}

/** Adds what a till sells to a venue; its item. */
async function addTillGoods({ folder, place }: Venue): Promise<number> {
  const database = await openDatabase(folder)
  const transactions = await openData(database, realEnv)
  const item = await transactions.write(async (tx) => {
    const id = await addItem(tx, place, 'Till', { default_price: '23.00', sales_channels: ['boxoffice'] })
    await addRow(tx, quota, place, { name: 'Till', size: 1_000_000, items: [id] })
    return id
  })
  await transactions.release()
  await database.close()
  return item
}

/** Measures what a till waits for, in turns with a bare server that stores one row for each request. */
export async function measureBoxOffice(venue: Venue): Promise<Figure[]> {
  const item = await addTillGoods(venue)
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-till-'))
  const [ours, bare] = [await startOurs(venue.folder), await startBare(join(folder, 'bare.sqlite'))]
  const clients = startClients()
  const times = async (port: number, values: object): Promise<readonly number[]> => {
    const requests = Array<string>(asked).fill(requestOf(item, values))
    return (await clients.ask({ port, connections: 1, requests, expected: 'HTTP/1.1 201' })).latencies
  }
  const figures: Figure[] = []
  for (const [what, { values, atMost, patience }] of Object.entries(steps)) {
    await times(ours.port, values)
    const measured: { ours: readonly number[]; bare: readonly number[] }[] = []
    for (let round = 0; round < rounds; round += 1)
      measured.push({ bare: await times(bare.port, values), ours: await times(ours.port, values) })
    const all = (kind: 'ours' | 'bare') => measured.flatMap((one) => one[kind])
    const shown = (kind: 'ours' | 'bare') =>
      `${shownTime(percentile(all(kind), 0.5))}, ${shownTime(percentile(all(kind), 0.99))}`
    figures.push({
      what: `${what}, 1 client: p50, p99`,
      ...{ ours: shown('ours'), against: shown('bare'), goal: { atMost } },
      ratio: median(measured.map((one) => percentile(one.ours, 0.5) / percentile(one.bare, 0.5))),
    })
    const p99 = percentile(all('ours'), 0.99)
    figures.push({
      what: `${what}: p99 of the ${patience} ms that are wanted`,
      ...{ ours: shownTime(p99), against: `${patience} ms`, ratio: p99 / patience, goal: { atMost: 1 } },
    })
  }
  await clients.stop()
  await Promise.all([ours.stop(), bare.stop()])
  await rm(folder, { recursive: true })
  return figures
}
