import sql from 'sql-template-tag'
import type { UnknownTickets } from '../../../schema/bodies/station-sync.ts'
import { microsecondsOf } from '../../../schema/instants.ts'
import { listFor } from '../../domain/checkin/ticket-choice.ts'
import { looksSigned, type SignedTicket, verifyTicket } from '../../domain/signed-tickets/signed-ticket.ts'
import type { Tx } from '../../resource/transactions.ts'
import type { Queryable } from '../../storage/database.ts'
import { ticketKeys } from '../codes/event-keys.ts'
import type { ListAt } from './checkin-lists.ts'

/** A signed ticket, and the list whose event's key has signed it. */
interface SignedAt {
  readonly organizer: number
  readonly ticket: SignedTicket
  readonly list: ListAt
}

/** What a code says that one of the lists' events has signed; undefined for every other code. */
export async function findSigned(
  db: Queryable,
  organizer: number,
  lists: readonly ListAt[],
  code: string,
): Promise<SignedAt | undefined> {
  if (!looksSigned(code)) return undefined
  for (const { facts } of lists) {
    const { event } = facts
    const ticket = verifyTicket(code, await ticketKeys(db, { organizer, event }))
    const chosen =
      ticket &&
      listFor(
        { event, ...ticket },
        lists.map((one) => one.facts),
      )
    const list = lists.find((one) => one.facts === chosen)
    if (ticket && list) return { organizer, ticket, list }
  }
  return undefined
}

/**
 * What a signed ticket is worth to a node that does not know its order: `unknown` where all orders are held, so that
 * there is none; `gone` where it should be among those that are held; `good` where it may well have been sold.
 */
type Acceptance = 'good' | 'gone' | 'unknown'

interface UpstreamCells {
  readonly with_orders: number
  readonly settings: string
  readonly last_data: string | null
}

/** What was sold so shortly before the data came may not have been in it, and clocks differ a little. */
const margin = 120e6

/** What a ticket is worth here whose signature is right and whose order is not known. */
export async function acceptanceOf(tx: Tx, event: number, ticket: SignedTicket): Promise<Acceptance> {
  const upstream = await tx.get<UpstreamCells>(
    sql`SELECT with_orders, settings, last_data FROM upstream WHERE id = 1`,
  )
  if (!upstream) return 'unknown'
  const settings: { signed_unknown?: UnknownTickets; forgotten?: readonly number[] } = JSON.parse(
    upstream.settings,
  )
  if (upstream.with_orders !== 1 || settings.forgotten?.includes(event)) return 'good'
  switch (settings.signed_unknown ?? 'by_age') {
    case 'accept':
      return 'good'
    case 'refuse':
      return 'gone'
    case 'by_age':
      return mayBeNew(ticket, upstream.last_data, tx.now) ? 'good' : 'gone'
  }
}

/**
 * Whether a ticket can have been sold after the data that is held here. One that does not say when it was issued can be
 * whenever that data is not the newest.
 */
function mayBeNew({ issued }: SignedTicket, lastData: string | null, now: string): boolean {
  if (lastData === null) return true
  const held = microsecondsOf(lastData)
  return issued === null ? microsecondsOf(now) - held > margin : microsecondsOf(issued) > held - margin
}
