import sql from 'sql-template-tag'
import type { Database, Queryable } from '../../storage/database.ts'
import { StrangeDatabase } from '../../storage/migrate.ts'

/** Where the data of a database went; null where they are still there, undefined where there never were any. */
export async function movedTo(database: Queryable): Promise<string | null | undefined> {
  const row = await database.get<{ moved_to: string | null }>(sql`SELECT moved_to FROM node WHERE id = 1`)
  return row?.moved_to
}

/** Notes that the data of a database have arrived there, and nowhere else before. */
export async function markArrived(database: Queryable): Promise<void> {
  await database.run(sql`UPDATE node SET moved_to = NULL, written_on = NULL WHERE id = 1`)
}

/** Notes where the data of a database go, so that nobody serves what is left behind; null takes that back. */
export async function markMoved(database: Queryable, place: string | null): Promise<void> {
  await database.run(sql`UPDATE node SET moved_to = ${place} WHERE id = 1`)
}

/** Throws where the data of a database went elsewhere. */
export async function refuseMoved(database: Queryable): Promise<void> {
  const place = await movedTo(database)
  if (place)
    throw new StrangeDatabase(
      `The data that were here were moved to ${place}. Start the server there; to stay here instead, use "move" with --cancel.`,
    )
}

/** Whether anything was stored in a database by its users. */
export async function isUsed(database: Queryable): Promise<boolean> {
  return Boolean(
    (await database.get(sql`SELECT id FROM organizer LIMIT 1`)) ??
      (await database.get(sql`SELECT id FROM app_user LIMIT 1`)),
  )
}

/** How many other connections to a PostgreSQL database there are; 0 on SQLite, which has a lock for its server. */
export async function othersUsing(database: Database): Promise<number> {
  if (database.engine === 'sqlite') return 0
  const row = await database.get<{ count: number }>(
    sql`SELECT count(*) AS count FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  )
  return row?.count ?? 0
}
