import sql, { raw, type Sql } from 'sql-template-tag'
import type { Database } from '../../../server/storage/database.ts'

/** How many parts each table has; more than the organizers of most tests would show no more. */
const parts = 4

/** A unique index or a key of a table. */
interface Key {
  readonly table: string
  readonly columns: readonly string[]
}

/** A reference of a table to another one. */
interface Reference {
  readonly table: string
  readonly name: string
  readonly target: string
  readonly definition: string
}

/** How the tables of a database can be spread over several of them. */
export interface Distribution {
  /** Tables whose rows all belong to an organizer, by which they are spread. */
  readonly spread: readonly string[]
  /** Tables that each database would need whole. */
  readonly global: readonly string[]
  /** References from a spread table to a spread one that do not name the organizer. */
  readonly crossing: readonly string[]
}

const plain = (text: string): Sql => sql`${raw(text)}`

const keysOf = (database: Database): Promise<Key[]> =>
  database.all<Key>(
    sql`SELECT t.relname AS "table", array_agg(a.attname::text ORDER BY k.at) AS columns
        FROM pg_index x JOIN pg_class t ON t.oid = x.indrelid
        CROSS JOIN LATERAL unnest(x.indkey) WITH ORDINALITY k(number, at)
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = k.number
        WHERE t.relnamespace = current_schema()::regnamespace AND t.relkind = 'r' AND x.indisunique
        GROUP BY t.relname, x.indexrelid ORDER BY t.relname`,
  )

const referencesOf = (database: Database): Promise<Reference[]> =>
  database.all<Reference>(
    sql`SELECT conrelid::regclass::text AS "table", conname AS name, confrelid::regclass::text AS target,
          pg_get_constraintdef(oid) AS definition
        FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::regnamespace AND conparentid = 0`,
  )

/** Looks which tables can be spread by their organizer: those that have it in all that is unique in them. */
export async function distributionOf(database: Database): Promise<Distribution> {
  const keys = await keysOf(database)
  const tables = [...new Set(keys.map(({ table }) => table))]
  const isSpread = (table: string) =>
    keys.every((key) => key.table !== table || key.columns.includes('organizer'))
  const spread = tables.filter(isSpread)
  const crossing = (await referencesOf(database))
    .filter(({ table, target }) => spread.includes(table) && spread.includes(target))
    .filter(({ definition }) => !/FOREIGN KEY \(organizer\b.*REFERENCES \S+\(organizer\b/.test(definition))
    .map(({ table, definition }) => `${table}: ${definition}`)
  return { spread, global: tables.filter((table) => !isSpread(table)), crossing }
}

/** The statements that make a partitioned table of an empty one, with its indexes. */
async function partition(database: Database, table: string): Promise<readonly string[]> {
  const indexes = await database.all<{ definition: string; constraint: string | null }>(
    sql`SELECT pg_get_indexdef(x.indexrelid) AS definition,
          (SELECT pg_get_constraintdef(c.oid) FROM pg_constraint c WHERE c.conindid = x.indexrelid AND c.contype IN ('p', 'u')) AS "constraint"
        FROM pg_index x WHERE x.indrelid = ${`"${table}"`}::regclass`,
  )
  return [
    `ALTER TABLE "${table}" RENAME TO "${table}_before"`,
    `CREATE TABLE "${table}" (LIKE "${table}_before" INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING GENERATED) PARTITION BY HASH (organizer)`,
    ...Array.from(
      { length: parts },
      (_, part) =>
        `CREATE TABLE "${table}_${part}" PARTITION OF "${table}" FOR VALUES WITH (MODULUS ${parts}, REMAINDER ${part})`,
    ),
    `DROP TABLE "${table}_before"`,
    ...indexes.map(({ definition, constraint }) =>
      constraint === null ? definition : `ALTER TABLE "${table}" ADD ${constraint}`,
    ),
  ]
}

/** Spreads the tables of a prepared database without rows over parts of the same database, by their organizer. */
export async function spreadByOrganizer(database: Database): Promise<void> {
  const { spread } = await distributionOf(database)
  const references = (await referencesOf(database)).filter(
    ({ table, target }) => spread.includes(table) || spread.includes(target),
  )
  const made: string[] = []
  for (const table of spread) made.push(...(await partition(database, table)))
  const statements = [
    ...references.map(({ table, name }) => `ALTER TABLE ${table} DROP CONSTRAINT "${name}"`),
    ...made,
    ...references.map(
      ({ table, name, definition }) => `ALTER TABLE ${table} ADD CONSTRAINT "${name}" ${definition}`,
    ),
  ]
  await database.transaction(async (tx) => {
    for (const statement of statements) await tx.run(plain(statement))
  })
}
