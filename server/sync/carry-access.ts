import sql, { empty, type Sql } from 'sql-template-tag'
import { siteOf } from '../../schema/sites.ts'
import type { RowData } from '../resource/codec.ts'
import { payloadOf } from '../resource/facts.ts'
import type { Transactions } from '../resource/transactions.ts'

interface Access {
  readonly organizer: number
  readonly id: number
  readonly initialization_token: string | null
  readonly token_hash: string | null
  readonly initialized: string | null
  readonly site: number | null
  readonly site_end: number | null
  readonly former_sites: string | null
}

/**
 * Gives the devices that a hub has made the access that it gave them, where a new copy lacks it: the one-time token for
 * setting one up is known to the hub alone, and that one was set up may not have been told yet. A revoked one gets none.
 * What is yet to be told of a device, in facts that are `untold`, goes over as well and in any case: it is newer than
 * what the copy has, and what is above is not taken over for as long as it may be from before the telling.
 */
export async function carryAccess(from: Transactions, to: Transactions, untold: Sql): Promise<void> {
  const rows = await from.database.all<Access>(
    sql`SELECT organizer, id, initialization_token, token_hash, initialized, site, site_end, former_sites FROM device
        WHERE initialization_token IS NOT NULL OR token_hash IS NOT NULL`,
  )
  const told = await lastTold(to, untold)
  // What was made above is told by whoever is above.
  const own = rows.filter((row) => siteOf(row.id) !== 0)
  for (const row of own) {
    const { organizer, id, initialization_token: once, token_hash: token, initialized } = row
    await to.database.run(
      sql`UPDATE device SET token_hash = coalesce(token_hash, ${token}),
            initialization_token = coalesce(initialization_token, ${once}), initialized = coalesce(initialized, ${initialized})
          WHERE organizer = ${organizer} AND id = ${id} AND revoked = 0`,
    )
    // Where more has happened since, that was above, and whoever is above knows what came of it.
    const last = told.get(id)
    if (!last || (last.site ?? null) !== row.site || (last.token_hash ?? null) !== token) continue
    // As the server above does it: nothing is taken away that was not there to be told.
    const sites = row.site === null ? empty : sql`, site = ${row.site}, site_end = ${row.site_end}`
    await to.database.run(
      sql`UPDATE device SET token_hash = coalesce(${token}, token_hash), initialized = coalesce(${initialized}, initialized),
            former_sites = coalesce(${row.former_sites}, former_sites)${sites}
          WHERE organizer = ${organizer} AND id = ${id}`,
    )
  }
}

/** The newest that is still to be told of each device, by its id. Nobody above takes in what was refused there. */
async function lastTold(to: Transactions, untold: Sql): Promise<ReadonlyMap<number, RowData>> {
  const facts = await to.database.all<{ payload: string }>(
    sql`SELECT payload FROM outbox WHERE kind = 'device' AND state <> 'parked' AND ${untold} ORDER BY seq`,
  )
  return new Map(
    facts.flatMap(({ payload }) => {
      const row = payloadOf(payload).row as RowData | undefined
      return row ? [[Number(row.id), row] as const] : []
    }),
  )
}
