import sql, { join } from 'sql-template-tag'
import type { JsonObject } from '../../../schema/fields.ts'
import { type EventOccasion, selectOccasion } from '../../domain/checkin/event-selection.ts'
import { inLanguage } from '../../domain/text/multilingual.ts'
import type { Actor } from '../../resource/actor.ts'
import type { Queryable } from '../../storage/database.ts'

/** What a device is set to now, as far as it says so. */
interface CurrentSelection {
  readonly event: string | null
  readonly subevent: number | null
  readonly list: number | null
  /** The language that it shows names in. */
  readonly language: string
}

interface OccasionCells extends EventOccasion {
  readonly slug: string
  readonly name: string
}

interface ListCells {
  readonly id: number
  readonly name: string
  readonly event: number
  readonly subevent: number | null
}

/**
 * Suggests the event, date and check-in list for a device at a moment: an answer as the interface shows it, `keep` for
 * those it has, or null when there is nothing that it could be at.
 */
export async function suggestEvent(
  db: Queryable,
  actor: Actor,
  { language, ...current }: CurrentSelection,
  now: string,
): Promise<JsonObject | 'keep' | null> {
  const organizer = Number(actor.organizer)
  const found = (await occasionsOf(db, organizer)).filter(
    ({ event }) => actor.allEvents || actor.events.has(event),
  )
  const own = found.find(({ slug, subevent }) => slug === current.event && subevent === current.subevent)
  const chosen = selectOccasion(found, own, now)
  if (chosen === 'keep' || chosen === null) return chosen
  const list = await listAt(db, organizer, chosen, current.list)
  if (
    chosen.slug === current.event &&
    chosen.subevent === current.subevent &&
    list !== undefined &&
    list.id === current.list
  )
    return 'keep'
  return {
    event: { slug: chosen.slug, name: inLanguage(JSON.parse(chosen.name), language) },
    subevent: chosen.subevent,
    checkinlist: list?.id ?? null,
  }
}

/** Events that are open, and the dates of those that are series. */
async function occasionsOf(db: Queryable, organizer: number): Promise<OccasionCells[]> {
  const events = await db.all<OccasionCells>(
    sql`SELECT id AS event, NULL AS subevent, slug, name, timezone, date_from, date_to, date_admission FROM event
        WHERE organizer = ${organizer} AND live = 1 AND has_subevents = 0 ORDER BY id`,
  )
  const dates = await db.all<OccasionCells>(
    sql`SELECT e.id AS event, s.id AS subevent, e.slug, e.name, e.timezone, s.date_from, s.date_to, s.date_admission
        FROM subevent s JOIN event e ON e.organizer = s.organizer AND e.id = s.event
        WHERE s.organizer = ${organizer} AND e.live = 1 AND e.has_subevents = 1 AND s.active = 1 ORDER BY s.id`,
  )
  return [...events, ...dates]
}

/** The check-in list for an occasion: the current one or its namesake, or the first one. */
async function listAt(
  db: Queryable,
  organizer: number,
  { event, subevent }: EventOccasion,
  current: number | null,
): Promise<ListCells | undefined> {
  const [before] =
    current === null
      ? []
      : await db.all<ListCells>(
          sql`SELECT id, name, event, subevent FROM checkin_list WHERE organizer = ${organizer} AND id = ${current}`,
        )
  const conditions = [sql`organizer = ${organizer}`, sql`event = ${event}`]
  conditions.push(
    subevent === null ? sql`subevent IS NULL` : sql`(subevent IS NULL OR subevent = ${subevent})`,
  )
  const lists = await db.all<ListCells>(
    sql`SELECT id, name, event, subevent FROM checkin_list WHERE ${join(conditions, ' AND ')} ORDER BY id`,
  )
  return (
    lists.find(({ id }) => id === before?.id) ??
    lists.find(({ name }) => name === before?.name) ??
    // What is meant for the date alone comes before what is for all dates.
    lists.find((list) => list.subevent === subevent) ??
    lists[0]
  )
}
