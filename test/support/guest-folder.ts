import Sqlite from 'better-sqlite3'
import { openData, openDatabase } from '../../server/data.ts'
import { fileIn } from '../../server/data-address.ts'
import { realEnv } from '../../server/env.ts'
import type { RowData } from '../../server/resource/codec.ts'
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
export function lookInto<T>(folder: string, look: (database: Sqlite.Database) => T): T {
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
      feeds: database.prepare('SELECT * FROM feed ORDER BY event').all(),
    }
  })

/** What an import has left in the database: whole orders only. */
export interface Imported {
  readonly keys: number
  readonly orders: number
  readonly tickets: number
  readonly searched: number
  /** What would only be there if a row had been written in part, or twice. */
  readonly broken: number
}

const brokenQuery = `
  SELECT (SELECT count(*) FROM imported_guest g WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = g.order_id))
    + (SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM imported_guest g WHERE g.order_id = o.id))
    + (SELECT count(*) FROM orders o WHERE NOT EXISTS (SELECT 1 FROM order_position p WHERE p.order_id = o.id))
    + (SELECT count(*) FROM order_position p WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.id = p.order_id))
    + (SELECT count(*) FROM order_position p WHERE NOT EXISTS
        (SELECT 1 FROM change c WHERE c.resource = 'order_position' AND c.row_id = p.id))
    + (SELECT count(*) FROM orders o WHERE NOT EXISTS
        (SELECT 1 FROM audit a WHERE a.resource = 'order' AND a.row_id = o.id))`

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
