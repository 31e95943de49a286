import sql, { empty, type Sql } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { siteOf } from '../../../schema/sites.ts'
import { payloadOf } from '../../resource/facts.ts'
import type { Transactions } from '../../resource/transactions.ts'

interface Access {
  readonly organizer: number
  readonly id: number
  readonly initialization_token: string | null
  readonly token_hash: string | null
  readonly initialized: string | null
  readonly site: number | null
  readonly site_end: number | null
  readonly former_sites: string | null
  readonly revoked: number
}

/** What the facts of a device say. */
interface Reported {
  /** The newest that is still to be reported. */
  readonly last: JsonObject
  /** It was never reported. */
  readonly isWaiting: boolean
  /** Tokens with sites that any of them has said. */
  readonly said: ReadonlySet<string>
}

/** What a device is recognised by. */
const marksOf = (row: { readonly token_hash?: unknown; readonly site?: unknown }): string =>
  JSON.stringify([row.token_hash ?? null, row.site ?? null])

const nothing = marksOf({})

/**
 * Gives the devices that a hub has made the access that it gave them, where a new copy lacks it: the one-time token for
 * setting one up is known only to the hub, and that one was set up may not have been reported yet. A revoked one gets
 * none, and one whose revocation is yet to be reported stays revoked. What is yet to be reported of a device otherwise,
 * in facts that are `unreported`, goes over as well: it is newer than what the copy has, and what is upstream is not
 * taken over for as long as it may be from before the report.
 */
export async function carryAccess(from: Transactions, to: Transactions, unreported: Sql): Promise<void> {
  const rows = await from.database.all<Access>(
    sql`SELECT organizer, id, initialization_token, token_hash, initialized, site, site_end, former_sites, revoked FROM device
        WHERE initialization_token IS NOT NULL OR token_hash IS NOT NULL`,
  )
  const reported = await reportedOf(to, unreported)
  // What was made upstream is reported by whoever is upstream.
  const own = rows.filter((row) => siteOf(row.id) !== 0)
  for (const row of own) {
    const { organizer, id, initialization_token: once, token_hash: token, initialized } = row
    const which = sql`organizer = ${organizer} AND id = ${id}`
    const facts = reported.get(id)
    if (row.revoked === 0)
      await to.database.run(
        sql`UPDATE device SET token_hash = coalesce(token_hash, ${token}),
              initialization_token = coalesce(initialization_token, ${once}), initialized = coalesce(initialized, ${initialized})
            WHERE ${which} AND revoked = 0`,
      )
    else if (facts?.last.revoked === true)
      await to.database.run(sql`UPDATE device SET revoked = 1 WHERE ${which}`)
    if (facts && (await isNewest(to, row, facts))) await takeOver(to, row)
  }
}

/**
 * Whether the newest fact says how a device is: where more has happened since, that was upstream, and is known there.
 */
async function isNewest(
  to: Transactions,
  row: Access,
  { last, isWaiting, said }: Reported,
): Promise<boolean> {
  if (marksOf(last) !== marksOf(row)) return false
  const known = await to.database.get<{ token_hash: string | null; site: number | null }>(
    sql`SELECT token_hash, site FROM device WHERE organizer = ${row.organizer} AND id = ${row.id}`,
  )
  if (!known) return false
  const marks = marksOf(known)
  return isWaiting || marks === nothing || said.has(marks)
}

/**
 * As the upstream server does it: nothing is taken away that was not there to be reported. A revoked device hears so by
 * it.
 */
const takeOver = (to: Transactions, row: Access): Promise<number> => {
  const sites = row.site === null ? empty : sql`, site = ${row.site}, site_end = ${row.site_end}`
  return to.database.run(
    sql`UPDATE device SET token_hash = coalesce(${row.token_hash}, token_hash), initialized = coalesce(${row.initialized}, initialized),
          former_sites = coalesce(${row.former_sites}, former_sites)${sites}
        WHERE organizer = ${row.organizer} AND id = ${row.id}`,
  )
}

/** What is still to be reported of devices, by their ids. Nobody upstream takes in what was refused there. */
async function reportedOf(to: Transactions, unreported: Sql): Promise<ReadonlyMap<number, Reported>> {
  const facts = await to.database.all<{ payload: string; state: string; unreported: number }>(
    sql`SELECT payload, state, CASE WHEN ${unreported} THEN 1 ELSE 0 END AS unreported FROM outbox
        WHERE kind = 'device' AND state <> 'parked' ORDER BY seq`,
  )
  const said = new Map<number, Set<string>>()
  const reported = new Map<number, Reported>()
  for (const fact of facts) {
    const last = payloadOf(fact.payload).row as JsonObject | undefined
    if (!last) continue
    const id = Number(last.id)
    const marks = said.get(id) ?? new Set()
    said.set(id, marks.add(marksOf(last)))
    if (fact.unreported === 1) reported.set(id, { last, isWaiting: fact.state === 'waiting', said: marks })
  }
  return reported
}
