import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { LinkStatus } from '../../../schema/station-link.ts'
import { openData, openDatabase } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import { sell } from '../../support/servers/nodes.ts'
import { addEvent, addOrganizer, addToken, allRights } from '../../support/servers/servers.ts'
import { addItem, addList } from '../../support/ticketing/tickets.ts'
import { type Machine, waitFor } from './machine.ts'

const cli = fileURLToPath(new URL('../../../server/cli.ts', import.meta.url))

/** The organizer `acme` with its event `gala`, as it is at central from the beginning. */
export interface Ground {
  readonly organizer: number
  readonly event: number
  readonly list: number
  /** Sold at the door, in a quota of its own. */
  readonly item: number
  readonly quota: number
}

export const org = '/api/v1/organizers/acme'
export const ev = `${org}/events/gala`

/** Codes of tickets that were sold before: so many, with numbers from 0. */
export const codesOf = (count: number, prefix = 'T'): string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}`)

/** Gives out tickets that nobody has used yet. */
export function freshOf(codes: readonly string[]): (count: number) => string[] {
  let next = 0
  return (count) => {
    next += count
    return codes.slice(next - count, next)
  }
}

/** Makes the event in the data folder of a machine that does not run yet. */
export async function prepareGround(folder: string, codes: readonly string[], size = 10): Promise<Ground> {
  const database = await openDatabase(folder)
  const transactions = await openData(database, realEnv)
  const made = await transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    await addToken(tx, organizer, 'all', allRights)
    const event = await addEvent(tx, organizer, 'gala', { live: true })
    const place = { organizer, event }
    const item = await addItem(tx, place, 'At the door')
    const before = await addItem(tx, place, 'Sold before')
    const limit = tx.nextId()
    const values = { name: 'House', size, items: [item], variations: [] }
    await insertRow(tx, quota, place, { ...blankRow(quota), ...values, id: limit })
    return { organizer, event, item, before, quota: limit, list: await addList(tx, place, 'Doors') }
  })
  for (let first = 0; first < codes.length; first += 500)
    await transactions.write((tx) =>
      sell(tx, made.organizer, made.event, made.before, codes.slice(first, first + 500)),
    )
  await transactions.release()
  await database.close()
  return made
}

/** Makes a device at a running central; its row as a person sees it, with the one-time token. */
export async function createDevice(central: Machine, name: string, values: RowData = {}): Promise<RowData> {
  const answer = await central.call('POST', `${org}/devices/`, { name, all_events: true, ...values })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body as RowData
}

/** Makes a device of a hub's own, at its command line beside the running hub. */
export async function createDeviceAt(hub: Machine, name: string): Promise<RowData> {
  const words = ['device', 'create', '--data', hub.folder, '--organizer', 'acme', '--name', name]
  const { stdout } = await promisify(execFile)(process.execPath, [cli, ...words, '--all-events', '--json'])
  return JSON.parse(stdout)
}

/** How a station and the upstream server get on. */
export const linkOf = async (machine: Machine): Promise<LinkStatus> =>
  (await machine.call('GET', '/api/v1/station/link/')).body as LinkStatus

/** Scans the pairing code of a device at a machine, and waits until it holds everything. */
export async function join(
  machine: Machine,
  url: string,
  device: RowData,
  role: 'station' | 'hub' = 'station',
): Promise<void> {
  const code = JSON.stringify({ handshake_version: 1, url, token: device.initialization_token })
  const answer = await machine.call('POST', '/api/v1/station/join/', { code, role })
  assert.equal(answer.status, 202, JSON.stringify(answer.body))
  await isFollowing(machine)
}

/** Waits until a machine holds everything and hears from the upstream server. */
export const isFollowing = (machine: Machine): Promise<void> =>
  waitFor(`${machine.name} follows`, async () => {
    const { upstream, loading, state, data_age } = await linkOf(machine)
    return upstream !== null && loading === null && state !== 'alone' && data_age !== null
  }).catch(async (cause: Error) => {
    throw new Error(`${cause.message}: ${JSON.stringify(await linkOf(machine))} ${machine.log.slice(-3000)}`)
  })

/** Sets a station up for the doors. */
export async function setUp(machine: Machine, list: number): Promise<void> {
  const settings = { organizer: 'acme', event: 'gala', list, direction: 'entry', name: machine.name }
  const answer = await machine.call('PUT', '/api/v1/station/settings/', settings)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
}

/** Scans a code at a station; what its screen shows. */
export async function scan(machine: Machine, code: string, nonce?: string): Promise<RowData> {
  const body = { code, source: 'hand', ...(nonce === undefined ? {} : { nonce }) }
  const answer = await machine.call('POST', '/api/v1/station/scan/', body)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  return answer.body as RowData
}

/** Sells some tickets at a till, paid at once; the status of the answer, and the codes of the tickets. */
export async function sellAt(
  machine: Machine,
  item: number,
  count = 1,
): Promise<{ status: number; codes: string[]; body: RowData }> {
  const body = {
    status: 'p',
    payment_provider: 'manual',
    positions: Array.from({ length: count }, () => ({ item })),
  }
  const answer = await machine.call('POST', `${ev}/orders/`, body)
  const order = answer.body as RowData & { positions?: { secret: string }[] }
  return {
    status: answer.status,
    codes: (order.positions ?? []).map(({ secret }) => secret),
    body: order,
  }
}

/** Waits until a station has reported everything; of what was refused it says what. */
export async function isReported(machine: Machine, seconds?: number): Promise<void> {
  await waitFor(
    `${machine.name} has reported everything`,
    async () => (await linkOf(machine)).queue === 0,
    seconds,
  )
  assert.deepEqual(machine.read("SELECT kind, reason, result FROM outbox WHERE state = 'parked'"), [])
}

/** What is compared of machines that have agreed, without what each notes for itself. */
const compared: Readonly<Record<string, readonly string[]>> = {
  item: [],
  quota: [],
  checkin_list: [],
  orders: ['last_modified'],
  order_position: [],
  order_payment: [],
  checkin: [],
  conflict: [],
  quota_lease: [],
}

const contentOf = (machine: Machine, besides: readonly string[]): Map<string, string> => {
  const rows = Object.entries(compared).flatMap(([table, without]) =>
    machine.read(`SELECT * FROM "${table}" ORDER BY id`).map((row) => {
      const kept = Object.entries(row)
        .filter(([column]) => !without.includes(column) && !besides.includes(column))
        .sort(([a], [b]) => (a < b ? -1 : 1))
      return [`${table} ${row.id}`, JSON.stringify(kept)] as const
    }),
  )
  return new Map(rows)
}

/** The first thing in which a machine differs from another one, besides some columns, or null. */
export function differenceOf(one: Machine, other: Machine, besides: readonly string[] = []): string | null {
  const [expected, found] = [contentOf(one, besides), contentOf(other, besides)]
  for (const [key, row] of expected)
    if (found.get(key) !== row) return `${key}: ${one.name} ${row}, ${other.name} ${found.get(key)}`
  for (const [key, row] of found) if (!expected.has(key)) return `${key}: only ${other.name} ${row}`
  return null
}

/** Waits until all machines hold the same. */
export async function agree(central: Machine, others: readonly Machine[]): Promise<void> {
  let last: string | null = null
  await waitFor('all hold the same', () => {
    last = others.map((other) => differenceOf(central, other)).find((one) => one !== null) ?? null
    return last === null
  }).catch((cause: Error) => {
    throw new Error(`${cause.message}: ${last}`)
  })
}

/** The codes that were admitted as a machine knows it, with how often. */
export const admittedAt = (machine: Machine): Map<string, number> =>
  new Map(
    machine
      .read<{ code: string; count: number }>(
        `SELECT p.secret AS code, count(*) AS count FROM checkin c JOIN order_position p ON p.id = c."position"
         WHERE c.successful = 1 AND c.type = 'entry' GROUP BY p.secret`,
      )
      .map(({ code, count }) => [code, count]),
  )

/** Numbers that a statement counts. */
export const countAt = (machine: Machine, what: string): number =>
  Number(machine.read<{ count: number }>(`SELECT count(*) AS count FROM ${what}`)[0]?.count)
