import sql, { type Sql } from 'sql-template-tag'
import { instantAt, microsecondsOf } from '../../../schema/instants.ts'
import {
  type AuditRow,
  type AuditSeal,
  beginning,
  entriesIn,
  entriesText,
  sealedEntry,
  sealHash,
} from '../../domain/accounts/audit-chain.ts'
import type { Transactions } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** The last seal of an organizer: what somebody else should know as well. */
export interface SealHead {
  readonly organizer: number
  readonly number: number
  readonly hash: string
}

/** How many entries are read at once, and so go under one seal at most. */
const perSeal = 500

/** How late an entry may become visible after the moment it bears, where other programs write as well; microseconds. */
const lateness = 120_000_000

/** An instant so long before another that nothing older can come late. */
export const certainBefore = (instant: string): string => instantAt(microsecondsOf(instant) - lateness)

/** The organizers that have entries; 0 is for the accounts of users. */
export async function auditedOrganizers(db: Queryable): Promise<number[]> {
  const rows = await db.all<{ id: number }>(sql`SELECT id FROM organizer ORDER BY id`)
  return [0, ...rows.map(({ id }) => id)]
}

/** Entries of an organizer in the order of their moments. */
export const selectEntries = (organizer: number, where: Sql, count: number): Sql =>
  sql`SELECT organizer, id, event, at, actor_kind, actor, action, resource, row_id, data FROM audit
      WHERE organizer = ${organizer} AND ${where} ORDER BY at, id LIMIT ${count}`

const lastSeal = (db: Queryable, organizer: number): Promise<AuditSeal | undefined> =>
  db.get<AuditSeal>(sql`SELECT * FROM audit_seal WHERE organizer = ${organizer} ORDER BY number DESC LIMIT 1`)

/** Ids that recent seals tell of. */
async function sealedSince(db: Queryable, organizer: number, since: string): Promise<Set<number>> {
  const rows = await db.all<{ entries: string }>(
    sql`SELECT entries FROM audit_seal WHERE organizer = ${organizer} AND "upto" >= ${since}`,
  )
  return new Set(rows.flatMap(({ entries }) => entriesIn(entries).map(({ id }) => id)))
}

/** Puts a seal on entries; the seal, or null where another program was quicker. */
async function seal(
  transactions: Transactions,
  last: AuditSeal | undefined,
  rows: readonly AuditRow[],
): Promise<AuditSeal | null> {
  const [first] = rows
  const newest = rows.at(-1)
  if (!first || !newest) return null
  return transactions.write(async (tx) => {
    const open = {
      organizer: first.organizer,
      number: (last?.number ?? 0) + 1,
      at: tx.now,
      upto: last && last.upto > newest.at ? last.upto : newest.at,
      entries: entriesText(rows.map(sealedEntry)),
    }
    const made: AuditSeal = { ...open, hash: sealHash(last?.hash ?? beginning, open) }
    const count = await tx.run(
      sql`INSERT INTO audit_seal (organizer, number, "at", "upto", entries, "hash")
          VALUES (${made.organizer}, ${made.number}, ${made.at}, ${made.upto}, ${made.entries}, ${made.hash})
          ON CONFLICT (organizer, number) DO NOTHING`,
    )
    return count > 0 ? made : null
  })
}

async function sealOrganizer(transactions: Transactions, organizer: number): Promise<AuditSeal[]> {
  const { database } = transactions
  const settled = transactions.horizon()
  const made: AuditSeal[] = []
  let last = await lastSeal(database, organizer)
  const since = last ? certainBefore(last.upto) : ''
  const known = last ? await sealedSince(database, organizer, since) : new Set<number>()
  let from = sql`at >= ${since}`
  for (;;) {
    const rows = await database.all<AuditRow>(
      selectEntries(organizer, sql`${from} AND at < ${settled}`, perSeal),
    )
    const newest = rows.at(-1)
    if (!newest) return made
    const fresh = rows.filter(({ id }) => !known.has(id))
    if (fresh.length > 0) {
      const done = await seal(transactions, last, fresh)
      if (done === null) return made
      made.push(done)
      last = done
    }
    from = sql`(at > ${newest.at} OR (at = ${newest.at} AND id > ${newest.id}))`
  }
}

/**
 * Seals what was entered into the audit trail since the last time, in batches that no scan waits for; the new heads.
 * What a node below another one notes is not sealed: it forgets it with its events.
 */
export async function sealAudit(transactions: Transactions): Promise<SealHead[]> {
  if (transactions.site !== 0) return []
  const heads: SealHead[] = []
  for (const organizer of await auditedOrganizers(transactions.database)) {
    const newest = (await sealOrganizer(transactions, organizer)).at(-1)
    if (newest) heads.push({ organizer, number: newest.number, hash: newest.hash })
  }
  return heads
}
