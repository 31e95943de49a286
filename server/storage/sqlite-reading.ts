import Sqlite from 'better-sqlite3'
import type { Sql } from 'sql-template-tag'
import { Memory } from './memory.ts'
import { type Reading, withPages } from './reading.ts'
import { Connection } from './sqlite-connection.ts'

/** So many KiB of the file are kept in memory: whoever reads all of it once has little use for more. */
const cache = 2048

/** Opens a SQLite file to read all of it as it is at this moment, whoever writes meanwhile. */
export async function readSqliteFile<T>(file: string, work: (db: Reading) => Promise<T>): Promise<T> {
  const database = new Sqlite(file, { readonly: true })
  try {
    database.pragma('busy_timeout = 5000')
    database.pragma(`cache_size = -${cache}`)
    const connection = new Connection(database, new Memory(() => 0))
    database.exec('BEGIN')
    async function* pages<T>(statement: Sql, size: number): AsyncGenerator<readonly T[]> {
      let page: T[] = []
      for (const row of database.prepare(statement.sql).iterate(...statement.values)) {
        page.push(row as T)
        if (page.length < size) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    }
    return await work(withPages(connection, pages))
  } finally {
    database.close()
  }
}
