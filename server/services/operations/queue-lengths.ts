import sql, { type Sql } from 'sql-template-tag'
import type { Queryable } from '../../storage/database.ts'

const queues: Readonly<Record<string, Sql>> = {
  webhooks: sql`SELECT count(*) AS length FROM webhook_delivery`,
  mails: sql`SELECT count(*) AS length FROM mail WHERE "state" IN ('waiting', 'sending')`,
  exports: sql`SELECT count(*) AS length FROM export_run WHERE state = 'waiting'`,
  outbox: sql`SELECT count(*) AS length FROM outbox WHERE state = 'waiting'`,
  parked: sql`SELECT count(*) AS length FROM outbox WHERE state = 'parked'`,
}

/** How much waits to be done, by the name of its queue. */
export async function queueLengths(db: Queryable): Promise<Readonly<Record<string, number>>> {
  const lengths: Record<string, number> = {}
  for (const [name, statement] of Object.entries(queues))
    lengths[name] = (await db.get<{ length: number }>(statement))?.length ?? 0
  return lengths
}
