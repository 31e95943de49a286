import sql from 'sql-template-tag'
import { named } from '../../resource/store.ts'
import type { Database } from '../../storage/database.ts'

/** An index of the copy, and the statement that makes it. */
export interface SnapshotIndex {
  readonly name: string
  readonly table: string
  readonly sql: string
}

/** Drops the indexes, except those of the search; they are made again in the end. */
export async function dropIndexes(database: Database): Promise<readonly SnapshotIndex[]> {
  const indexes = await database.all<SnapshotIndex>(
    sql`SELECT name, tbl_name AS "table", sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL AND tbl_name NOT LIKE 'position_search%'`,
  )
  for (const { name } of indexes) await database.script(`DROP INDEX "${name}";`)
  return indexes
}

/** How many rows some tables have. */
export async function sizesOf(
  database: Database,
  tables: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for (const table of new Set(tables)) {
    const row = await database.get<{ count: number }>(sql`SELECT count(*) AS count FROM ${named(table)}`)
    sizes.set(table, row?.count ?? 0)
  }
  return sizes
}

/**
 * Makes an index again. A snapshot is not of one moment, so two rows may hold for now what only one may: such an index
 * lets them, until the changes that follow have set it right and the next start of a copy makes a strict one.
 */
export async function makeIndex(database: Database, { name, sql: text }: SnapshotIndex): Promise<void> {
  try {
    await database.script(`${text};`)
  } catch {
    await database.script(`DROP INDEX IF EXISTS "${name}"; ${text.replace(/^CREATE UNIQUE/i, 'CREATE')};`)
  }
}
