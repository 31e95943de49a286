import sql, { join } from 'sql-template-tag'
import { customer } from '../../../schema/resources/orders/customer.ts'
import { membership } from '../../../schema/resources/orders/membership.ts'
import {
  type GrantedDuration,
  type GrantingTimes,
  membershipPeriod,
} from '../../domain/orders/memberships.ts'
import { type FieldErrors, invalid } from '../../errors.ts'
import { findRow, findRows, insertRow, removeRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** Refuses an order for a customer whom the organizer does not have; only the top knows them. */
export async function checkCustomer(
  tx: Tx,
  place: Place,
  identifier: string | null | undefined,
): Promise<void> {
  if (!identifier || tx.site !== 0) return
  const known = await findRow(tx, customer, { ...place, event: 0 }, { identifier })
  const errors: FieldErrors = { customer: [`Object with identifier=${identifier} does not exist.`] }
  if (!known) throw invalid(errors)
}

interface OrderCells {
  readonly customer: string | null
  readonly status: string
  readonly testmode: number
}

interface GrantCells extends GrantingTimes {
  readonly id: number
  readonly attendee_name_parts: string
  readonly type: number
  readonly like_event: number
  readonly days: number
  readonly months: number
}

/**
 * Gives the customer of an order the memberships that its tickets come with, as long as it is paid, and takes back those
 * of tickets that are not. Customers are known at the top only, so nothing is given elsewhere.
 */
export async function followMemberships(tx: Tx, place: Place, orderId: number): Promise<void> {
  if (tx.site !== 0) return
  const { organizer } = place
  const order = await tx.get<OrderCells>(
    sql`SELECT customer, status, testmode FROM orders WHERE organizer = ${organizer} AND id = ${orderId}`,
  )
  if (!order?.customer) return
  const wanted = order.status === 'p' ? await grantsOf(tx, place, orderId) : []
  const top: Place = { organizer, event: 0 }
  const tickets = sql`SELECT id FROM order_position WHERE organizer = ${organizer} AND order_id = ${orderId}`
  const given = await findRows(tx, membership, top, { where: sql`granted_by IN (${tickets})` })
  for (const { id, granted_by } of given)
    if (!wanted.some((one) => one.id === granted_by)) await removeRow(tx, membership, top, id)
  for (const grant of wanted) {
    if (given.some(({ granted_by }) => granted_by === grant.id)) continue
    await insertRow(tx, membership, top, {
      id: tx.nextId(),
      customer: order.customer,
      membership_type: grant.type,
      ...membershipPeriod(durationOf(grant), grant, tx.now),
      attendee_name_parts: JSON.parse(grant.attendee_name_parts),
      testmode: order.testmode === 1,
      granted_by: grant.id,
    })
  }
}

/** Takes back the memberships that some tickets came with. */
export async function takeBackMemberships(tx: Tx, place: Place, tickets: readonly number[]): Promise<void> {
  if (tx.site !== 0 || tickets.length === 0) return
  const top: Place = { organizer: place.organizer, event: 0 }
  for (const { id } of await findRows(tx, membership, top, {
    where: sql`granted_by IN (${join([...tickets])})`,
  }))
    await removeRow(tx, membership, top, id)
}

const durationOf = ({ like_event, days, months }: GrantCells): GrantedDuration => ({
  grant_membership_duration_like_event: like_event === 1,
  grant_membership_duration_days: days,
  grant_membership_duration_months: months,
})

/** The tickets of an order that come with a membership, and when what they are for takes place. */
const grantsOf = (tx: Tx, { organizer, event }: Place, orderId: number): Promise<GrantCells[]> =>
  tx.all<GrantCells>(
    sql`SELECT p.id, p.attendee_name_parts, i.grant_membership_type AS type, e.timezone,
          i.grant_membership_duration_like_event AS like_event, i.grant_membership_duration_days AS days,
          i.grant_membership_duration_months AS months,
          coalesce(s.date_from, e.date_from) AS date_from,
          CASE WHEN s.id IS NULL THEN e.date_to ELSE s.date_to END AS date_to
        FROM order_position p
        JOIN item i ON i.organizer = p.organizer AND i.id = p.item
        JOIN event e ON e.organizer = p.organizer AND e.id = ${event}
        LEFT JOIN subevent s ON s.organizer = p.organizer AND s.id = p.subevent
        WHERE p.organizer = ${organizer} AND p.order_id = ${orderId} AND p.canceled = 0
          AND i.grant_membership_type IS NOT NULL ORDER BY p.id`,
  )
