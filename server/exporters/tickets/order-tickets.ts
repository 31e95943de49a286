import sql from 'sql-template-tag'
import { eventById } from '../../services/events/events.ts'
import { selectPositions } from '../../services/orders/positions.ts'
import { hasTicketFor, whyNoTicketOf } from '../../services/orders/ticket-downloads.ts'
import { printedTickets } from '../../services/orders/ticket-print.ts'
import type { Queryable } from '../../storage/database.ts'
import { ticketPdf } from './ticket-pdf.ts'

/** What a mail with tickets is about: an order, or one position of it. */
interface TicketsOf {
  readonly organizer: number
  readonly event: number
  readonly order_id: number | null
  readonly position_id: number | null
}

/** The tickets of an order, or of one position, as a file to go with a mail; no file where there are no tickets now. */
export async function ticketsFor(
  db: Queryable,
  { organizer, event: id, order_id, position_id }: TicketsOf,
): Promise<{ readonly filename: string; readonly content: Uint8Array }[]> {
  const event = await eventById(db, organizer, id)
  if (!event || order_id === null) return []
  const positions = await selectPositions(
    db,
    sql`p.organizer = ${organizer} AND p.order_id = ${order_id} AND p.canceled = 0
      AND (${position_id === null ? 1 : 0} = 1 OR p.id = ${position_id ?? 0})`,
    sql`p.positionid`,
  )
  const printed = positions.filter(
    (cells) => whyNoTicketOf(cells, event) === null && hasTicketFor(cells, event),
  )
  const [first] = printed
  if (!first) return []
  const filename = `${event.slug.toUpperCase()}-${first.order_code}.pdf`
  const content = await ticketPdf(await printedTickets(db, organizer, event, printed), 'page', filename)
  return [{ filename, content }]
}
