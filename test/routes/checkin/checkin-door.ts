import sql from 'sql-template-tag'
import { type Env, realEnv } from '../../../server/env.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import type { Place, Transactions } from '../../../server/resource/transactions.ts'
import type { Database } from '../../../server/storage/database.ts'
import { type Answer, startTestServer, type TestServer } from '../../support/servers/servers.ts'
import { addItem, addList, addOrder } from '../../support/ticketing/tickets.ts'

/** A ticket that was sold. */
export interface Ticket {
  readonly id: number
  readonly order: number
  readonly code: string
  readonly secret: string
}

/** A server with one product and a list that lets everybody in once, and again after they went out. */
export interface Door {
  readonly server: TestServer
  readonly place: Place
  readonly item: number
  readonly list: number
  readonly write: Transactions['write']
  readonly database: Database
  /** Sells a ticket of the product, in a paid order of its own. */
  sell(secret: string, position?: RowData, order?: RowData): Promise<Ticket>
  /** Makes a check-in list of the event. */
  makeList(values?: RowData): Promise<number>
  /** Scans a code on lists, by default on the one list. */
  redeem(secret: string, more?: RowData, headers?: Readonly<Record<string, string>>): Promise<Answer>
  /** Redeems a position or code on one list. */
  redeemAt(list: number, position: string | number, body?: RowData, query?: string): Promise<Answer>
}

/** A clock that stands at a moment, for scans that are said to have been around it. */
export const clockAt = (moment: string): Env => ({ ...realEnv, now: () => Date.parse(moment) })

/** Starts a server with a door on a database, or in memory. */
export async function openDoor(database?: Database, env: Env = realEnv): Promise<Door> {
  const server = await startTestServer(database, null, { env })
  const { transactions } = server.running
  const place = { organizer: server.organizer, event: server.event }
  const write: Transactions['write'] = (work) => transactions.write(work)
  const item = await write((tx) => addItem(tx, place, 'Day ticket'))
  const list = await write((tx) => addList(tx, place, 'Main', { include_pending: true }))
  return {
    server,
    place,
    item,
    list,
    write,
    database: transactions.database,
    sell: (secret, position = {}, order = {}) =>
      write(async (tx) => {
        const sold = await addOrder(tx, place, [{ item, secret, ...position }], order)
        return { id: Number(sold.positions[0]), order: sold.id, code: sold.code, secret }
      }),
    makeList: (values = {}) => write((tx) => addList(tx, place, 'Other', values)),
    redeem: (secret, more = {}, headers = {}) =>
      server.call('POST', `${server.org}/checkinrpc/redeem/`, { secret, lists: [list], ...more }, headers),
    redeemAt: (at, position, body = {}, query = '') =>
      server.call('POST', `${server.ev}/checkinlists/${at}/positions/${position}/redeem/${query}`, body),
  }
}

/** The body of an answer that is an object. */
export const bodyOf = (answer: Answer): RowData => answer.body as RowData

/** An answer to a scan in short: its HTTP status, and what it says. */
export function verdict(answer: Answer): string {
  const { status, reason } = bodyOf(answer)
  return [answer.status, status, reason].filter((word) => word !== undefined).join(' ')
}

/** A stored scan as tests look at it. */
export interface StoredScan {
  readonly id: number
  readonly successful: number
  readonly error_reason: string | null
  readonly error_explanation: string | null
  readonly position: number | null
  readonly list: number
  readonly type: string
  readonly datetime: string
  readonly created: string
  readonly nonce: string | null
  readonly forced: number
  readonly force_sent: number
  readonly raw_barcode: string | null
  readonly device: number | null
  readonly gate: number | null
  readonly ordinal: number | null
}

/** The scans that were stored for a code, oldest first. */
export const scansOf = (door: Door, code: string): Promise<StoredScan[]> =>
  door.database.all<StoredScan>(sql`SELECT * FROM checkin WHERE raw_barcode = ${code} ORDER BY id`)

/** The names of an object's keys, in order. */
export const keysOf = (value: unknown): string[] => Object.keys(value as object).sort()
