import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database, Queryable } from './database.ts'

/** Reads a lot without ever holding much of it. */
export interface Reading extends Queryable {
  /** The rows of a statement in their order, so many at a time. Others may be asked for between two pages. */
  pages<T>(statement: Sql, size: number): AsyncGenerator<readonly T[], void, void>
}

/** What a database answers, with pages from elsewhere. */
export const withPages = (db: Queryable, pages: Reading['pages']): Reading => ({
  engine: db.engine,
  all: (statement) => db.all(statement),
  get: (statement) => db.get(statement),
  run: (statement) => db.run(statement),
  // What is read belongs to one moment, which may be over.
  remembered: (_key, load) => load(),
  pages,
})

/** Pages that are asked for one by one, for databases so small that they fit into memory. */
async function* counted<T>(db: Queryable, statement: Sql, size: number): AsyncGenerator<readonly T[]> {
  for (let offset = 0; ; offset += size) {
    const rows = await db.all<T>(sql`${statement} LIMIT ${size} OFFSET ${offset}`)
    if (rows.length > 0) yield rows
    if (rows.length < size) return
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

let cursors = 0

/** Pages of a cursor, which lives as long as the transaction. */
async function* fetched<T>(db: Queryable, statement: Sql, size: number): AsyncGenerator<readonly T[]> {
  // The statement that fetches is prepared by its text, so that no two cursors may share a name.
  cursors += 1
  const cursor = raw(`reading_${cursors}`)
  await db.run(sql`DECLARE ${cursor} NO SCROLL CURSOR FOR ${statement}`)
  const fetch = sql`FETCH FORWARD ${raw(String(size))} FROM ${cursor}`
  for (;;) {
    const rows = await db.all<T>(fetch)
    if (rows.length > 0) yield rows
    if (rows.length < size) break
  }
  await db.run(sql`CLOSE ${cursor}`)
}

/**
 * Reads from a database that is in use. On PostgreSQL all of it is of one moment, in a transaction that only reads and
 * so never loses against another one; a SQLite database is asked again and again.
 */
export async function readFrom<T>(database: Database, work: (db: Reading) => Promise<T>): Promise<T> {
  if (database.engine === 'sqlite')
    return work(withPages(database, (statement, size) => counted(database, statement, size)))
  return database.transaction(async (tx) => {
    await tx.run(sql`SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY`)
    return work(withPages(tx, (statement, size) => fetched(tx, statement, size)))
  })
}
