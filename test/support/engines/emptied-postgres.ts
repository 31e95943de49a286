import sql from 'sql-template-tag'
import type { Database } from '../../../server/storage/database.ts'
import { migrate } from '../../../server/storage/migrate.ts'
import { prepareSearch } from '../../../server/storage/search.ts'

/** More than this in one table, and emptying it leaves so much behind that a new database is quicker; bytes. */
const much = 2 * 1024 * 1024

/**
 * Puts the schema in place, and beside it the function that takes all rows away again: making the schema takes hundreds
 * of milliseconds, the function takes four. `change` is done to the schema before.
 */
export async function prepare(
  database: Database,
  change: (database: Database) => Promise<void> = async () => undefined,
): Promise<void> {
  await migrate(database)
  await prepareSearch(database)
  await change(database)
  const tables = await database.all<{ name: string }>(
    sql`SELECT relname AS name FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace AND relname <> 'migration'`,
  )
  const deletions = tables.map(({ name }) => `DELETE FROM "${name}";`).join(' ')
  await database.script(
    `CREATE FUNCTION emptied() RETURNS bigint LANGUAGE plpgsql AS $$ BEGIN
       SET LOCAL session_replication_role = replica; ${deletions} SET LOCAL session_replication_role = origin;
       RETURN (SELECT max(pg_relation_size(oid)) FROM pg_class
         WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace); END $$;\n`.replace(
      /\n +/g,
      ' ',
    ),
  )
}

/** Takes all rows out of a prepared database; whether it is as good as a new one, which it is not after very many. */
export async function empty(database: Database): Promise<boolean> {
  try {
    const row = await database.get<{ emptied: number }>(sql`SELECT emptied() AS emptied`)
    return row !== undefined && row.emptied < much
  } catch {
    // Only administrators may do without looking at references.
    return false
  }
}
