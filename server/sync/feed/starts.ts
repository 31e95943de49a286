import sql from 'sql-template-tag'
import type { Database, Queryable } from '../../storage/database.ts'
import type { Cursor } from './cursor.ts'
import { gone } from './view.ts'

/** So many starts are remembered; who was sent something before is loaded anew. */
const remembered = 200

/**
 * Notes that the program has started on a database, under a name that is used once, and where the feeds had come by
 * then. Only on SQLite: several programs may serve a PostgreSQL, and none of their starts says anything about its disk.
 */
export async function noteStart(database: Database, name: string): Promise<void> {
  if (database.engine !== 'sqlite') return
  await database.transaction(async (tx) => {
    const last = await lastStart(tx)
    const number = (last?.number ?? 0) + 1
    await tx.run(
      sql`UPDATE feed_start SET ended = ${JSON.stringify(await reached(tx))} WHERE number = ${number - 1}`,
    )
    await tx.run(sql`INSERT INTO feed_start (number, name) VALUES (${number}, ${name})`)
    await tx.run(sql`DELETE FROM feed_start WHERE number <= ${number - remembered}`)
  })
}

/**
 * The start that new cursors are of, or undefined where none is noted. Refuses with 410 the cursor of a start that this
 * disk does not know, or that is further than the feeds had come when that start was over: the disk was put back since,
 * and the numbers have been given again, to other changes.
 */
export async function startFor(
  db: Queryable,
  organizer: number,
  cursor?: Cursor,
): Promise<string | undefined> {
  const current = await lastStart(db)
  if (!current || cursor?.start === undefined || cursor.start === current.name) return current?.name
  const before = await db.get<{ ended: string | null }>(
    sql`SELECT ended FROM feed_start WHERE name = ${cursor.start}
        UNION ALL SELECT ended FROM former_start WHERE organizer = ${organizer} AND name = ${cursor.start}`,
  )
  const ended: Ended = JSON.parse(before?.ended ?? '{}')
  const isAhead = [[0, cursor.organizer] as const, ...cursor.events].some(
    ([event, { seq }]) => seq > (ended[`${organizer}/${event}`] ?? 0),
  )
  if (!before || isAhead)
    throw gone(
      'ahead',
      'The disk of this server was put back to an earlier state. The device needs to be loaded anew.',
    )
  return current.name
}

/** Numbers of feeds, by organizer and event. */
type Ended = Readonly<Record<string, number>>

async function reached(tx: Queryable): Promise<Ended> {
  const feeds = await tx.all<{ organizer: number; event: number; seq: number }>(
    sql`SELECT organizer, event, seq FROM feed`,
  )
  return Object.fromEntries(feeds.map(({ organizer, event, seq }) => [`${organizer}/${event}`, seq]))
}

const lastStart = (db: Queryable): Promise<{ number: number; name: string } | undefined> =>
  db.get(sql`SELECT number, name FROM feed_start ORDER BY number DESC LIMIT 1`)
