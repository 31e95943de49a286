import sql, { raw } from 'sql-template-tag'
import { tableOf } from '../../../schema/resource.ts'
import { instantOf } from '../../env.ts'
import { named } from '../../resource/store.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Database, Queryable } from '../../storage/database.ts'
import { replicated } from '../feed/replicated.ts'
import { readUpstream, saveUpstreamSettings } from '../upstream/upstream.ts'
import { removeSome } from './replica-gone.ts'

const day = 86_400_000

/** Events that ended before a stored instant: series when their last date has. */
const eventsOver = (db: Queryable, organizer: number, before: string): Promise<{ id: number }[]> =>
  db.all<{ id: number }>(
    sql`SELECT id FROM event e WHERE organizer = ${organizer}
          AND max(coalesce(date_to, date_from), coalesce((SELECT max(coalesce(s.date_to, s.date_from)) FROM subevent s
            WHERE s.organizer = e.organizer AND s.event = e.id), '')) < ${before}`,
  )

/**
 * Takes the guests of events that have long been over off this machine: orders, tickets and check-ins; the events
 * themselves stay. What waits to be reported keeps its event here. `now` in milliseconds; the events that were cleared,
 * and whether one that was cleared is to come again, which takes a new snapshot.
 */
export async function forgetGuests(
  transactions: Transactions,
  now: number,
): Promise<{ readonly cleared: readonly number[]; readonly back: boolean }> {
  const { database } = transactions
  const up = await readUpstream(database)
  if (!up) return { cleared: [], back: false }
  const over = await eventsOver(database, up.organizer, instantOf(now - up.settings.keep_days * day))
  const busy = new Set(
    (await database.all<{ event: number }>(sql`SELECT DISTINCT event FROM outbox WHERE state <> 'done'`)).map(
      ({ event }) => event,
    ),
  )
  const ids = over.map(({ id }) => id).filter((id) => !busy.has(id))
  const known = new Set(up.settings.forgotten)
  const fresh = ids.filter((id) => !known.has(id))
  const forgotten = over.map(({ id }) => id).filter((id) => known.has(id) || fresh.includes(id))
  const back = [...known].some((id) => !forgotten.includes(id))
  if (fresh.length > 0 || back)
    await transactions.write((tx) => saveUpstreamSettings(tx, { ...up.settings, forgotten }))
  for (const event of fresh) {
    while (
      (await transactions.write((tx) =>
        removeSome(tx, { organizer: up.organizer, event }, 'personal', 200),
      )) > 0
    );
    await transactions.write((tx) =>
      tx.run(
        sql`DELETE FROM outbox WHERE event = ${event} AND organizer = ${up.organizer} AND state = 'done'`,
      ),
    )
    await transactions.write((tx) =>
      tx.run(sql`DELETE FROM kept_pass WHERE event = ${event} AND organizer = ${up.organizer}`),
    )
    await transactions.write((tx) =>
      tx.run(sql`DELETE FROM kept_refusal WHERE event = ${event} AND organizer = ${up.organizer}`),
    )
    await transactions.write((tx) =>
      tx.run(sql`DELETE FROM audit WHERE event = ${event} AND organizer = ${up.organizer}`),
    )
  }
  if (fresh.length > 0) await database.script('PRAGMA wal_checkpoint(TRUNCATE);')
  return { cleared: fresh, back }
}

/** Has what is deleted overwritten, on machines that can be lost at an entrance. */
export const deleteSecurely = (database: Database): Promise<void> =>
  database.script('PRAGMA secure_delete = ON;')

/** Tables of this machine's own that hold personal data. */
const ownTables = [
  'station',
  'audit',
  'seen_fact',
  'kept_pass',
  'kept_refusal',
  'found_conflict',
  'imported_guest',
  'change',
  'feed',
]

/**
 * Takes everything off this machine that it may not hold any more, its access being revoked: all rows but those of the
 * outbox that were refused, and who it was. What is deleted is overwritten.
 */
export async function wipe(transactions: Transactions): Promise<void> {
  const { database } = transactions
  await deleteSecurely(database)
  await database.script('PRAGMA foreign_keys = OFF;')
  try {
    const tables = [...replicated].reverse().map((resource) => named(tableOf(resource)))
    await database.transaction(async (tx) => {
      for (const table of [...tables, ...ownTables.map(named), raw('position_search')])
        await tx.run(sql`DELETE FROM ${table}`)
      await tx.run(sql`DELETE FROM outbox WHERE state = 'done'`)
      await tx.run(
        sql`UPDATE upstream SET state = 'wiped', token = '', epoch = NULL, "cursor" = NULL WHERE id = 1`,
      )
    })
  } finally {
    await database.script('PRAGMA foreign_keys = ON;')
  }
  await database.script('VACUUM; PRAGMA wal_checkpoint(TRUNCATE);')
}
