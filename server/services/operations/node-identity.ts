import sql from 'sql-template-tag'
import type { Stamp } from '../../resource/facts.ts'
import { openTransactions } from '../../resource/open-transactions.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Database } from '../../storage/database.ts'
import { migrate } from '../../storage/migrate.ts'
import { prepareSearch, searchIsFilled } from '../../storage/search.ts'
import { indexNewPositions } from '../orders/order-search-text.ts'
import { followOrders } from '../orders/order-transactions.ts'
import { refuseMoved } from './moved-database.ts'
import { followServer } from './server-history.ts'

/** What a node takes from outside: the time in stored form, and chance. */
interface NodeWorld {
  readonly instant: () => string
  readonly randomBytes: (count: number) => Uint8Array
  readonly uuid: () => string
  /** The version of the program, where the database is to remember it. */
  readonly program?: string
  /** Given where facts are reported to an upstream server. */
  readonly stamp?: () => Stamp
  /** Hears that the database has been brought back to an earlier moment, or may have been. */
  readonly wentBack?: () => void
}

/** Brings a database to the newest schema, gives it an identity if it has none, and opens its transactions. */
export async function openNode(database: Database, world: NodeWorld): Promise<Transactions> {
  await migrate(database, world.program)
  await refuseMoved(database)
  if (await prepareSearch(database)) {
    for (const { id } of await database.all<{ id: number }>(sql`SELECT id FROM organizer`))
      await indexNewPositions(database, id, () => {})
    await searchIsFilled(database)
  }
  // Not written where it is there: a full disk is no reason not to open what is stored.
  if (!(await database.get(sql`SELECT id FROM node WHERE id = 1`)))
    await database.run(
      sql`INSERT INTO node (id, site, next_id, epoch, program) VALUES (1, 0, 1, ${world.uuid()}, ${world.program ?? null}) ON CONFLICT (id) DO NOTHING`,
    )
  database.onConnect?.(followServer(world, world.wentBack ?? (() => undefined)))
  return openTransactions(database, { ...world, follow: followOrders })
}
