import sql from 'sql-template-tag'
import { quotaLease } from '../../../schema/resources/devices/quota-lease.ts'
import { forfeitedBefore, isForfeited } from '../../domain/quotas/leases.ts'
import { updateRow } from '../../resource/store.ts'
import type { Transactions, Tx } from '../../resource/transactions.ts'
import { isHere } from '../../storage/moved-organizers.ts'
import { leaseTime, readHolder } from './lease-holder.ts'
import { readOutboxTotals, withOutboxTotals } from './lease-outbox.ts'
import { leaseShown, leasesWhere, lockLease, placeOf, type StoredLease } from './lease-rows.ts'

/** What still holds something, or could. */
const alive = sql`(state = 'open' OR (state = 'returned' AND size > used))`

/**
 * Ends leases whose time is over: what was not sold of them, as far as is known, can be sold by others again. A node
 * below another one ends those that it has given itself. How many ended.
 */
export async function expireLeases(transactions: Transactions): Promise<number> {
  const organizers = await transactions.database.all<{ organizer: number }>(
    sql`SELECT DISTINCT organizer FROM quota_lease WHERE ${alive} AND ${isHere(sql`organizer`)}`,
  )
  let ended = 0
  for (const { organizer } of organizers) ended += await transactions.write((tx) => expireIn(tx, organizer))
  return ended
}

async function expireIn(tx: Tx, organizer: number): Promise<number> {
  const holder = await readHolder(tx)
  const now = holder ? await leaseTime(tx) : tx.now
  const over = sql`${alive} AND until < ${forfeitedBefore(now)}`
  const due = holder
    ? await leasesWhere(
        tx,
        organizer,
        sql`${over} AND parent IN (SELECT id FROM quota_lease WHERE organizer = ${organizer} AND device = ${holder.device})`,
      )
    : await leasesWhere(tx, organizer, over)
  const totals = holder
    ? await readOutboxTotals(
        tx,
        due.map(({ id }) => id),
        [],
      )
    : null
  let ended = 0
  for (const { id } of due) {
    const row = await lockLease(tx, organizer, id)
    const [lease] = row && totals ? withOutboxTotals([row], totals) : [row]
    if (!lease || lease.state === 'expired' || !isForfeited(lease, now)) continue
    await expire(tx, lease)
    ended += 1
  }
  return ended
}

async function expire(tx: Tx, lease: StoredLease): Promise<void> {
  const place = placeOf(lease)
  await updateRow(tx, quotaLease, place, { id: lease.id, state: 'expired' })
  tx.fact(place, null, { kind: 'lease', payload: { row: leaseShown({ ...lease, state: 'expired' }) } })
}
