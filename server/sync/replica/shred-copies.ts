import sql from 'sql-template-tag'
import type { ShreddedEvent } from '../../../schema/sync.ts'
import type { Place, Transactions, Tx } from '../../resource/transactions.ts'
import { doneShreddings, withoutShredded } from '../../services/operations/shredded-facts.ts'
import { traceShreddingSteps } from '../../services/operations/shredders.ts'
import { later, type QueuedFact, sentFactOf } from '../outbox/outbox.ts'

/** So many facts are looked at in a transaction: scans wait for no more. */
const factsPerStep = 100

/**
 * Takes personal data that was deleted upstream out of what this node holds by itself: its facts, reported or not, and
 * its audit trail. The rows come as every change does. Nodes below are told in turn.
 */
export async function shredCopies(
  transactions: Transactions,
  organizer: number,
  shredded: readonly ShreddedEvent[],
): Promise<void> {
  if (shredded.length === 0) return
  const { database } = transactions
  const known = new Set((await doneShreddings(database, organizer)).map(({ id }) => id))
  const fresh = shredded.filter(({ id }) => !known.has(id))
  for (const one of fresh) {
    const place = { organizer, event: one.event }
    await transactions.write((tx) => noteShredding(tx, organizer, one))
    for (const step of [shredOutbox(one), ...traceShreddingSteps(one.shredders)])
      while ((await transactions.write((tx) => step(tx, place))) > 0);
    await transactions.write(async (tx) => {
      await tx.run(
        sql`UPDATE shredding SET "state" = 'done' WHERE organizer = ${organizer} AND id = ${one.id}`,
      )
      tx.changed(place, 'event', one.event, 'put')
    })
  }
  if (fresh.length > 0 && database.engine === 'sqlite')
    await database.script('PRAGMA wal_checkpoint(TRUNCATE);')
}

/** From now on facts of others that come late are taken without what was deleted. */
const noteShredding = (
  tx: Tx,
  organizer: number,
  { id, event, shredders, until }: ShreddedEvent,
): Promise<number> =>
  tx.run(
    sql`INSERT INTO shredding (organizer, id, event, "file", "credential", "shredders", "exported", "state", "message", "created", "actor")
        VALUES (${organizer}, ${id}, ${event}, '', '', ${JSON.stringify(shredders)}, ${until}, 'running', NULL, ${until}, '{}')
        ON CONFLICT (organizer, id) DO NOTHING`,
  )

/** Takes what was deleted out of the facts of an event, step by step; how many it looked at. */
function shredOutbox(shredded: ShreddedEvent): (tx: Tx, place: Place) => Promise<number> {
  let after = 0
  return async (tx, { organizer, event }) => {
    const rows = await tx.all<QueuedFact>(
      sql`SELECT * FROM outbox WHERE organizer = ${organizer} AND event = ${event} AND seq > ${after}
          ORDER BY seq LIMIT ${factsPerStep}`,
    )
    for (const row of rows) {
      after = row.seq
      const at = later(row.device_time, (row.clock_offset ?? 0) * 1000)
      const text = JSON.stringify(withoutShredded(sentFactOf(row), at, [shredded]).payload)
      if (text !== row.payload) await tx.run(sql`UPDATE outbox SET payload = ${text} WHERE seq = ${row.seq}`)
    }
    return rows.length
  }
}
