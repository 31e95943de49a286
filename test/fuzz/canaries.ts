import sql, { raw } from 'sql-template-tag'
import type { RowData } from '../../server/resource/codec.ts'
import type { Database } from '../../server/storage/database.ts'

/** What every text of somebody else is marked with, and a number. */
const mark = 'qzx'

/** Whether a word is of a text of somebody else. */
export const isMarked = (word: string): boolean => /qzx(\d{6}|aa$|cc$|voucher)/i.test(word)

/** Columns whose values are good for nothing but finding or opening something. */
const isKey = (column: string): boolean => /code|secret|token|identifier|pseudonymization|guid/.test(column)

interface Table {
  readonly name: string
  readonly columns: readonly string[]
}

const known = new WeakMap<Database, Promise<Table[]>>()

/** Every table with rows of organizers. */
function tablesOf(database: Database): Promise<Table[]> {
  const tables = known.get(database) ?? readTables(database)
  known.set(database, tables)
  return tables
}

async function readTables(database: Database): Promise<Table[]> {
  const names = await database.all<{ name: string }>(sql`SELECT name FROM sqlite_master WHERE type = 'table'`)
  const tables: Table[] = []
  for (const { name } of names) {
    const columns = await database.all<{ name: string }>(sql`SELECT name FROM pragma_table_info(${name})`)
    tables.push({ name, columns: columns.map((column) => column.name) })
  }
  return tables.filter(({ columns }) => columns.includes('organizer'))
}

/** Whose rows: those of an organizer, or those of one event of it. */
export interface Owner {
  readonly organizer: number
  readonly event?: number
}

/** Every row of somebody, by its table. */
export async function rowsOf(
  database: Database,
  { organizer, event }: Owner,
): Promise<readonly (readonly [string, RowData])[]> {
  const found: [string, RowData][] = []
  for (const { name, columns } of await tablesOf(database)) {
    if (event !== undefined && !columns.includes('event')) continue
    const within = event === undefined ? sql`1 = 1` : sql`event = ${event}`
    const rows = await database.all<RowData>(
      sql`SELECT * FROM ${raw(name)} WHERE organizer = ${organizer} AND ${within}`,
    )
    for (const row of rows) found.push([name, row])
  }
  return found
}

/** The ids, codes and secrets of rows, each as it stands in a text. */
export function keysOf(rows: readonly (readonly [string, RowData])[], leastId: number): Set<string> {
  const keys = new Set<string>()
  for (const [, row] of rows)
    for (const [column, value] of Object.entries(row)) {
      if (column === 'id' && Number(value) >= leastId) keys.add(String(value))
      if (isKey(column) && typeof value === 'string' && /^[A-Za-z0-9]{5,}$/.test(value)) keys.add(value)
    }
  return keys
}

/** The words of a text that could be a key or a marked text. */
export const wordsOf = (text: string): Set<string> => new Set(text.match(/[A-Za-z0-9]{5,}/g))

/** A copy of a body in which all that people read has the mark. */
export function marked(value: unknown, next: () => number, key = ''): unknown {
  if (key === 'layout') return value
  if (Array.isArray(value)) return value.map((one) => marked(one, next, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        marked(inner, next, isLanguage(name) ? key : name),
      ]),
    )
  if (typeof value !== 'string') return value
  if (/email/.test(key)) return value.replace('@example.org', `@${mark}${next()}.example`)
  return isRead(key) && value !== '' ? `${mark}${next()} ${value}` : value
}

const isLanguage = (name: string): boolean => /^(en|de|fr)$/.test(name)

const isRead = (key: string): boolean =>
  /^(name|internal_name|comment|attendee_name|given_name|family_name|full_name|company|street|question|description|location|answer|text|subject|label|tag|checkin_text)$/.test(
    key,
  )
