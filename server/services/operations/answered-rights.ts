import { type Permission, permissions } from '../../../schema/permissions.ts'
import { type Actor, accessesOf, isOrganizerWide, mayAt, type TeamAccess } from '../../resource/actor.ts'
import type { Queryable } from '../../storage/database.ts'
import { eventBySlug, organizerBySlug } from '../events/events.ts'

/** What somebody was allowed at the organizer or event that a request was about, in a form that can be stored. */
export interface AnsweredRights {
  readonly organizer: number
  readonly accesses: readonly StoredAccess[]
}

interface StoredAccess {
  readonly permissions: readonly Permission[]
  /** Ids of events, or all of them. */
  readonly events: 'all' | readonly number[]
}

const storedAccess = (access: TeamAccess, events: StoredAccess['events']): StoredAccess => ({
  permissions: permissions.filter((permission) => access.permissions.has(permission)),
  events,
})

/** What a caller is allowed where a path leads; null where that is no organizer. */
export async function rightsOnPath(
  db: Queryable,
  actor: Actor,
  path: string,
): Promise<AnsweredRights | null> {
  const [, slug, eventSlug] = /^\/api\/v1\/organizers\/([^/]+)\/(?:events\/([^/]+)\/)?/.exec(path) ?? []
  const organizer = slug === undefined ? undefined : await organizerBySlug(db, slug)
  if (!organizer) return null
  const accesses = accessesOf(actor, organizer.id)
  const event = eventSlug === undefined ? undefined : await eventBySlug(db, organizer.id, eventSlug)
  const stored = event
    ? accesses
        .filter((access) => mayAt([access], null, event.id))
        .map((access) => storedAccess(access, [event.id]))
    : accesses.map((access) => storedAccess(access, access.allEvents ? 'all' : [...access.events]))
  return { organizer: organizer.id, accesses: stored }
}

/** Whether a caller is still allowed all that they were allowed when they were answered. */
export function areRightsLeft(actor: Actor, { organizer, accesses }: AnsweredRights): boolean {
  const own = accessesOf(actor, organizer)
  return accesses.every(({ permissions: needed, events }) => {
    const places = events === 'all' ? (['all'] as const) : events
    return [null, ...needed].every((need) =>
      (isOrganizerWide(need) ? [null] : places).every((at) => mayAt(own, need, at)),
    )
  })
}
