import sql, { bulk, empty, join, raw, type Sql } from 'sql-template-tag'
import type { Cells, Database, Queryable } from './database.ts'
import type { CopiedTable } from './table-order.ts'

/** Values that one statement may carry on every engine. */
const mostValues = 30_000
/** Rows of one statement. */
const mostRows = 500
const fewestRows = 10
/** What is read at a time, in characters, so that files with contents do not fill the memory. */
const portion = 4 * 2 ** 20

const named = (names: readonly string[]): Sql => join(names.map((name) => raw(`"${name}"`)))

const everyRow = sql`1 = 1`

const sizeOf = (rows: readonly Cells[]): number =>
  rows.reduce(
    (sum, row) => sum + Object.values(row).reduce<number>((all, cell) => all + lengthOf(cell), 0),
    0,
  )

const lengthOf = (cell: string | number | null): number => (typeof cell === 'string' ? cell.length : 8)

/** How many rows are read next, after so many of so many characters. */
function nextCount(table: CopiedTable, count: number, size: number): number {
  const most = Math.min(mostRows, Math.floor(mostValues / table.columns.length))
  return Math.min(most, Math.max(fewestRows, size > portion ? Math.floor(count / 4) : count * 2))
}

/** The rows of a table that fulfil a condition, in the order of its key, some at a time. */
export async function* rowsInOrder(
  from: Queryable,
  table: CopiedTable,
  condition: Sql = everyRow,
): AsyncGenerator<Cells[]> {
  const [columns, key] = [named(table.columns), named(table.key)]
  let count = fewestRows
  let last: Cells | undefined
  for (;;) {
    const behind: Sql = last ? sql` AND (${key}) > (${join(table.key.map((one) => last?.[one]))})` : empty
    const rows = await from.all<Cells>(
      sql`SELECT ${columns} FROM ${named([table.name])} WHERE ${condition}${behind} ORDER BY ${key} LIMIT ${count}`,
    )
    if (rows.length > 0) yield rows
    if (rows.length < count) return
    last = rows.at(-1)
    count = nextCount(table, count, sizeOf(rows))
  }
}

/** Fills in what a row refers to in its own table, once all of its rows are there. */
async function referToOwn(to: Queryable, table: CopiedTable, row: Cells): Promise<void> {
  const set = table.own.map((column) => sql`${named([column])} = ${row[column]}`)
  const same = table.key.map((column) => sql`${named([column])} = ${row[column]}`)
  await to.run(sql`UPDATE ${named([table.name])} SET ${join(set)} WHERE ${join(same, ' AND ')}`)
}

/** Puts rows into a table, in the order of its key. */
export class TableFilling {
  readonly #to: Queryable
  readonly #table: CopiedTable
  readonly #number: string
  readonly #referring: Cells[] = []

  constructor(to: Queryable, table: CopiedTable) {
    this.#to = to
    this.#table = table
    this.#number = table.key.at(-1) ?? ''
  }

  /** Puts the next rows in, without what refers to rows of the same table that are still to come. */
  async add(rows: readonly Cells[]): Promise<void> {
    const { name, columns, key, own } = this.#table
    const isLater = (row: Cells, column: string): boolean =>
      own.includes(column) && Number(row[column] ?? 0) > Number(row[this.#number])
    const values = rows.map((row) =>
      columns.map((column) => (isLater(row, column) ? null : (row[column] ?? null))),
    )
    await this.#to.run(sql`INSERT INTO ${named([name])} (${named(columns)}) VALUES ${bulk(values)}`)
    for (const row of rows)
      if (own.some((column) => isLater(row, column)))
        this.#referring.push(
          Object.fromEntries([...key, ...own].map((column) => [column, row[column] ?? null])),
        )
  }

  /** Fills that in, once all rows are there. */
  async finish(): Promise<void> {
    for (const row of this.#referring.splice(0)) await referToOwn(this.#to, this.#table, row)
  }
}

async function copyTable(
  from: Queryable,
  to: Queryable,
  table: CopiedTable,
  copied: (rows: number) => void,
): Promise<void> {
  const filling = new TableFilling(to, table)
  for await (const rows of rowsInOrder(from, table)) {
    await filling.add(rows)
    copied(rows.length)
  }
  await filling.finish()
}

/** How many rows there are in some tables, of those that fulfil a condition. */
export async function countAllRows(
  database: Queryable,
  tables: readonly CopiedTable[],
  conditionOf: (table: CopiedTable) => Sql = () => everyRow,
): Promise<number> {
  let sum = 0
  for (const table of tables) {
    const row = await database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM ${named([table.name])} WHERE ${conditionOf(table)}`,
    )
    sum += row?.count ?? 0
  }
  return sum
}

/**
 * Puts every row of a database into another one whose tables have the same columns, in one transaction: all of them are
 * there or none. The tables come in an order in which each is behind those that it refers to; what is in them is
 * replaced. `copied` hears of each portion; where a transaction is begun anew, so is the counting. Answers how many rows
 * were copied.
 */
export function copyTables(
  from: Database,
  to: Database,
  {
    tables,
    finish,
    progress,
  }: {
    readonly tables: readonly CopiedTable[]
    /** What else belongs to the transaction. */
    readonly finish: (tx: Queryable) => Promise<void>
    readonly progress: (rows: number) => void
  },
): Promise<number> {
  return to.transaction(async (tx) => {
    let sum = 0
    for (const { name } of tables.toReversed()) await tx.run(sql`DELETE FROM ${named([name])}`)
    for (const table of tables)
      await copyTable(from, tx, table, (rows) => {
        sum += rows
        progress(sum)
      })
    await finish(tx)
    return sum
  })
}
