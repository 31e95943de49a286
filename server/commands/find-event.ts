import sql from 'sql-template-tag'
import { impossible } from '../errors.ts'
import { requireOrganizer } from '../services/accounts/accounts.ts'
import { eventBySlug } from '../services/events/events.ts'
import type { GuestsAt } from '../services/import/imported-guests.ts'
import type { Queryable } from '../storage/database.ts'
import { command } from './next-step.ts'

/** Which event a command is about; what is left out must be clear anyway. */
export interface EventSelector {
  readonly organizer?: string
  readonly event?: string
  readonly subevent?: number
}

/** The one that is named, or the only one there is. */
function only(named: string | undefined, all: readonly { slug: string }[], what: string): string {
  if (named !== undefined) return named
  const [first, ...rest] = all
  if (first && rest.length === 0) return first.slug
  if (!first)
    throw impossible(`There is no ${what} yet. Make one first, or try with the demo: ${command} demo`)
  throw impossible(`Say which ${what} is meant: --${what} ${all.map((one) => one.slug).join(' or ')}`)
}

/** Finds the event that a command is about; refuses when it is not there, or not clear. */
export async function findEvent(db: Queryable, choice: EventSelector): Promise<GuestsAt> {
  const organizers = await db.all<{ slug: string }>(sql`SELECT slug FROM organizer ORDER BY slug`)
  const organizer = await requireOrganizer(db, only(choice.organizer, organizers, 'organizer'))
  const events = await db.all<{ slug: string }>(
    sql`SELECT slug FROM event WHERE organizer = ${organizer} ORDER BY slug`,
  )
  const slug = only(choice.event, events, 'event')
  const event = await eventBySlug(db, organizer, slug)
  if (!event) {
    const known = events.map((one) => one.slug).join(', ')
    throw impossible(
      known === ''
        ? `There is no event yet. Make one with: event create ${slug} --help`
        : `There is no event "${slug}". Known: ${known}.`,
    )
  }
  const place = { organizer, event: event.id }
  const { subevent = null } = choice
  if (subevent === null && event.hasSubevents)
    throw impossible(`The event "${slug}" is a series. Say for which date the list is, with --subevent ID.`)
  if (subevent !== null) {
    const date = await db.get(
      sql`SELECT id FROM subevent WHERE organizer = ${organizer} AND event = ${event.id} AND id = ${subevent}`,
    )
    if (!date) throw impossible(`The event "${slug}" has no date ${subevent}.`)
  }
  return { place, event, subevent }
}
