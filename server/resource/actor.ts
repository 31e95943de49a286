import { type Permission, permissions, type Requirement } from '../../schema/permissions.ts'

/** Who is asking: a credential, and what it allows where. */
export interface Actor {
  readonly kind: 'token' | 'device' | 'station' | 'user' | 'command'
  /** The id of the token, device or user; 0 for a command on the machine itself. */
  readonly id: number
  readonly name: string
  /** The organizer it belongs to, or all of them for a command. */
  readonly organizer: number | null
  readonly permissions: ReadonlySet<Permission>
  readonly allEvents: boolean
  /** Ids of the events it may enter where that is not all of them. */
  readonly events: ReadonlySet<number>
  readonly device: { readonly id: number; readonly gate: number | null; readonly profile: string } | null
  /** What the teams of a person allow, at every organizer that may be entered in their name; see `entering`. */
  readonly teams?: readonly TeamAccess[]
  /** Ids of organizers that give a person less, or nothing, until they have a second factor. */
  readonly factorMissingAt?: readonly number[]
  /** What a program that acts for a person was let do; missing for everybody else. */
  readonly scopes?: readonly string[]
}

/** What one team allows. */
export interface TeamAccess {
  readonly organizer: number
  readonly permissions: ReadonlySet<Permission>
  readonly allEvents: boolean
  readonly events: ReadonlySet<number>
}

/** Whether a caller fulfils a requirement. */
export function may(actor: Pick<Actor, 'permissions'>, requirement: Requirement): boolean {
  if (requirement === null) return true
  if (typeof requirement === 'string') return actor.permissions.has(requirement)
  return requirement.some((permission) => actor.permissions.has(permission))
}

/** Whether a caller may enter an event of an organizer at all. */
export const entersEvent = (actor: Actor, organizer: number, event: number): boolean =>
  entersOrganizer(actor, organizer) && (actor.allEvents || actor.events.has(event))

/** The events that a caller may enter; null for all of the organizer's. */
export const visibleEvents = ({ allEvents, events }: Actor): readonly number[] | null =>
  allEvents ? null : [...events]

/** Whether a caller belongs to an organizer at all. */
const entersOrganizer = (actor: Actor, organizer: number): boolean =>
  actor.organizer === null || actor.organizer === organizer

/** What a team allows for an organizer as a whole; the other permissions are for the events it may enter. */
const organizerWide: readonly Permission[] = [
  'can_create_events',
  'can_change_teams',
  'can_change_organizer_settings',
  'can_manage_customers',
  'can_manage_gift_cards',
  'can_manage_reusable_media',
]

const covers = (team: TeamAccess, event: number): boolean => team.allEvents || team.events.has(event)

/** Whether teams together cover every event that others cover. */
const coverAll = (teams: readonly TeamAccess[], others: readonly TeamAccess[]): boolean =>
  teams.some((team) => team.allEvents) ||
  others.every(
    (other) =>
      !other.allEvents && [...other.events].every((event) => teams.some((team) => covers(team, event))),
  )

/**
 * A person as the teams of an organizer make them: on the path of an event, all that the teams let into it allow
 * together. On the path of the organizer, those events can be entered for which a team fulfils the requirement, and what
 * is allowed is allowed at every one of them. Null for somebody who may not.
 */
function userIn(
  actor: Actor,
  teams: readonly TeamAccess[],
  { organizer, event }: { readonly organizer: number; readonly event: number | null },
  requirement: Requirement,
): Actor | null {
  const here = teams.filter((team) => team.organizer === organizer && (event === null || covers(team, event)))
  const fitting = here.filter((team) => may(team, requirement))
  if (fitting.length === 0) return null
  const isAllowed = (permission: Permission): boolean => {
    const holders = here.filter((team) => team.permissions.has(permission))
    if (holders.length === 0) return false
    return event !== null || organizerWide.includes(permission) || coverAll(holders, fitting)
  }
  return {
    ...actor,
    organizer,
    permissions: new Set(permissions.filter(isAllowed)),
    allEvents: fitting.some((team) => team.allEvents),
    events: new Set(fitting.flatMap((team) => [...team.events])),
  }
}

/** A caller on the path of an organizer, or of an event of it, as they are there; null where they may not be. */
export function entering(
  actor: Actor,
  organizer: number,
  event: number | null,
  requirement: Requirement,
): Actor | null {
  if (actor.teams) return userIn(actor, actor.teams, { organizer, event }, requirement)
  const isAdmitted = event === null ? entersOrganizer(actor, organizer) : entersEvent(actor, organizer, event)
  return isAdmitted && may(actor, requirement) ? actor : null
}

/** What a caller may do at an organizer, as one or several teams allow it together. */
export function accessesOf(actor: Actor, organizer: number): readonly TeamAccess[] {
  if (actor.teams) return actor.teams.filter((team) => team.organizer === organizer)
  const { permissions: allowed, allEvents, events } = actor
  return entersOrganizer(actor, organizer) ? [{ organizer, permissions: allowed, allEvents, events }] : []
}

/** Whether a requirement is about an organizer as a whole and not about the events that somebody may enter. */
export const isOrganizerWide = (requirement: Requirement): boolean =>
  typeof requirement === 'string' && organizerWide.includes(requirement)

/** Whether one of some accesses fulfils a requirement: at an event, at all there are and will be, or at none (null). */
export const mayAt = (
  accesses: readonly TeamAccess[],
  requirement: Requirement,
  at: number | 'all' | null,
): boolean =>
  accesses.some(
    (one) => may(one, requirement) && (at === null || (at === 'all' ? one.allEvents : covers(one, at))),
  )
