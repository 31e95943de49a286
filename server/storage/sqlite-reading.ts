import { rm } from 'node:fs/promises'
import Sqlite from 'better-sqlite3'
import type { Sql } from 'sql-template-tag'
import { copyDatabase } from './backup.ts'
import { Memory } from './memory.ts'
import { type Reading, withPages } from './reading.ts'
import { Connection } from './sqlite-connection.ts'

/** So many KiB of the file are kept in memory: whoever reads all of it once has little use for more. */
const cache = 2048

/** Loads the driver, which otherwise happens when the first database is opened. */
export const loadSqlite = (): void => void new Sqlite(':memory:').close()

/**
 * Reads all of a SQLite file as it is at this moment, whoever writes meanwhile: from a copy that lives as long as the
 * work. Reading the file itself for so long would keep its log from being shortened.
 */
export async function readSqliteFile<T>(
  file: string,
  copy: string,
  work: (db: Reading) => Promise<T>,
): Promise<T> {
  try {
    await copyDatabase(file, copy)
    return await readCopy(copy, work)
  } finally {
    for (const part of [copy, `${copy}-journal`]) await rm(part, { force: true })
  }
}

async function readCopy<T>(copy: string, work: (db: Reading) => Promise<T>): Promise<T> {
  const database = new Sqlite(copy, { readonly: true })
  try {
    database.pragma(`cache_size = -${cache}`)
    const connection = new Connection(database, new Memory(() => 0))
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
