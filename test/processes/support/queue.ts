import type Sqlite from 'better-sqlite3'

type Row = Readonly<Record<string, unknown>>

/**
 * Adds scans like the last one of a station, with their facts, as if it had been alone for very long. They are rows that
 * are inserted beside the program, since scanning as often would take minutes.
 */
export function addQueue(database: Sqlite.Database, count: number): void {
  const fact = database.prepare('SELECT * FROM outbox ORDER BY seq DESC LIMIT 1').get() as Row
  const { row } = JSON.parse(String(fact.payload)) as { row: { id: number } }
  const stored = database.prepare('SELECT * FROM checkin WHERE id = ?').get(row.id) as Row
  const outbox = inserter(database, 'outbox', fact)
  const checkin = inserter(database, 'checkin', stored)
  database.transaction(() => {
    for (let index = 1; index <= count; index += 1) {
      const own = {
        id: row.id + 1_000_000 + index,
        nonce: `queued ${index}`,
        raw_barcode: `nobody has code ${index}`,
      }
      checkin({ ...stored, ...own })
      outbox({
        ...fact,
        seq: Number(fact.seq) + index,
        site_seq: Number(fact.site_seq) + index,
        nonce: `fact ${index}`,
        payload: JSON.stringify({ row: { ...row, ...own }, secret: null }),
      })
    }
  })()
}

/** Inserts rows that look like another one of a table. */
export function inserter(database: Sqlite.Database, table: string, model: Row): (row: Row) => void {
  const names = Object.keys(model)
  const statement = database.prepare(
    `INSERT INTO ${table} (${names.map((name) => `"${name}"`).join()}) VALUES (${names.map((name) => `@${name}`).join()})`,
  )
  return (row) => {
    statement.run(row)
  }
}
