import sql from 'sql-template-tag'
import type { OrganizerChoice } from '../../schema/bodies/station-state.ts'
import { shownInstant } from '../../schema/instants.ts'
import type { Queryable } from '../storage/database.ts'

interface EventCells {
  readonly organizer: number
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly date_from: string
  readonly timezone: string
}

interface ListCells {
  readonly organizer: number
  readonly event: number
  readonly id: number
  readonly name: string
  readonly subevent: number | null
  readonly subevent_name: string | null
}

/** What a station can be set up for: organizers with their events, check-in lists and gates. */
export async function stationChoices(db: Queryable): Promise<OrganizerChoice[]> {
  const organizers = await db.all<{ id: number; slug: string; name: string }>(
    sql`SELECT id, slug, name FROM organizer ORDER BY name, id`,
  )
  const events = await db.all<EventCells>(
    sql`SELECT organizer, id, slug, name, date_from, timezone FROM event ORDER BY date_from DESC, id`,
  )
  const lists = await db.all<ListCells>(
    sql`SELECT l.organizer, l.event, l.id, l.name, l.subevent, subevent.name AS subevent_name FROM checkin_list l
        LEFT JOIN subevent ON subevent.organizer = l.organizer AND subevent.id = l.subevent
        ORDER BY subevent.date_from ASC NULLS FIRST, l.id`,
  )
  const gates = await db.all<{ organizer: number; id: number; name: string }>(
    sql`SELECT organizer, id, name FROM gate ORDER BY name, id`,
  )
  return organizers.map((organizer) => ({
    slug: organizer.slug,
    name: organizer.name,
    events: events
      .filter((event) => event.organizer === organizer.id)
      .map((event) => ({
        slug: event.slug,
        name: JSON.parse(event.name),
        date_from: shownInstant(event.date_from),
        timezone: event.timezone,
        lists: lists
          .filter((list) => list.organizer === event.organizer && list.event === event.id)
          .map((list) => ({
            id: list.id,
            name: list.name,
            subevent: list.subevent,
            subevent_name: list.subevent_name === null ? null : JSON.parse(list.subevent_name),
          })),
      })),
    gates: gates.filter((gate) => gate.organizer === organizer.id).map(({ id, name }) => ({ id, name })),
  }))
}
