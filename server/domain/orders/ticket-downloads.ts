import type { EventSettings } from '../../../schema/event-settings.ts'

/** The part of an order that decides whether its tickets can be had. */
interface DownloadOrder {
  readonly status: 'n' | 'p' | 'e' | 'c'
  readonly require_approval: boolean
  readonly valid_if_pending: boolean
}

/** The part of a position that decides whether there is a ticket for it. */
interface DownloadPosition {
  /** What its product says: always, never, or null for the event's rule. */
  readonly generate_tickets: boolean | null
  readonly admission: boolean
  readonly isAddon: boolean
  readonly isBlocked: boolean
}

/** Why there are no tickets of an order, or null when there are. */
export function whyNoTickets(
  order: DownloadOrder,
  settings: Pick<EventSettings, 'ticket_download_pending'>,
): string | null {
  if (order.status === 'c' || order.status === 'e')
    return 'There are no tickets for orders that are canceled or expired.'
  if (order.status === 'p') return null
  if (order.require_approval) return 'There are no tickets for orders that wait for approval.'
  return order.valid_if_pending || settings.ticket_download_pending
    ? null
    : 'There are no tickets for orders that are not paid.'
}

/** Whether there is a ticket for a position: as its product says, else by the event's settings. */
export function hasTicket(
  position: DownloadPosition,
  settings: Pick<EventSettings, 'ticket_download_addons' | 'ticket_download_nonadm'>,
): boolean {
  if (position.generate_tickets !== null) return position.generate_tickets
  if (position.isBlocked) return false
  return (
    (settings.ticket_download_addons || !position.isAddon) &&
    (settings.ticket_download_nonadm || position.admission)
  )
}
