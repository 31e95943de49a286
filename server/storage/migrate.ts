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

/** The migrations that this program brings databases through, in their order. */
const ownMigrations = async (): Promise<string[]> =>
  (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()

/** The newest migration that this program knows. */
export const newestMigration = async (): Promise<string> => (await ownMigrations()).at(-1) ?? ''

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
export async function refuseUnknown(migrations: Iterable<string>): Promise<void> {
  const own = new Set(await ownMigrations())
  const [unknown] = [...migrations].filter((name) => !own.has(name)).sort()
  if (unknown !== undefined)
    throw new StrangeDatabase(
      `The database was changed by a newer Gatehouse (${unknown}), and this one does not know what is in it. Update this program, or choose another database.`,
    )
}

/** Brings a database to the newest schema, each migration whole or not at all; the names of those it applied. */
export async function migrate(database: Database): Promise<string[]> {
  await database.script('CREATE TABLE IF NOT EXISTS migration (name TEXT NOT NULL PRIMARY KEY);\n')
  const files = await ownMigrations()
  const known = await migrationsOf(database)
  await refuseUnknown(known)
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
  return applied
}
