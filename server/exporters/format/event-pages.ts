import sql, { type Sql } from 'sql-template-tag'
import type { EventFacts } from '../../resource/api.ts'
import type { Cells } from '../../storage/database.ts'
import type { CatalogueWords } from './event-catalogue.ts'
import type { Run } from './exporter.ts'
import type { Sheet, TableRow } from './table.ts'

/** So many rows are held at once. */
export const pageSize = 250

/** What a table of an event's rows is read by: `columns` of those in `from`, in an order. */
export interface Listing {
  readonly columns: Sql
  readonly from: Sql
  readonly order: Sql
}

/** How a table is read for an event, and what its rows are. */
interface EventTable<T> {
  readonly listing: (event: EventFacts) => Listing
  readonly rowsOf: (page: readonly T[], words: CatalogueWords) => Promise<TableRow[]> | TableRow[]
}

/** A table of the rows that each event of a run has, one event after the other. */
export async function listed<T>(
  run: Run,
  words: readonly CatalogueWords[],
  head: Pick<Sheet, 'title' | 'columns'>,
  { listing, rowsOf }: EventTable<T>,
): Promise<Sheet> {
  let total = 0
  for (const { event } of words) {
    const counted = await run.db.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM ${listing(event).from}`,
    )
    total += counted?.count ?? 0
  }
  return {
    ...head,
    total,
    async *pages() {
      for (const one of words) {
        const { columns, from, order } = listing(one.event)
        const statement = sql`SELECT ${columns} FROM ${from} ORDER BY ${order}`
        for await (const page of run.db.pages<T>(statement, pageSize)) yield await rowsOf(page, one)
      }
    },
  }
}

/** The ids in some rows, each once, for a statement that needs at least one. */
export const idsIn = (rows: readonly Cells[], key: string): number[] => [
  0,
  ...new Set(rows.flatMap(({ [key]: id }) => (id === null || id === undefined ? [] : [Number(id)]))),
]
