import { bulk, type Sql } from 'sql-template-tag'
import { shaped } from '../storage/shaped.ts'

/** A value as it is stored. */
export type Cell = string | number | null

/** An insertion of rows, ready for a single one, which is the usual case. */
export function insertion(columns: number, write: (rows: Sql) => Sql): (rows: readonly Cell[][]) => Sql {
  const one = shaped((...values: readonly Cell[]) => write(bulk([values])), columns)
  return (rows) => (rows.length === 1 && rows[0] ? one(...rows[0]) : write(bulk(rows)))
}
