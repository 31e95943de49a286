import sql from 'sql-template-tag'
import { checkin } from '../../../schema/resources/checkin/checkin.ts'
import type { Changes } from '../../../schema/sync.ts'
import { openData } from '../../../server/data.ts'
import { realEnv } from '../../../server/env.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { blankRow } from '../../../server/resource/defaults.ts'
import { insertRow } from '../../../server/resource/store.ts'
import type { Place, Transactions, Tx } from '../../../server/resource/transactions.ts'
import type { Database } from '../../../server/storage/database.ts'
import { readChanges } from '../../../server/sync/feed/changes.ts'
import { readCursor } from '../../../server/sync/feed/cursor.ts'
import { feedViewOf } from '../../../server/sync/feed/view.ts'
import { addEvent, addOrganizer } from '../../support/servers/servers.ts'
import { addDevice } from '../../support/ticketing/tickets.ts'
import type { Replica } from './model.ts'

/** A database with an organizer, the events `gala` and `ball`, and a device for both. */
export interface FeedPlace {
  readonly database: Database
  readonly transactions: Transactions
  readonly organizer: number
  readonly gala: Place
  readonly ball: Place
  readonly device: number
}

/** Sets such a database up. */
export async function makeFeedPlace(database: Database, device: RowData = {}): Promise<FeedPlace> {
  const transactions = await openData(database, realEnv)
  return transactions.write(async (tx) => {
    const organizer = await addOrganizer(tx, 'acme')
    const gala = { organizer, event: await addEvent(tx, organizer, 'gala') }
    const ball = { organizer, event: await addEvent(tx, organizer, 'ball') }
    const own = await addDevice(tx, organizer, 1, 'door', device)
    return { database, transactions, organizer, gala, ball, device: own }
  })
}

/** Where a device begins that has nothing at all: in this test only, stations begin with a snapshot. */
export const fromNothing = (tag = 'whole'): string => `${tag};0;`

/** One page for a device. */
export async function pageAfter(
  place: FeedPlace,
  after: string,
  limit = 1000,
  device = place.device,
  withOrders = true,
  database: Database = place.database,
): Promise<Changes> {
  const view = await feedViewOf(database, place.organizer, device, withOrders)
  const cursor = readCursor(after)
  if (!cursor) throw new Error(`No cursor: ${after}`)
  return readChanges(database, view, { epoch: 'epoch', cursor, limit })
}

/** Applies page after page until there is no more; the cursor then. */
export async function catchUp(
  place: FeedPlace,
  replica: Replica,
  after: string,
  limit = 1000,
): Promise<string> {
  for (let cursor = after; ; ) {
    const page = await pageAfter(place, cursor, limit)
    replica.apply(page)
    cursor = page.cursor
    if (!page.more) return cursor
  }
}

/** Adds a check-in; its id. */
export async function addCheckin(
  tx: Tx,
  place: Place,
  list: number,
  position: number | null,
  values: RowData = {},
): Promise<number> {
  const id = tx.nextId()
  await insertRow(tx, checkin, place, {
    ...blankRow(checkin),
    list,
    position,
    datetime: tx.now,
    created: tx.now,
    type: 'entry',
    ...values,
    id,
  })
  return id
}

/** The ids of all rows of a table of an organizer. */
export async function idsOf(database: Database, table: string, organizer: number): Promise<number[]> {
  const statements: Readonly<Record<string, ReturnType<typeof sql>>> = {
    order_position: sql`SELECT id FROM order_position WHERE organizer = ${organizer} ORDER BY id`,
    checkin: sql`SELECT id FROM checkin WHERE organizer = ${organizer} ORDER BY id`,
    gate: sql`SELECT id FROM gate WHERE organizer = ${organizer} ORDER BY id`,
    item: sql`SELECT id FROM item WHERE organizer = ${organizer} ORDER BY id`,
  }
  const statement = statements[table]
  if (!statement) throw new Error(`Not asked for yet: ${table}`)
  return (await database.all<{ id: number }>(statement)).map(({ id }) => id)
}
