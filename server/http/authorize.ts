import type { Context } from 'koa'
import { denied, type Refusal } from '../errors.ts'
import { type Actor, entering, may } from '../resource/actor.ts'
import type { Admissions, Scope } from '../resource/api.ts'
import { originOf } from '../resource/asked.ts'
import { eventBySlug, organizerBySlug, requireHere } from '../services/events/events.ts'
import type { Database } from '../storage/database.ts'
import { authenticate } from './authenticate.ts'
import { checkProfile } from './profiles.ts'
import { addressKey } from './rate-limits.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a program that acts for a person was let do what it asks for: to read, or to change. */
const isInScope = ({ scopes }: Actor, method: string): boolean =>
  scopes === undefined || scopes.includes(safe.has(method) ? 'read' : 'write')

/** What every program that acts for a person may see, whatever it was let do. */
const forAll = new Set(['/api/v1/me', '/api/v1/version'])

/** 403, which says what to do where all that is missing may be a second factor. */
const refused = ({ factorMissingAt = [] }: Actor, organizer: number): Refusal =>
  factorMissingAt.includes(organizer)
    ? denied(
        'A second factor is required here: log in to this server and set one up at /account/second-factor.',
      )
    : denied()

/** By which address somebody asks, and from which. */
const cameFrom = (ctx: Context) => ({ origin: originOf(ctx), address: addressKey(ctx.ip) })

/**
 * Lets in callers who are somebody (401), who may enter the organizer and event that the path names (403, the same
 * whether these exist or not) and who have the permission asked for (403). The path of the server itself names neither.
 * `now` says until when the tokens of programs are valid; without it there are none.
 */
export function admissionsTo(db: Database, stationKey: string | null, now?: () => string): Admissions {
  async function known(ctx: Context): Promise<Actor> {
    const actor = await authenticate(ctx, db, stationKey, now)
    if (actor.device) checkProfile(actor.device.profile, ctx.method, ctx.path)
    if (!isInScope(actor, ctx.method) && !forAll.has(ctx.path)) throw denied()
    ctx.state.actor = actor
    return actor
  }

  async function organizerOf(ctx: Context): Promise<Scope['organizer']> {
    const organizer = await organizerBySlug(db, String(ctx.params.organizer))
    if (!organizer) throw denied()
    await requireHere(db, organizer.id)
    return organizer
  }

  return {
    async server(ctx, needs) {
      const actor = await known(ctx)
      if (!may(actor, needs)) throw denied()
      return { actor, ...cameFrom(ctx) }
    },
    async organizer(ctx, needs) {
      const actor = await known(ctx)
      const organizer = await organizerOf(ctx)
      const here = entering(actor, organizer.id, null, needs)
      if (!here) throw refused(actor, organizer.id)
      const place = { organizer: organizer.id, event: 0 }
      return { actor: here, organizer, ...cameFrom(ctx), event: null, place }
    },
    async event(ctx, needs) {
      const actor = await known(ctx)
      const organizer = await organizerOf(ctx)
      const event = await eventBySlug(db, organizer.id, String(ctx.params.event))
      if (!event) throw refused(actor, organizer.id)
      const here = entering(actor, organizer.id, event.id, needs)
      if (!here) throw refused(actor, organizer.id)
      const place = { organizer: organizer.id, event: event.id }
      return { actor: here, organizer, ...cameFrom(ctx), event, place }
    },
  }
}
