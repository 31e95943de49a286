import { readdir, readFile } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { type Database, type Queryable, StorageError } from './database.ts'

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
export async function refuseUnknown(migrations: Iterable<string>, writtenBy: string | null): Promise<void> {
  const own = new Set(await ownMigrations())
  const [unknown] = [...migrations].filter((name) => !own.has(name)).sort()
  if (unknown !== undefined) throw new NewerDatabase(unknown, writtenBy)
}

/** How often a step on a PostgreSQL that others serve is begun: for a minute at least. */
const attempts = 200

const hasLost = (cause: unknown): boolean =>
  cause instanceof StorageError && (cause.problem === 'busy' || cause.problem === 'conflict')

/**
 * Those who scan and sell on the same PostgreSQL wait behind a migration that waits for a table, so it does not for long.
 * Of several servers that start at the same time one migrates.
 */
async function takeTurn(tx: Queryable): Promise<void> {
  if (tx.engine === 'sqlite') return
  await tx.run(sql`SET LOCAL lock_timeout = '200ms'`)
  await tx.get(sql`SELECT pg_advisory_xact_lock(hashtext('gatehouse migration ' || current_schema()))`)
}

/**
 * Carries statements out and keeps under a name, instead of under those of its steps, that it did; nothing where somebody
 * had. Whether it was this one.
 */
const carryOut = (database: Database, name: string, statements: readonly string[]): Promise<boolean> =>
  database.transaction(async (tx) => {
    await takeTurn(tx)
    if (await tx.get(sql`SELECT name FROM migration WHERE name = ${name}`)) return false
    for (const statement of statements) await tx.run(raw(statement))
    await tx.run(sql`DELETE FROM migration WHERE name LIKE ${`${name}#%`}`)
    await tx.run(sql`INSERT INTO migration (name) VALUES (${name})`)
    return true
  })

/** Carries one statement out as soon as those who use its table let it. */
async function carryOutStep(database: Database, name: string, statement: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      await carryOut(database, name, [statement])
      return
    } catch (cause) {
      if (!hasLost(cause)) throw cause
      if (attempt === attempts)
        throw new StrangeDatabase(
          `The database is too busy to be prepared for this version (${name}). Start it again when there are fewer requests, and it goes on from there; other servers can go on meanwhile.`,
        )
      await database.get(sql`SELECT pg_sleep(0.1 + random() * 0.2)`)
    }
}

/**
 * Carries a migration out statement by statement, each of which waits for one table and so cannot wait for whoever waits
 * for it. What was done is kept until all of it is, and gone on with after a stop.
 */
async function carryOutInSteps(
  database: Database,
  name: string,
  statements: readonly string[],
): Promise<boolean> {
  for (const [index, statement] of statements.entries())
    await carryOutStep(database, `${name}#${index + 1}`, statement)
  return carryOut(database, name, [])
}

/** Carries a migration out; whether nobody else had. */
async function applyMigration(database: Database, name: string, isBegun: boolean): Promise<boolean> {
  const statements = statementsOf(await readFile(new URL(name, folder), 'utf8'))
  if (isBegun) return carryOutInSteps(database, name, statements)
  try {
    return await carryOut(database, name, statements)
  } catch (cause) {
    if (database.engine === 'sqlite' || !hasLost(cause)) throw cause
    return carryOutInSteps(database, name, statements)
  }
}

/** The version that a database says it was changed by last; null where it says nothing. */
const writerOf = (database: Database): Promise<string | null> =>
  database.get<{ program: string | null }>(sql`SELECT program FROM node WHERE id = 1`).then(
    (row) => row?.program ?? null,
    () => null,
  )

/**
 * Brings a database to the newest schema, each migration whole or not at all; the names of those it applied. On a
 * PostgreSQL that other servers scan and sell on, where a whole one gets no turn, it is carried out in steps. `program` is
 * the version that does so, which is noted.
 */
export async function migrate(database: Database, program?: string): Promise<string[]> {
  await database.script('CREATE TABLE IF NOT EXISTS migration (name TEXT NOT NULL PRIMARY KEY);\n')
  const files = await ownMigrations()
  const known = await migrationsOf(database)
  const begun = [...known].map((name) => name.replace(/#\d+$/, ''))
  await refuseUnknown(begun, await writerOf(database))
  const applied: string[] = []
  for (const name of files) {
    if (known.has(name)) continue
    if (await applyMigration(database, name, known.has(`${name}#1`))) applied.push(name)
  }
  if (applied.length > 0 && program !== undefined)
    await database.run(sql`UPDATE node SET program = ${program} WHERE id = 1`)
  return applied
}
