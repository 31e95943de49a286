import sql, { join } from 'sql-template-tag'
import { blockedSecret } from '../../../schema/resources/checkin/blocked-secret.ts'
import { revokedSecret } from '../../../schema/resources/checkin/revoked-secret.ts'
import { looksSigned } from '../../domain/signed-tickets/signed-ticket.ts'
import { insertRow, insertRows, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** A ticket and its code. */
export interface CodeOf {
  readonly id: number
  readonly secret: string
}

/** Puts codes on the list of those that must not be admitted any more, for good; each is listed once. */
export async function revokeCodes(tx: Tx, place: Place, tickets: readonly CodeOf[]): Promise<void> {
  if (tickets.length === 0) return
  const known = await tx.all<{ secret: string }>(
    sql`SELECT secret FROM revoked_secret WHERE organizer = ${place.organizer} AND event = ${place.event}
        AND secret IN (${join(tickets.map((ticket) => ticket.secret))})`,
  )
  const listed = new Set(known.map((one) => one.secret))
  await insertRows(
    tx,
    revokedSecret,
    place,
    tickets
      .filter(({ secret }) => !listed.has(secret))
      .map(({ id, secret }) => ({ id: tx.nextId(), secret, created: tx.now, position: id })),
  )
}

/**
 * Revokes those of some codes that are signed: others are worth nothing where their ticket is not known, but a
 * signature stays right whatever becomes of the order.
 */
export const revokeSigned = (tx: Tx, place: Place, tickets: readonly CodeOf[]): Promise<void> =>
  revokeCodes(
    tx,
    place,
    tickets.filter(({ secret }) => looksSigned(secret)),
  )

/** The tickets of an order that are not canceled, and their codes. */
export const liveCodes = (tx: Tx, place: Place, order: number): Promise<CodeOf[]> =>
  tx.all<CodeOf>(
    sql`SELECT id, secret FROM order_position
        WHERE organizer = ${place.organizer} AND order_id = ${order} AND canceled = 0 ORDER BY positionid`,
  )

/** Notes whether a ticket's code is blocked. One that never was is not listed. */
export async function noteBlock(
  tx: Tx,
  place: Place,
  { id, secret }: CodeOf,
  isBlocked: boolean,
): Promise<void> {
  const known = await tx.get<{ id: number; blocked: number }>(
    sql`SELECT id, blocked FROM blocked_secret WHERE organizer = ${place.organizer} AND event = ${place.event} AND secret = ${secret}${tx.forUpdate}`,
  )
  if ((known?.blocked === 1) === isBlocked) return
  const values = { blocked: isBlocked, updated: tx.now, position: id }
  if (known) await updateRow(tx, blockedSecret, place, { id: known.id, ...values })
  else await insertRow(tx, blockedSecret, place, { id: tx.nextId(), secret, ...values })
}
