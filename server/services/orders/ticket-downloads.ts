import { hasTicket, whyNoTickets } from '../../domain/orders/ticket-downloads.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventById } from '../events/events.ts'
import type { PositionCells } from './position-rows.ts'

/** The forms in which tickets can be had: one to a page, and for printers with a roll of paper. */
export const ticketOutputs = ['pdf', 'roll'] as const

/** One of the forms in which tickets can be had. */
export type TicketOutput = (typeof ticketOutputs)[number]

/** One form in which tickets can be had, and its address. */
export interface TicketDownload {
  readonly output: TicketOutput
  readonly url: string
}

/** What the addresses of downloads are made of, and the events that they are about by their ids. */
export interface DownloadSite {
  /** Where this server is reached. */
  readonly origin: string
  /** The organizer's slug. */
  readonly organizer: string
  readonly events: ReadonlyMap<number, EventFacts>
}

/** Loads some events by their ids. */
export async function eventsById(
  db: Queryable,
  organizer: number,
  ids: readonly number[],
): Promise<ReadonlyMap<number, EventFacts>> {
  const found = new Map<number, EventFacts>()
  for (const id of new Set(ids)) {
    const event = await eventById(db, organizer, id)
    if (event) found.set(id, event)
  }
  return found
}

/** What the addresses of downloads at the door are made of, for positions of the events of some lists. */
export const downloadSiteOf = (
  origin: string,
  organizer: string,
  lists: readonly { readonly event: EventFacts }[],
): DownloadSite => ({
  origin,
  organizer,
  events: new Map(lists.map(({ event }) => [event.id, event])),
})

const pathOf = ({ origin, organizer }: DownloadSite, event: EventFacts): string =>
  `${origin}/api/v1/organizers/${organizer}/events/${event.slug}`

const outputsBelow = (path: string): TicketDownload[] =>
  ticketOutputs.map((output) => ({ output, url: `${path}download/${output}/` }))

/** Why there are no tickets of an order that some cells belong to, or null when there are. */
export const whyNoTicketsOf = (
  { status, require_approval, valid_if_pending }: Readonly<Record<string, unknown>>,
  event: EventFacts,
): string | null =>
  whyNoTickets(
    {
      status: status as 'n' | 'p' | 'e' | 'c',
      require_approval: require_approval === 1,
      valid_if_pending: valid_if_pending === 1,
    },
    event.settings,
  )

/** Why there are no tickets of the order of a position, or null when there are. */
export const whyNoTicketOf = (cells: PositionCells, event: EventFacts): string | null =>
  whyNoTicketsOf(
    {
      status: cells.order_status,
      require_approval: cells.order_approval,
      valid_if_pending: cells.order_valid,
    },
    event,
  )

/** Whether there is a ticket for a position, as far as its product and its event say. */
export const hasTicketFor = (cells: PositionCells, { settings }: EventFacts): boolean =>
  hasTicket(
    {
      generate_tickets: cells.item_tickets === null ? null : cells.item_tickets === 1,
      admission: cells.item_admission === 1,
      isAddon: cells.addon_to !== null,
      isBlocked: cells.blocked !== null,
    },
    settings,
  )

/** The forms in which the ticket of a position can be had, with their addresses; none where there is no ticket. */
export function positionDownloads(site: DownloadSite, cells: PositionCells): TicketDownload[] {
  const event = site.events.get(cells.event)
  if (!event || whyNoTicketOf(cells, event) !== null || !hasTicketFor(cells, event)) return []
  return outputsBelow(`${pathOf(site, event)}/orderpositions/${cells.id}/`)
}

/** Where something below a position is found; null where its event is not among those of the site. */
export function addressBelow(
  site: DownloadSite,
  { id, event }: Pick<PositionCells, 'id' | 'event'>,
  below: string,
): string | null {
  const found = site.events.get(event)
  return found ? `${pathOf(site, found)}/orderpositions/${id}/${below}/` : null
}

/** The forms in which all tickets of an order can be had, with their addresses. */
export function orderDownloads(
  site: DownloadSite,
  order: Readonly<Record<string, unknown>> & { readonly event: number; readonly code: string },
): TicketDownload[] {
  const event = site.events.get(order.event)
  if (!event || whyNoTicketsOf(order, event) !== null) return []
  return outputsBelow(`${pathOf(site, event)}/orders/${order.code}/`)
}
