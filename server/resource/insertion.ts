import { bulk, type Sql } from 'sql-template-tag'
import type { Queryable } from '../storage/database.ts'
import { shaped } from '../storage/shaped.ts'

/** A value as it is stored. */
export type Cell = string | number | null

/** Inserts rows, each as the values of its columns. */
export type Insertion = (db: Queryable, rows: readonly Cell[][]) => Promise<void>

/** Makes an insertion of rows with so many columns. */
export function insertion(columns: number, write: (rows: Sql) => Sql, rowsPerInsert = 50): Insertion {
  const one = shaped((...values: readonly Cell[]) => write(bulk([values])), columns)
  return async (db, rows) => {
    // SQLite has the statement for one row prepared; the text of one for several would be put together each time.
    if (db.engine === 'sqlite' || rows.length === 1) for (const row of rows) await db.run(one(...row))
    else
      for (let first = 0; first < rows.length; first += rowsPerInsert)
        await db.run(write(bulk(rows.slice(first, first + rowsPerInsert))))
  }
}
