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

/** Migrations that a database has not been brought through. */
export async function missingMigrations(database: Database): Promise<string[]> {
  const known = new Set(
    (await database.all<{ name: string }>(sql`SELECT name FROM migration`)).map((row) => row.name),
  )
  return (await readdir(folder)).filter((name) => name.endsWith('.sql') && !known.has(name)).sort()
}

/** Brings a database to the newest schema, each migration whole or not at all; the names of those it applied. */
export async function migrate(database: Database): Promise<string[]> {
  await database.script('CREATE TABLE IF NOT EXISTS migration (name TEXT NOT NULL PRIMARY KEY);\n')
  const files = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  const known = new Set(
    (await database.all<{ name: string }>(sql`SELECT name FROM migration`)).map((row) => row.name),
  )
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
