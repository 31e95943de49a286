import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { canonicalInstant } from '../../../schema/instants.ts'
import { type QuotaLease, quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { type ReportedLease, withReported } from '../../domain/quotas/leases.ts'
import { blankRow } from '../../resource/defaults.ts'
import { payloadOf } from '../../resource/facts.ts'
import { insertRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { isTakenIn } from '../devices/reported-facts.ts'
import type { StoredLease } from './lease-rows.ts'

interface OutboxFact {
  readonly seq: number
  readonly organizer: number
  readonly event: number
  readonly kind: string
  readonly payload: string
  readonly site: number
}

interface Entry {
  sold: number
  size: number | null
  until: string | null
  state: 'returned' | 'expired' | null
}

/** What the outbox says, added up by lease; and how many were sold here without a lease, by quota. */
interface OutboxTotals {
  readonly leases: ReadonlyMap<number, ReportedLease>
  readonly risks: ReadonlyMap<number, number>
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)

/** The objects of a list that somebody sent. */
const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'object' && one !== null) : []

/**
 * Adds up what the outbox says of some leases and quotas. The outbox is what counts: it is written with each sale, kept
 * when the replica is replaced, and never behind. The table `lease_ledger` only saves adding it up each time. Facts that
 * the upstream refused count as well: their tickets were sold.
 */
export async function readOutboxTotals(
  tx: Tx,
  leases: readonly number[],
  quotas: readonly number[],
): Promise<OutboxTotals> {
  await catchUp(tx)
  await restoreParts(tx)
  const found = async (kind: 'lease' | 'risk', ids: readonly number[]) =>
    ids.length === 0
      ? []
      : tx.all<Entry & { id: number }>(
          sql`SELECT id, sold, size, until, state FROM lease_ledger WHERE kind = ${kind} AND id IN (${join([...ids])})`,
        )
  const entries = await found('lease', leases)
  const risks = await found('risk', quotas)
  return {
    leases: new Map(entries.map(({ id, ...entry }) => [id, { ...entry, sold: entry.sold }])),
    risks: new Map(risks.map(({ id, sold }) => [id, sold])),
  }
}

/** Leases as their rows and the outbox together say; see withReported. */
export const withOutboxTotals = (rows: readonly StoredLease[], { leases }: OutboxTotals): StoredLease[] =>
  rows.map((row) => withReported(row, leases.get(row.id)))

async function catchUp(tx: Tx): Promise<void> {
  const read = await lockReading(tx)
  const last = await tx.get<Mark>(sql`SELECT seq, nonce FROM outbox ORDER BY seq DESC LIMIT 1`)
  if ((last?.nonce ?? null) === read.nonce) return
  const isThere = await tx.get(sql`SELECT seq FROM outbox WHERE seq = ${read.seq} AND nonce = ${read.nonce}`)
  // What is over is removed from the outbox, and its numbers are given again; then everything is added up anew. What is
  // kept of early sales stays: it was reported by others, and the outbox does not say whether a row counts it by now.
  if (!isThere) await tx.run(sql`DELETE FROM lease_ledger WHERE kind IN ('lease', 'risk', ${missing})`)
  const facts = await tx.all<OutboxFact>(
    sql`SELECT seq, organizer, event, kind, payload, site FROM outbox
        WHERE seq > ${isThere ? read.seq : 0} AND kind IN ('order', 'lease') AND ${isTakenIn} ORDER BY seq`,
  )
  for (const [key, entry] of addUp(facts, tx.site)) await addTo(tx, key, entry)
  for (const fact of facts) if (fact.kind === 'lease') await noteMissing(tx, fact)
  await tx.run(
    sql`UPDATE lease_ledger SET sold = ${last?.seq ?? 0}, state = ${last?.nonce ?? null} WHERE kind = 'read' AND id = 0`,
  )
}

/** A fact by its place in the outbox and its nonce. */
interface Mark {
  readonly seq: number
  readonly nonce: string | null
}

/** Up to which fact the outbox was read; whoever else wants to read on waits for the commit. */
async function lockReading(tx: Tx): Promise<Mark> {
  const mark = sql`SELECT sold AS seq, state AS nonce FROM lease_ledger WHERE kind = 'read' AND id = 0${tx.forUpdate}`
  const row = await tx.get<Mark>(mark)
  if (row) return row
  await tx.run(
    sql`INSERT INTO lease_ledger (kind, id, sold) VALUES ('read', 0, 0) ON CONFLICT (kind, id) DO NOTHING`,
  )
  return (await tx.get<Mark>(mark)) ?? { seq: 0, nonce: null }
}

/** The lease that a payload is about, as it was sent. */
const leaseIn = (payload: JsonObject): Partial<QuotaLease> | undefined =>
  payload.row as Partial<QuotaLease> | undefined

type Key = `${'lease' | 'risk'} ${number}`

/** What facts say, added up. Facts of others come as they were sent, so nothing in them is taken for granted. */
function addUp(facts: readonly OutboxFact[], site: number): Map<Key, Entry> {
  const entries = new Map<Key, Entry>()
  const entryOf = (key: Key): Entry => {
    const entry = entries.get(key) ?? { sold: 0, size: null, until: null, state: null }
    entries.set(key, entry)
    return entry
  }
  for (const fact of facts) {
    const payload = payloadOf(fact.payload)
    if (fact.kind === 'lease') {
      const row = leaseIn(payload)
      if (isNumber(row?.id)) merge(entryOf(`lease ${row.id}`), row)
      continue
    }
    for (const [lease, count] of salesIn(payload)) entryOf(`lease ${lease}`).sold += count
    if (fact.site !== site) continue
    for (const { quota, count } of objectsIn(payload.risks))
      if (isNumber(quota) && isNumber(count)) entryOf(`risk ${quota}`).sold += count
  }
  return entries
}

/** How many an order takes from each lease, which is never more than its positions. */
function salesIn({ leases, positions }: JsonObject): Map<number, number> {
  const most = objectsIn(positions).length
  const sales = new Map<number, number>()
  for (const { lease, count } of objectsIn(leases))
    if (isNumber(lease) && isNumber(count))
      sales.set(lease, Math.min(most, (sales.get(lease) ?? 0) + Math.max(0, count)))
  return sales
}

/** Notes what a fact says of a lease: it only gets smaller, ends later, and does not come back to life. */
function merge(entry: Entry, row: Partial<QuotaLease>): void {
  if (isNumber(row.size)) entry.size = Math.min(entry.size ?? row.size, row.size)
  const until = typeof row.until === 'string' ? canonicalInstant(row.until) : undefined
  if (until !== undefined && until > (entry.until ?? '')) entry.until = until
  if (row.state === 'returned' || row.state === 'expired') entry.state = row.state
}

async function addTo(tx: Tx, key: Key, entry: Entry): Promise<void> {
  const [kind, id] = key.split(' ')
  const known = await tx.get<Entry>(
    sql`SELECT sold, size, until, state FROM lease_ledger WHERE kind = ${kind} AND id = ${Number(id)}`,
  )
  const before: Entry = known ?? { sold: 0, size: null, until: null, state: null }
  merge(entry, {
    ...(before.size === null ? {} : { size: before.size }),
    ...(before.until === null ? {} : { until: before.until }),
  })
  const { size, until } = entry
  const sold = before.sold + entry.sold
  const state = entry.state ?? before.state
  await tx.run(
    sql`INSERT INTO lease_ledger (kind, id, sold, size, until, state)
        VALUES (${kind}, ${Number(id)}, ${sold}, ${size}, ${until}, ${state})
        ON CONFLICT (kind, id) DO UPDATE SET sold = ${sold}, size = ${size}, until = ${until}, state = ${state}`,
  )
}

/** In the ledger, a part that the outbox knows and the rows lack: `sold` is the place of its fact, `size` the whole. */
const missing = 'missing'

/** Notes a part that was given here and is not among the rows, where the replica was replaced by an older one. */
async function noteMissing(tx: Tx, { seq, organizer, payload }: OutboxFact): Promise<void> {
  const row = leaseIn(payloadOf(payload))
  if (!isNumber(row?.id) || !isNumber(row.parent)) return
  if (await tx.get(sql`SELECT id FROM quota_lease WHERE organizer = ${organizer} AND id = ${row.id}`)) return
  await tx.run(
    sql`INSERT INTO lease_ledger (kind, id, sold, size) VALUES (${missing}, ${row.id}, ${seq}, ${row.parent})
        ON CONFLICT (kind, id) DO NOTHING`,
  )
}

/**
 * Puts back the parts that are missing of leases that are here. The lease itself may come later than the facts of its
 * parts: until the upstream knows of these, nothing else says that they were given. Parts of a lease that the upstream
 * has forgotten are nobody's.
 */
async function restoreParts(tx: Tx): Promise<void> {
  const facts = await tx.all<Omit<OutboxFact, 'kind' | 'site'>>(
    sql`SELECT o.seq, o.organizer, o.event, o.payload FROM lease_ledger AS noted
        JOIN outbox AS o ON o.seq = noted.sold
        JOIN quota_lease AS whole ON whole.organizer = o.organizer AND whole.id = noted.size
        WHERE noted.kind = ${missing} ORDER BY o.seq`,
  )
  for (const fact of facts) await restorePart(tx, fact)
}

async function restorePart(tx: Tx, fact: Omit<OutboxFact, 'kind' | 'site'>): Promise<void> {
  const { organizer, event, payload } = fact
  const row = leaseIn(payloadOf(payload))
  if (!isNumber(row?.id) || !isNumber(row.quota) || !isNumber(row.device)) return
  const place: Place = { organizer, event }
  const { known, fits } = (await tx.get<{ known: number; fits: number }>(
    sql`SELECT (SELECT count(*) FROM quota_lease WHERE organizer = ${organizer} AND id = ${row.id}) AS known,
          (SELECT count(*) FROM quota WHERE organizer = ${organizer} AND id = ${row.quota})
            * (SELECT count(*) FROM device WHERE organizer = ${organizer} AND id = ${row.device}) AS fits`,
  )) ?? { known: 0, fits: 0 }
  if (known === 0 && fits === 0) return
  if (known === 0) await insertRow(tx, quotaLease, place, { ...blankRow(quotaLease), ...row })
  await tx.run(sql`DELETE FROM lease_ledger WHERE kind = ${missing} AND id = ${row.id}`)
}
