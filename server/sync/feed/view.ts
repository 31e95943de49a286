import { hash } from 'node:crypto'
import sql from 'sql-template-tag'
import { type Audience, audienceOfProfile } from '../../../schema/security-profiles.ts'
import { Refusal, unauthenticated } from '../../errors.ts'
import { type AskedQuestions, askedAtEntrance } from '../../services/catalogue/questions.ts'
import type { Queryable } from '../../storage/database.ts'
import { maskTag } from './replicated.ts'

/** What a device may be given. */
export interface View {
  readonly organizer: number
  /** The row of the device. */
  readonly device: number
  /** The number by which the API names it. */
  readonly number: number
  /** As whom the device is given data. */
  readonly audience: Audience
  readonly withOrders: boolean
  /** The slugs of the events that it may enter, by their ids. */
  readonly events: ReadonlyMap<number, string>
  readonly allEvents: boolean
  /** Of a hub: sites from the first on and before the second are its own, today's and those of its former copies. */
  readonly sites: readonly (readonly [number, number])[]
  /** Of an entrance: the ids of the questions that are asked or shown at the entrance, by event. */
  readonly asked: AskedQuestions
  /** Names everything that decides which columns and resources are given. */
  readonly tag: string
}

interface DeviceCells {
  readonly device_id: number
  readonly revoked: number
  readonly all_events: number
  readonly limit_events: string
  readonly security_profile: string
  readonly site: number | null
  readonly site_end: number | null
  readonly former_sites: string | null
}

/** What a device of an organizer may be given, as its row says now; 401 when it is revoked or gone. */
export async function feedViewOf(
  db: Queryable,
  organizer: number,
  device: number,
  withOrders: boolean,
): Promise<View> {
  const row = await db.get<DeviceCells>(
    sql`SELECT device_id, revoked, all_events, limit_events, security_profile, site, site_end, former_sites FROM device
        WHERE organizer = ${organizer} AND id = ${device}`,
  )
  if (!row) throw unauthenticated('Invalid token.')
  if (row.revoked === 1) throw unauthenticated('Device access has been revoked.')
  const known = await db.remembered(`events of ${organizer}`, () =>
    db.all<{ id: number; slug: string }>(
      sql`SELECT id, slug FROM event WHERE organizer = ${organizer} ORDER BY id`,
    ),
  )
  const allEvents = row.all_events === 1
  const limits = new Set<string>(JSON.parse(row.limit_events))
  const events = new Map(
    known.filter(({ slug }) => allEvents || limits.has(slug)).map(({ id, slug }) => [id, slug]),
  )
  const audience = audienceOfProfile(row.security_profile)
  const isHub = row.site !== null && row.site_end !== null
  return {
    organizer,
    device,
    number: row.device_id,
    audience,
    withOrders,
    events,
    allEvents,
    sites: isHub ? [[row.site, row.site_end], ...JSON.parse(row.former_sites ?? '[]')] : [],
    asked: audience === 'entrance' ? await askedAtEntrance(db, organizer) : new Map(),
    tag: `${maskTag(audience)}${withOrders ? '' : '-tickets'}${isHub ? '-hub' : ''}`,
  }
}

/** Whether a device may see the same by now as before. */
export const isSameView = (before: View, now: View): boolean =>
  before.tag === now.tag &&
  before.events.size === now.events.size &&
  [...before.events.keys()].every((event) => now.events.has(event))

/** Names the answers that the view of an entrance holds of an event; empty for none and for a view that holds all. */
export function askedTag(view: View, event: number): string {
  const ids = view.asked.get(event)
  return ids ? hash('sha256', [...ids].join()).slice(0, 8) : ''
}

/** 410: what was asked for cannot be continued; a new snapshot is needed. */
export const gone = (reason: GoneReason, detail: string): Refusal => new Refusal(410, { detail, reason })

/** Why changes cannot be followed any further. */
type GoneReason = 'epoch' | 'ahead' | 'pruned' | 'unreadable' | 'profile'
