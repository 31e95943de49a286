import sql, { type Sql } from 'sql-template-tag'
import type { InvoiceAddress } from '../../../schema/resources/orders/order.ts'
import { plainLetters } from '../../domain/guest-list/text.ts'
import type { Queryable } from '../../storage/database.ts'
import { spellingsOf } from '../../storage/search.ts'
import type { PositionCells } from '../orders/position-rows.ts'
import { selectPositions } from '../orders/positions.ts'
import { belongsTo } from './checkin-counts.ts'
import type { ListAt } from './checkin-lists.ts'

/** What a guest says to prove whose order it is: its code and a last name, or a whole email address. */
export interface GuestProof {
  readonly order?: string
  readonly last_name?: string
  readonly email?: string
}

/** As many tickets as one order is likely to have at a door. */
const most = 50

/** How a name may be typed, also where the keys have no umlauts. */
function typings(name: string): readonly string[] {
  const words = name.trim().replaceAll(/\s+/g, ' ')
  return [plainLetters(words), ...spellingsOf(words)]
}

/** Whether a last name is that of a whole name: its family name, or the words at its end. */
function isLastName(typed: string, name: string | null, parts: Readonly<Record<string, string>>): boolean {
  if (typed.trim() === '') return false
  const wanted = typings(typed)
  const whole = typings(name ?? '')
  const ends = whole.some((one) => wanted.some((last) => one.endsWith(` ${last}`)))
  return ends || [...typings(parts.family_name ?? ''), ...whole].some((one) => wanted.includes(one))
}

const partsIn = (text: unknown): Readonly<Record<string, string>> =>
  typeof text === 'string' && text !== '' ? JSON.parse(text) : {}

/** Whether somebody on the order has this last name: a guest on one of its tickets, or who has bought it. */
function isOnOrder(typed: string, positions: readonly PositionCells[]): boolean {
  return positions.some(({ attendee_name, attendee_name_parts, order_address }) => {
    const address: Partial<InvoiceAddress> = order_address === null ? {} : JSON.parse(order_address)
    return (
      isLastName(typed, attendee_name, partsIn(attendee_name_parts)) ||
      isLastName(typed, address.name ?? null, address.name_parts ?? {})
    )
  })
}

/**
 * The tickets that belong to a list, whatever became of their orders, of a guest who has proved whose order it is; none
 * where they have not. Who knows half of it, or only the name, is told nothing.
 */
export async function findGuest(
  db: Queryable,
  organizer: number,
  { facts }: ListAt,
  { order = '', last_name = '', email = '' }: GuestProof,
): Promise<readonly PositionCells[]> {
  const find = (condition: Sql) =>
    selectPositions(
      db,
      sql`p.organizer = ${organizer} AND p.event = ${facts.event} AND p.canceled = 0 AND ${condition}`,
      sql`p.order_id, p.positionid`,
      sql` LIMIT ${most}`,
    )
  const listed = async (condition: Sql) =>
    find(
      sql`p.order_id IN (SELECT o.id FROM orders o WHERE o.organizer = ${organizer} AND o.event = ${facts.event} AND ${condition})
          AND ${belongsTo(organizer, facts, true)}`,
    )
  const address = email.trim().toLowerCase()
  if (address.includes('@')) {
    const byOrder = await listed(sql`lower(o.email) = ${address}`)
    const byTicket = await find(
      sql`lower(p.attendee_email) = ${address} AND ${belongsTo(organizer, facts, true)}`,
    )
    return [...new Map([...byOrder, ...byTicket].map((cells) => [cells.id, cells])).values()]
  }
  // On tickets the number of the position follows.
  const code = order
    .trim()
    .toUpperCase()
    .replace(/-\d{1,5}$/, '')
  if (code === '' || last_name.trim() === '') return []
  const all = await find(
    sql`p.order_id IN (SELECT o.id FROM orders o WHERE o.organizer = ${organizer} AND o.event = ${facts.event} AND o.code = ${code})`,
  )
  return isOnOrder(last_name, all) ? listed(sql`o.code = ${code}`) : []
}
