import sql, { join } from 'sql-template-tag'
import { team } from '../../../schema/resources/accounts/team.ts'
import { device } from '../../../schema/resources/devices/device.ts'
import { contradictory, invalid } from '../../errors.ts'
import type { Actor } from '../../resource/actor.ts'
import { findRows, lockRow, updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'
import { listHolds } from '../input/json-filters.ts'

/** Which events somebody may enter. */
interface EventLimits {
  readonly all_events: boolean
  readonly limit_events: readonly string[]
}

/** Refuses events that do not exist, and a list of events for somebody who may enter all of them. */
export async function checkEventLimits(tx: Tx, organizer: number, row: EventLimits): Promise<void> {
  const slugs = row.limit_events
  if (slugs.length === 0) return
  if (row.all_events) throw contradictory('Choose events in limit_events, or set all_events, but not both.')
  const found = await tx.all<{ slug: string }>(
    sql`SELECT slug FROM event WHERE organizer = ${organizer} AND slug IN (${join([...slugs])})`,
  )
  const known = new Set(found.map(({ slug }) => slug))
  const unknown = slugs.filter((slug) => !known.has(slug))
  if (unknown.length > 0)
    throw invalid({ limit_events: unknown.map((slug) => `Object with slug=${slug} does not exist.`) })
}

/** Takes an event that is deleted off all lists, so that another one with its name is not open to the same people. */
export async function forgetEvent(tx: Tx, organizer: number, slug: string): Promise<void> {
  const place = { organizer, event: 0 }
  const listing = listHolds(sql`limit_events`, slug)
  const without = (slugs: readonly string[]): string[] => slugs.filter((other) => other !== slug)
  for (const { id } of await findRows(tx, team, place, { where: listing }))
    await changeLimits(tx, { resource: team, place, id }, without)
  for (const { id } of await findRows(tx, device, place, { where: listing }))
    await changeLimits(tx, { resource: device, place, id }, without)
}

/** Changes the list of events of a team or device, which nobody else changes meanwhile. */
async function changeLimits(
  tx: Tx,
  holder: { readonly resource: typeof team | typeof device; readonly place: Place; readonly id: number },
  change: (slugs: readonly string[]) => string[],
): Promise<void> {
  const { resource, place, id } = holder
  const row =
    resource === team ? await lockRow(tx, team, place, { id }) : await lockRow(tx, device, place, { id })
  if (row) await updateRow(tx, resource, place, { id, limit_events: change(row.limit_events) })
}

/** Lets whoever has just made an event into it: a token by its team, a person by a team that lets them make events. */
export async function letCreatorIn(tx: Tx, organizer: number, actor: Actor, slug: string): Promise<void> {
  const place = { organizer, event: 0 }
  const { id } = actor
  if (actor.kind !== 'token' && actor.kind !== 'user') return
  const own =
    actor.kind === 'token'
      ? sql`id = (SELECT team FROM team_token WHERE organizer = ${organizer} AND id = ${id})`
      : sql`can_create_events = 1
            AND id IN (SELECT team FROM team_member WHERE organizer = ${organizer} AND "user" = ${id})`
  const teams = await findRows(tx, team, place, { where: own })
  const [first] = teams.toSorted((a, b) => a.id - b.id)
  if (!first || teams.some((one) => one.all_events)) return
  await changeLimits(tx, { resource: team, place, id: first.id }, (slugs) => [...slugs, slug])
}
