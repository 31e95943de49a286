import sql from 'sql-template-tag'
import { impossible } from '../../errors.ts'
import { countAllRows, rowsInOrder } from '../../storage/copy-tables.ts'
import type { Database, Queryable } from '../../storage/database.ts'
import { newestMigration } from '../../storage/migrate.ts'
import { epochOf } from '../operations/restored-database.ts'
import { fileFormat, type MoveHead, type MoveLine, writeMoveFile } from './move-file.ts'
import { movedTables, ofOrganizer } from './organizer-tables.ts'

/** An organizer as it is known by its name in addresses. */
interface KnownOrganizer {
  readonly id: number
  readonly slug: string
  readonly name: string
}

/** What an export is made with. */
export interface ExportParts {
  readonly version: string
  readonly now: () => string
  /** Waits a moment for others. */
  readonly pause: () => Promise<void>
  /** Hears how many rows of how many are in the file. */
  readonly progress: (rows: number, all: number) => void
  /** Hears for how many transactions of servers it is waited. */
  readonly waiting: (transactions: number) => void
}

/** Throws on a node below another one: what it has belongs to the server above. */
export async function requireTop(db: Queryable): Promise<void> {
  const below = await db.get(sql`SELECT id FROM node WHERE site <> 0 UNION ALL SELECT id FROM upstream`)
  if (below)
    throw impossible(
      'This is a station or hub, whose data belong to the server above it. Organizers are moved from and to central servers.',
    )
}

/** An organizer that is here, and where it went if it did. */
export async function organizerHere(
  db: Queryable,
  slug: string,
): Promise<KnownOrganizer & { readonly moved_to: string | null }> {
  const row = await db.get<KnownOrganizer & { moved_to: string | null }>(
    sql`SELECT o.id, o.slug, o.name, v.moved_to FROM organizer o
        LEFT JOIN organizer_move v ON v.id = o.id WHERE o.slug = ${slug}`,
  )
  if (!row) throw impossible(`There is no organizer "${slug}" here.`)
  return row
}

/**
 * Notes that an organizer went to another place: from then on no transaction changes anything of it, and who asks hears
 * where it went. Who follows its feeds hears that something is new, and finds that out.
 */
export const closeOrganizer = (database: Database, organizer: number, place: string, now: string) =>
  database.transaction(async (tx) => {
    await tx.run(
      sql`INSERT INTO organizer_move (id, moved_to, moved) VALUES (${organizer}, ${place}, ${now})
          ON CONFLICT (id) DO UPDATE SET moved_to = excluded.moved_to, moved = excluded.moved`,
    )
    await tx.run(sql`UPDATE feed SET seq = seq + 1 WHERE organizer = ${organizer} AND event = 0`)
  })

/** Takes that back. */
export const openOrganizer = (database: Database, organizer: number) =>
  database.run(sql`UPDATE organizer_move SET moved_to = NULL, moved = NULL WHERE id = ${organizer}`)

/**
 * Waits until every transaction is over that may have looked for the note before it was there. On SQLite a transaction
 * has the file for itself, and the note waited for it.
 */
async function settled(database: Database, { pause, waiting }: ExportParts): Promise<void> {
  if (database.engine === 'sqlite') return
  const moment = await database.get<{ at: string }>(sql`SELECT clock_timestamp()::text AS at`)
  for (;;) {
    const row = await database.get<{ count: number }>(
      sql`SELECT count(*) AS count FROM pg_stat_activity
          WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()
            AND backend_type = 'client backend' AND xact_start <= ${moment?.at ?? ''}::timestamptz`,
    )
    if (!row || Number(row.count) === 0) return
    waiting(Number(row.count))
    await pause()
  }
}

/** Where the feeds of an organizer had come at each start of the server, as far as it is known. */
async function startsOf(db: Queryable, organizer: number): Promise<MoveHead['starts']> {
  const feeds = await db.all<{ event: number; seq: number }>(
    sql`SELECT event, seq FROM feed WHERE organizer = ${organizer}`,
  )
  const key = (event: number | string): string => `${organizer}/${event}`
  const here = Object.fromEntries(feeds.map(({ event, seq }) => [key(event), seq]))
  const starts = await db.all<{ name: string; ended: string | null }>(
    sql`SELECT name, ended FROM feed_start ORDER BY number`,
  )
  const isOwn = ([feed]: readonly [string, unknown]): boolean => feed.startsWith(`${organizer}/`)
  return starts.map(({ name, ended }) => {
    const reached = ended === null ? here : JSON.parse(ended)
    return [name, JSON.stringify(Object.fromEntries(Object.entries(reached).filter(isOwn)))]
  })
}

const usersOf = async (db: Queryable, organizer: number): Promise<MoveHead['users']> => {
  const rows = await db.all<{ id: number; email: string | null }>(
    sql`SELECT u.id, app_user.email FROM (
          SELECT "user" AS id FROM team_member WHERE organizer = ${organizer}
          UNION SELECT "owner" FROM scheduled_export WHERE organizer = ${organizer}
          UNION SELECT actor FROM audit WHERE organizer = ${organizer} AND actor_kind = 'user') u
        LEFT JOIN app_user ON app_user.id = u.id ORDER BY u.id`,
  )
  return rows.map(({ id, email }) => [id, email ?? ''])
}

async function* linesOf(
  database: Database,
  organizer: KnownOrganizer,
  { version, now, progress }: ExportParts,
): AsyncGenerator<MoveLine> {
  const tables = await movedTables(database)
  const all = await countAllRows(database, tables, (table) => ofOrganizer(table, organizer.id))
  const node = await database.get<{ next_id: number; next_site: number }>(
    sql`SELECT next_id, next_site FROM node WHERE id = 1`,
  )
  yield {
    ...{ gatehouse: 'organizer', format: fileFormat, version, migration: await newestMigration() },
    ...{ exported: now(), organizer, epoch: await epochOf(database, organizer.id) },
    ...{ next_id: node?.next_id ?? 1, next_site: node?.next_site ?? 1 },
    starts: await startsOf(database, organizer.id),
    users: await usersOf(database, organizer.id),
    rows: all,
  }
  let done = 0
  for (const table of tables)
    for await (const rows of rowsInOrder(database, table, ofOrganizer(table, organizer.id))) {
      const { name, columns } = table
      yield { table: name, columns, rows: rows.map((row) => columns.map((column) => row[column] ?? null)) }
      done += rows.length
      progress(done, all)
    }
}

/** Closes an organizer for its new place, and writes all that belongs to it to a file; how many rows. */
export async function exportOrganizer(
  database: Database,
  { id, slug, name }: KnownOrganizer,
  to: { readonly file: string; readonly place: string },
  parts: ExportParts,
): Promise<{ readonly rows: number }> {
  await closeOrganizer(database, id, to.place, parts.now())
  await settled(database, parts)
  let written = 0
  const progress = (rows: number, all: number): void => {
    written = rows
    parts.progress(rows, all)
  }
  await writeMoveFile(to.file, linesOf(database, { id, slug, name }, { ...parts, progress }))
  return { rows: written }
}
