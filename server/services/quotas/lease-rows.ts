import { hash } from 'node:crypto'
import sql, { join, type Sql } from 'sql-template-tag'
import type { LeaseFacts } from '../../domain/quotas/leases.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'

/** A lease as it is stored: times in stored form, and where it is. */
export interface StoredLease extends LeaseFacts {
  readonly organizer: number
  readonly event: number
  /** The device that sells from it, and the site number it had when it got it. */
  readonly device: number
  readonly site: number
}

const columns = sql`organizer, event, id, "quota", "device", "site", "parent", "size", "used", "state", "created", "until"`

/** The leases of an organizer that meet a condition, in the order of their ids. */
export const leasesWhere = (db: Queryable, organizer: number, condition: Sql): Promise<StoredLease[]> =>
  db.all<StoredLease>(
    sql`SELECT ${columns} FROM quota_lease WHERE organizer = ${organizer} AND ${condition} ORDER BY id`,
  )

/** A lease, kept from others until the commit, or undefined. */
export const lockLease = (tx: Tx, organizer: number, id: number): Promise<StoredLease | undefined> =>
  tx.get<StoredLease>(
    sql`SELECT ${columns} FROM quota_lease WHERE organizer = ${organizer} AND id = ${id}${tx.forUpdate}`,
  )

/** The condition that names some leases. */
export const oneOf = (ids: readonly number[]): Sql =>
  ids.length === 0 ? sql`1 = 0` : sql`id IN (${join([...ids])})`

/** A lease as facts and answers show it. */
export const leaseShown = ({
  organizer: _,
  event: __,
  ...row
}: StoredLease): Omit<StoredLease, 'organizer' | 'event'> => row

/** Where a lease is. */
export const placeOf = ({ organizer, event }: StoredLease): Place => ({ organizer, event })

/** The first 52 bits of a SHA-256 as a number: an id that every node makes alike of the same thing. */
const idFrom = (text: string): number => Number.parseInt(hash('sha256', text).slice(0, 13), 16)

/** The id of the lease that a device asks for under a nonce: asked again, it is the same lease. */
export const leaseIdFor = (device: number, nonce: string): number => idFrom(`lease/${device}/${nonce}`)

/** Whether a lease is part of one that is not here: the upstream has forgotten it, and its parts are nobody's. */
export const lacksParent = async (db: Queryable, organizer: number, parent: unknown): Promise<boolean> =>
  typeof parent === 'number' &&
  (await db.get(sql`SELECT id FROM quota_lease WHERE organizer = ${organizer} AND id = ${parent}`)) ===
    undefined
