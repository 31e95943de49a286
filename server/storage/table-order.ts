import sql from 'sql-template-tag'
import type { Database } from './database.ts'

/** A table as it can be copied. */
export interface CopiedTable {
  readonly name: string
  readonly columns: readonly string[]
  /** The columns of its primary key, in their order. */
  readonly key: readonly string[]
  /** Columns that refer to rows of the same table, which may come later. */
  readonly own: readonly string[]
  /** Tables that its rows refer to. */
  readonly needs: ReadonlySet<string>
}

/** What each engine makes for itself, and what says which schema there is. */
const notCopied = /^(sqlite_|position_search|search_unfilled|migration$)/

async function describe(database: Database, name: string): Promise<CopiedTable> {
  const columns = await database.all<{ name: string; pk: number }>(
    sql`SELECT name, pk FROM pragma_table_info(${name})`,
  )
  const references = await database.all<{ column: string; target: string }>(
    sql`SELECT "from" AS "column", "table" AS target FROM pragma_foreign_key_list(${name})`,
  )
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  const own = references.filter(({ target, column }) => target === name && column !== 'organizer')
  return {
    name,
    columns: columns.map((column) => column.name),
    key: key.map((column) => column.name),
    own: own.map(({ column }) => column),
    needs: new Set(references.map(({ target }) => target).filter((target) => target !== name)),
  }
}

/** The tables of a SQLite database, each behind those that its rows refer to. */
export async function tablesInOrder(database: Database): Promise<CopiedTable[]> {
  const names = await database.all<{ name: string }>(
    sql`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`,
  )
  const left = new Map<string, CopiedTable>()
  for (const { name } of names) if (!notCopied.test(name)) left.set(name, await describe(database, name))
  const ordered: CopiedTable[] = []
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ needs }) => ![...needs].some((one) => left.has(one)))
    if (ready.length === 0) throw new Error(`${[...left.keys()].join()} refer to each other.`)
    for (const table of ready) left.delete(table.name)
    ordered.push(...ready)
  }
  return ordered
}
