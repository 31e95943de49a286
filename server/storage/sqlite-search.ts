import Sqlite from 'better-sqlite3'

/** The tables in which SQLite keeps what is found. */
const parts = ['data', 'idx', 'content', 'docsize', 'config']

/**
 * Takes over what was made findable in one SQLite file into another one, that nobody is writing to; what was findable
 * there is forgotten. To copy is a tenth of the work of making it again.
 */
export function moveSearch(from: string, into: string): void {
  const database = new Sqlite(into)
  try {
    database.pragma('busy_timeout = 5000')
    database.pragma('journal_mode = MEMORY')
    database.pragma('synchronous = OFF')
    database.prepare('ATTACH DATABASE ? AS source').run(from)
    // SQLite otherwise protects these tables from everybody but itself.
    database.unsafeMode(true)
    database.transaction(() => {
      for (const part of parts) {
        database.exec(`DELETE FROM main.position_search_${part}`)
        database.exec(`INSERT INTO main.position_search_${part} SELECT * FROM source.position_search_${part}`)
      }
    })()
  } finally {
    database.close()
  }
}
