import sql from 'sql-template-tag'
import { eventById } from '../../services/events/events.ts'
import { selectPositions } from '../../services/orders/positions.ts'
import { printedTickets } from '../../services/orders/ticket-print.ts'
import type { Queryable } from '../../storage/database.ts'
import { ticketPdf } from '../tickets/ticket-pdf.ts'

/** What is printed of a position of an order. */
export interface PrintedPosition {
  readonly organizer: number
  readonly event: number
  readonly position: number
  readonly document: 'ticket' | 'badge'
}

/** The page of PDF that is printed of a position; null where there is no such position. */
export async function positionPage(
  db: Queryable,
  { organizer, event: id, position }: PrintedPosition,
): Promise<Uint8Array | null> {
  const event = await eventById(db, organizer, id)
  if (!event) return null
  const positions = await selectPositions(
    db,
    sql`p.organizer = ${organizer} AND p.event = ${id} AND p.id = ${position}`,
    sql`p.positionid`,
  )
  if (positions.length === 0) return null
  return ticketPdf(await printedTickets(db, organizer, event, positions), 'roll', 'Ticket')
}
