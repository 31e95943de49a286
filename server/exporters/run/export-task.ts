import sql from 'sql-template-tag'
import { type Permission, permissions } from '../../../schema/permissions.ts'
import { invalid } from '../../errors.ts'
import { type Actor, entering, may } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'
import type { Exporter, Level } from '../format/exporter.ts'
import { exportersOf } from './exporters.ts'
import { type Reach, readWishes } from './parameters.ts'
import type { ExportTask } from './run-export.ts'

/** What a body asks of an exporter. */
export type Wanted = Readonly<Record<string, unknown>>

/** An exporter, and its caller as each of the permissions that it needs makes them. */
export interface UsableExporter {
  readonly exporter: Exporter
  readonly callers: readonly Actor[]
}

/**
 * A caller as each of the permissions that an exporter needs makes them, for only where all of them let one in may it be
 * used; null where one is missing altogether.
 */
export function exporterCallers(
  { actor, organizer, event }: Pick<Scope, 'actor' | 'organizer' | 'event'>,
  exporter: Exporter,
): readonly Actor[] | null {
  const needs: readonly (Permission | null)[] = exporter.withoutEvents
    ? [exporter.needs]
    : ['can_view_orders', exporter.needs]
  const callers = needs.map((need) => entering(actor, organizer.id, event?.id ?? null, need))
  return callers.some((one) => one === null) ? null : callers.filter((one) => one !== null)
}

/** The exporter with an identifier, where somebody may use it. */
export function usableExporter(scope: Scope, level: Level, identifier: string): UsableExporter | undefined {
  const exporter = exportersOf(level).find((one) => one.identifier === identifier)
  const callers = exporter && exporterCallers(scope, exporter)
  return exporter && callers ? { exporter, callers } : undefined
}

/** What an exporter is asked about. */
export const exportReach = (
  level: Level,
  { place, event }: Pick<Scope, 'place' | 'event'>,
  events: readonly number[],
): Reach => ({ level, organizer: place.organizer, events, event })

/** The events that a caller may use an exporter on, by their slugs. */
async function eventsOf(
  db: Queryable,
  { organizer }: Pick<Scope, 'organizer'>,
  callers: readonly Actor[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await db.all<{ id: number; slug: string }>(
    sql`SELECT id, slug FROM event WHERE organizer = ${organizer.id}`,
  )
  const open = rows.filter(({ id }) => callers.every((one) => one.allEvents || one.events.has(id)))
  return new Map(open.map(({ id, slug }) => [slug, id]))
}

/** The events that a body names, or all of them; 400 for one that the caller may not see. */
function wishedEvents(known: ReadonlyMap<string, number>, body: Wanted): number[] {
  if (body.all_events === true || body.all_events === 'true') {
    if (known.size === 0) throw invalid({ events: ['There is no event whose orders you may see.'] })
    return [...known.values()]
  }
  const { events } = body
  if (!Array.isArray(events)) throw invalid({ events: ['This field is required.'] })
  if (events.length === 0) throw invalid({ events: ['This list may not be empty.'] })
  const ids = events.map((slug: unknown) => {
    const id = known.get(String(slug))
    if (id === undefined)
      throw invalid({ events: [`Object with slug=${String(slug).slice(0, 100)} does not exist.`] })
    return id
  })
  return [...new Set(ids)]
}

/** What a body asks an exporter for, as whoever asks may have it; 400 with messages by parameter. */
export async function readExportTask(
  db: Queryable,
  scope: Scope,
  { exporter, callers }: UsableExporter,
  wanted: { readonly level: Level; readonly body: Wanted; readonly now: string; readonly origin: string },
): Promise<ExportTask> {
  const { organizer, event } = scope
  const { level, body, now, origin } = wanted
  const events = event
    ? [event.id]
    : exporter.withoutEvents
      ? []
      : wishedEvents(await eventsOf(db, scope, callers), body)
  return {
    ...{ exporter: exporter.identifier, level, organizer, events },
    wishes: await readWishes(db, exporter, exportReach(level, scope, events), body),
    permissions: permissions.filter((one) => callers.every((caller) => may(caller, one))),
    ...{ origin, now },
  }
}
