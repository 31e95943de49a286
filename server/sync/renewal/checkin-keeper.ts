import sql, { bulk, join, raw } from 'sql-template-tag'
import type { Cells, Database } from '../../storage/database.ts'

const perStep = 500

/** What is kept of a check-in. */
const columns = [
  'organizer',
  'event',
  'id',
  'position',
  'list',
  'type',
  'datetime',
  'nonce',
  'device',
  'gate',
  'auto_checked_in',
] as const

const named = join(columns.map((column) => raw(`"${column}"`)))

/**
 * Makes what keeps, in a new copy of the data, the check-ins that are known in the one in use and that the new one
 * lacks although it has their tickets. Check-ins are never deleted by themselves, so the upstream server was put back
 * to an earlier state and has forgotten them; until whoever made them has reported them again, nobody is to come in
 * twice. Called again, it goes on where it has come to.
 */
export function checkinKeeper(from: Database, to: Database): () => Promise<void> {
  let reached = 0

  async function missingIn(table: 'checkin' | 'order_position' | 'checkin_list', ids: readonly number[]) {
    const found = await to.all<{ id: number }>(
      sql`SELECT id FROM ${raw(table)} WHERE id IN (${join([...new Set(ids)])})`,
    )
    const here = new Set(found.map(({ id }) => id))
    return (id: unknown): boolean => !here.has(Number(id))
  }

  return async () => {
    for (;;) {
      const rows = await from.all<Cells>(
        sql`SELECT rowid AS rowid_, ${named} FROM checkin
            WHERE rowid > ${reached} AND successful = 1 AND "position" IS NOT NULL ORDER BY rowid LIMIT ${perStep}`,
      )
      const last = rows.at(-1)
      if (!last) return
      const isForgotten = await missingIn(
        'checkin',
        rows.map(({ id }) => Number(id)),
      )
      const forgotten = rows.filter(({ id }) => isForgotten(id))
      if (forgotten.length > 0) {
        const lacksTicket = await missingIn(
          'order_position',
          forgotten.map(({ position }) => Number(position)),
        )
        const lacksList = await missingIn(
          'checkin_list',
          forgotten.map(({ list }) => Number(list)),
        )
        const restorable = forgotten.filter(
          ({ position, list }) => !lacksTicket(position) && !lacksList(list),
        )
        if (restorable.length > 0)
          await to.run(
            sql`INSERT INTO kept_pass (${named})
                VALUES ${bulk(restorable.map((row) => columns.map((column) => row[column] ?? null)))} ON CONFLICT (organizer, id) DO NOTHING`,
          )
      }
      reached = Number(last.rowid_)
    }
  }
}
