/** The event that something is sold for, by its slugs. */
export interface SalesPlace {
  readonly organizer: string
  readonly event: string
}

/** Where the interface of an event is. */
export const eventPath = ({ organizer, event }: SalesPlace): string =>
  `/api/v1/organizers/${encodeURIComponent(organizer)}/events/${encodeURIComponent(event)}`
