import sql, { type Sql } from 'sql-template-tag'
import { type EventSettings, eventSettings } from '../../../schema/event-settings.ts'
import { marksOf } from '../../../schema/fields.ts'
import type { EventTimes } from '../../domain/rules/facts.ts'
import { movedAway } from '../../errors.ts'
import type { EventFacts } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'
import { movedAwayTo } from '../../storage/moved-organizers.ts'

/** Settings of an event and what they are when nothing is said. */
export const settingDefaults: Readonly<Record<string, unknown>> = Object.fromEntries(
  Object.entries(eventSettings).map(([key, { field }]) => [key, marksOf(field).default]),
)

interface EventCells {
  readonly id: number
  readonly slug: string
  readonly timezone: string
  readonly has_subevents: number
  readonly currency: string
  readonly settings: string
  readonly organizer_settings: string
}

function factsOf(cells: EventCells): EventFacts {
  const settings: EventSettings = {
    ...settingDefaults,
    ...JSON.parse(cells.organizer_settings),
    ...JSON.parse(cells.settings),
    timezone: cells.timezone,
  }
  return {
    id: cells.id,
    slug: cells.slug,
    timezone: cells.timezone,
    locale: settings.locale,
    locales: settings.locales,
    nameScheme: settings.name_scheme,
    hasSubevents: cells.has_subevents === 1,
    currency: cells.currency,
    settings,
  }
}

const columns = sql`event.id, event.slug, event.timezone, event.has_subevents, event.currency, event.settings,
  organizer.settings AS organizer_settings`

async function eventWhere(db: Queryable, organizer: number, condition: Sql): Promise<EventFacts | undefined> {
  const cells = await db.get<EventCells>(
    sql`SELECT ${columns} FROM event JOIN organizer ON organizer.id = event.organizer
        WHERE event.organizer = ${organizer} AND ${condition}`,
  )
  return cells && factsOf(cells)
}

/** What a decision needs to know of an event, and when it is. */
interface DatedEvent {
  readonly event: EventFacts
  readonly times: EventTimes
}

/** An event with its times, by its id. */
export async function datedEvent(
  db: Queryable,
  organizer: number,
  id: number,
): Promise<DatedEvent | undefined> {
  const cells = await db.get<EventCells & Omit<EventTimes, 'timezone'>>(
    sql`SELECT ${columns}, event.date_from, event.date_to, event.date_admission
        FROM event JOIN organizer ON organizer.id = event.organizer
        WHERE event.organizer = ${organizer} AND event.id = ${id}`,
  )
  if (!cells) return undefined
  const { timezone, date_from, date_to, date_admission } = cells
  return { event: factsOf(cells), times: { timezone, date_from, date_to, date_admission } }
}

/** An organizer by its slug, or undefined. */
export const organizerBySlug = (
  db: Queryable,
  slug: string,
): Promise<{ readonly id: number; readonly slug: string } | undefined> =>
  db.remembered(`organizer ${slug}`, () =>
    db.get<{ id: number; slug: string }>(sql`SELECT id, slug FROM organizer WHERE slug = ${slug}`),
  )

/** Refuses what is asked of an organizer that was moved to another server. */
export async function requireHere(db: Queryable, organizer: number): Promise<void> {
  const place = await movedAwayTo(db, [organizer])
  if (place !== undefined) throw movedAway(place)
}

/** The same by its id. */
export const organizerById = (
  db: Queryable,
  id: number,
): Promise<{ readonly id: number; readonly slug: string } | undefined> =>
  db.get<{ id: number; slug: string }>(sql`SELECT id, slug FROM organizer WHERE id = ${id}`)

/** What requests need to know of an event, by its slug. */
export const eventBySlug = (
  db: Queryable,
  organizer: number,
  slug: string,
): Promise<EventFacts | undefined> =>
  db.remembered(`event ${organizer} ${slug}`, () => eventWhere(db, organizer, sql`event.slug = ${slug}`))

/** The same by its id. */
export const eventById = (db: Queryable, organizer: number, id: number): Promise<EventFacts | undefined> =>
  eventWhere(db, organizer, sql`event.id = ${id}`)
