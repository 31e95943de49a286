import { readdir, readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import type { Database } from './database.ts'

/** Where the portable migrations are kept, numbered in the order they apply. */
const folder = new URL('../../schema/database/', import.meta.url)

/** Statements of a script: they end with a semicolon at the end of a line. */
const statementsOf = (script: string): string[] =>
  script
    .replace(/^--.*$/gm, '')
    .split(/;\s*\n/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** A database that this program cannot use; the message says why, and what to do. Nothing of it was changed. */
export class StrangeDatabase extends Error {}

/** A database that a newer version of this program has changed. */
export class NewerDatabase extends StrangeDatabase {
  /** That version, where it is known. */
  readonly writtenBy: string | null

  constructor(migration: string, writtenBy: string | null) {
    const who = writtenBy === null ? 'a newer Gatehouse' : `Gatehouse ${writtenBy}`
    super(
      `The database was changed by ${who} (${migration}), and this one does not know what is in it. Nothing was changed. Update this program, or choose another database.`,
    )
    this.writtenBy = writtenBy
  }
}

/** The migrations that this program brings databases through, in their order. */
const ownMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

const migrationsOf = async (database: Database): Promise<ReadonlySet<string>> =>
  new Set((await database.all<{ name: string }>(sql`SELECT name FROM migration`)).map(({ name }) => name))

/** Whether a database was brought through a migration, of this program or another. */
export const hasMigration = async (database: Database, name: string): Promise<boolean> =>
  (await migrationsOf(database)).has(name)

/** Migrations that a database has not been brought through. */
export async function missingMigrations(database: Database): Promise<string[]> {
  const known = await migrationsOf(database)
  return (await ownMigrations()).filter((name) => !known.has(name))
}

/** Throws where a database has been brought through migrations that this program does not know. */
export async function refuseUnknown(migrations: Iterable<string>, writtenBy: string | null): Promise<void> {
  const own = new Set(await ownMigrations())
  const [unknown] = [...migrations].filter((name) => !own.has(name)).sort()
  if (unknown !== undefined) throw new NewerDatabase(unknown, writtenBy)
}

/** The version that a database says it was changed by last; null where it says nothing. */
const writerOf = (database: Database): Promise<string | null> =>
  database.get<{ program: string | null }>(sql`SELECT program FROM node WHERE id = 1`).then(
    (row) => row?.program ?? null,
    () => null,
  )

/**
 * Brings a database to the newest schema, each migration whole or not at all; the names of those it applied. `program` is
 * the version that does so, which is noted.
 */
export async function migrate(database: Database, program?: string): Promise<string[]> {
  await database.script('CREATE TABLE IF NOT EXISTS migration (name TEXT NOT NULL PRIMARY KEY);\n')
  const files = await ownMigrations()
  const known = await migrationsOf(database)
  await refuseUnknown(known, await writerOf(database))
  const applied: string[] = []
  for (const name of files) {
    if (known.has(name)) continue
    const script = await readFile(new URL(name, folder), 'utf8')
    const fresh = await database.transaction(async (tx) => {
      if (await tx.get(sql`SELECT name FROM migration WHERE name = ${name}`)) return false
      for (const statement of statementsOf(script)) await tx.run(raw(statement))
      await tx.run(sql`INSERT INTO migration (name) VALUES (${name})`)
      return true
    })
    if (fresh) applied.push(name)
  }
  if (applied.length > 0 && program !== undefined)
    await database.run(sql`UPDATE node SET program = ${program} WHERE id = 1`)
  return applied
}
