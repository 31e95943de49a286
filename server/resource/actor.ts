import type { Permission, Requirement } from '../../schema/permissions.ts'

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
}

/** Whether a caller fulfils a requirement. */
export function may(actor: Actor, requirement: Requirement): boolean {
  if (requirement === null) return true
  if (typeof requirement === 'string') return actor.permissions.has(requirement)
  return requirement.some((permission) => actor.permissions.has(permission))
}

/** Whether a caller may enter an event of an organizer at all. */
export const entersEvent = (actor: Actor, organizer: number, event: number): boolean =>
  entersOrganizer(actor, organizer) && (actor.allEvents || actor.events.has(event))

/** Whether a caller belongs to an organizer at all. */
export const entersOrganizer = (actor: Actor, organizer: number): boolean =>
  actor.organizer === null || actor.organizer === organizer
