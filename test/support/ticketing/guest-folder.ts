import Sqlite from 'better-sqlite3'
import { openData, openDatabase } from '../../../server/data.ts'
import { fileIn } from '../../../server/data-address.ts'
import { realEnv } from '../../../server/env.ts'
import type { RowData } from '../../../server/resource/codec.ts'
import { addGuestEvent, type GuestEvent } from './guest-event.ts'

/** Makes a data folder with the event that messy guest lists are for. */
export async function makeGuestFolder(folder: string, values: RowData = {}): Promise<GuestEvent> {
  const transactions = await openData(await openDatabase(folder), realEnv)
  const made = await addGuestEvent(transactions, values)
  await transactions.release()
  await transactions.database.close()
  return made
}

/** Looks into the database of a data folder that somebody else may have open. */
function lookInto<T>(folder: string, look: (database: Sqlite.Database) => T): T {
  const database = new Sqlite(fileIn(folder), { readonly: true })
  try {
    return look(database)
  } finally {
    database.close()
  }
}

/** How many rows each table has, and the numbers of the change feeds. */
export const contentsOf = (folder: string): Readonly<Record<string, unknown>> =>
  lookInto(folder, (database) => {
    const tables = database
      .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name`)
      .pluck()
      .all() as string[]
    const counts = tables.map((name) => [
      name,
      database.prepare(`SELECT count(*) FROM "${name}"`).pluck().get(),
    ])
    return {
      ...Object.fromEntries(counts),
      // Without the marks, which a server sets by itself now and then.
      feeds: database.prepare('SELECT organizer, event, seq FROM feed ORDER BY event').all(),
    }
  })

/** What an import has left in the database: whole orders only. */
interface Imported {
  readonly keys: number
  readonly orders: number
  readonly tickets: number
  readonly searched: number
  /** What would only be there if a row had been written in part, or twice. */
  readonly broken: number
}

const brokenQuery = `
  SELECT (SELECT count(*) FROM imported_guest WHERE order_id NOT IN (SELECT id FROM orders))
    + (SELECT count(*) FROM orders WHERE id NOT IN (SELECT order_id FROM imported_guest))
    + (SELECT count(*) FROM orders WHERE id NOT IN (SELECT order_id FROM order_position))
    + (SELECT count(*) FROM order_position WHERE order_id NOT IN (SELECT id FROM orders))
    + (SELECT count(*) FROM order_position WHERE id NOT IN
        (SELECT row_id FROM change WHERE resource = 'order_position'))
    + (SELECT count(*) FROM orders WHERE id NOT IN (SELECT row_id FROM audit WHERE resource = 'order'))`

/** How many rows of lists imports have brought into a data folder. */
export const rowsImported = (folder: string): number =>
  lookInto(folder, (database) =>
    Number(database.prepare('SELECT count(*) FROM imported_guest').pluck().get()),
  )

/** Counts what imports have brought into a data folder that had no orders before. */
export const importedInto = (folder: string): Imported =>
  lookInto(folder, (database) => {
    const count = (query: string): number => Number(database.prepare(query).pluck().get())
    return {
      keys: count('SELECT count(*) FROM imported_guest'),
      orders: count('SELECT count(*) FROM orders'),
      tickets: count('SELECT count(*) FROM order_position'),
      searched: count('SELECT count(*) FROM position_search'),
      broken: count(brokenQuery),
    }
  })
