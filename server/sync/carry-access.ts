import sql from 'sql-template-tag'
import { siteOf } from '../../schema/sites.ts'
import type { Transactions } from '../resource/transactions.ts'

interface Access {
  readonly organizer: number
  readonly id: number
  readonly initialization_token: string | null
  readonly token_hash: string | null
  readonly initialized: string | null
}

/**
 * Gives the devices that a hub has made the access that it gave them, where a new copy lacks it: the one-time token for
 * setting one up is known to the hub alone, and that one was set up may not have been told yet. A revoked one gets none.
 */
export async function carryAccess(from: Transactions, to: Transactions): Promise<void> {
  const rows = await from.database.all<Access>(
    sql`SELECT organizer, id, initialization_token, token_hash, initialized FROM device
        WHERE initialization_token IS NOT NULL OR token_hash IS NOT NULL`,
  )
  // What was made above is told by whoever is above.
  const own = rows.filter((row) => siteOf(row.id) !== 0)
  for (const { organizer, id, initialization_token: once, token_hash: token, initialized } of own)
    await to.database.run(
      sql`UPDATE device SET token_hash = coalesce(token_hash, ${token}),
            initialization_token = coalesce(initialization_token, ${once}), initialized = coalesce(initialized, ${initialized})
          WHERE organizer = ${organizer} AND id = ${id} AND revoked = 0`,
    )
}
