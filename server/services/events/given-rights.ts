import sql, { join } from 'sql-template-tag'
import { permissions, type Requirement } from '../../../schema/permissions.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import type { team } from '../../../schema/resources/accounts/team.ts'
import { denied } from '../../errors.ts'
import { accessesOf, isOrganizerWide, mayAt } from '../../resource/actor.ts'
import type { Scope } from '../../resource/api.ts'
import type { Queryable } from '../../storage/database.ts'

/** What a team, a device or whoever has a token of it may do: all of this, at these events. */
export interface GivenRights {
  readonly needs: readonly Requirement[]
  readonly all_events: boolean
  readonly limit_events: readonly string[]
}

/** What a team gives to those who are in it. Even one that allows nothing lets them enter its events. */
export const rightsOfTeam = (row: StoredRow<typeof team>): GivenRights => ({
  needs: [null, ...permissions.filter((permission) => row[permission])],
  all_events: row.all_events,
  limit_events: row.limit_events,
})

/** Whether who fulfils one requirement fulfils another one. */
const implies = (one: Requirement, other: Requirement): boolean =>
  other === null || (one !== null && [one].flat().every((word) => [other].flat().includes(word)))

type At = string | 'all'

const holds = ({ needs, all_events, limit_events }: GivenRights, need: Requirement, at: At | null): boolean =>
  needs.some((one) => implies(one, need)) &&
  (at === null || all_events || (at !== 'all' && limit_events.includes(at)))

/**
 * Refuses to give what the caller has not got: a right, at an event where they do not have it, or at all events where
 * they have it at some. What was there `before` the change is not given by it.
 */
export async function refuseUnownedRights(
  db: Queryable,
  { actor, organizer }: Pick<Scope, 'actor' | 'organizer'>,
  next: GivenRights,
  before?: GivenRights,
): Promise<void> {
  const own = accessesOf(actor, organizer.id)
  const ids = await idsOf(db, organizer.id, next.limit_events)
  const places: readonly At[] = next.all_events ? ['all'] : next.limit_events
  const isLacking = (need: Requirement, at: At | null): boolean =>
    !(before && holds(before, need, at)) &&
    !mayAt(own, need, at === 'all' || at === null ? at : (ids.get(at) ?? 0))
  const lacking = next.needs.filter((need) =>
    (isOrganizerWide(need) ? [null] : places).some((at) => isLacking(need, at)),
  )
  if (lacking.length > 0)
    throw denied(`You can only give what you have yourself, at the same events. Missing: ${said(lacking)}.`)
}

const said = (lacking: readonly Requirement[]): string =>
  lacking
    .map((need) => (need === null ? 'access to all of the events' : [need].flat().join(' or ')))
    .join(', ')

async function idsOf(
  db: Queryable,
  organizer: number,
  slugs: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  if (slugs.length === 0) return new Map()
  const rows = await db.all<{ id: number; slug: string }>(
    sql`SELECT id, slug FROM event WHERE organizer = ${organizer} AND slug IN (${join([...slugs])})`,
  )
  return new Map(rows.map(({ id, slug }) => [slug, id]))
}
