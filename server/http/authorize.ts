import type { Middleware } from 'koa'
import sql from 'sql-template-tag'
import type { Requirement } from '../../schema/permissions.ts'
import { denied } from '../errors.ts'
import { type Actor, entering, may } from '../resource/actor.ts'
import type { Scope } from '../resource/api.ts'
import { originOf } from '../resource/routes.ts'
import { eventBySlug } from '../services/events/events.ts'
import type { Database } from '../storage/database.ts'
import { authenticate } from './authenticate.ts'
import { checkProfile } from './profiles.ts'

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a program that acts for a person was let do what it asks for: to read, or to change. */
const isInScope = ({ scopes }: Actor, method: string): boolean =>
  scopes === undefined || scopes.includes(safe.has(method) ? 'read' : 'write')

/** What every program that acts for a person may see, whatever it was let do. */
const forAll = new Set(['/api/v1/me', '/api/v1/version'])

/**
 * Lets in callers who are somebody (401), who may enter the organizer and event that the path names (403, the same
 * whether these exist or not) and who have the permission asked for (403). The path of the server itself names neither.
 * `now` says until when the tokens of programs are valid; without it there are none.
 */
export const admitTo =
  (db: Database, stationKey: string | null, now?: () => string) =>
  (where: 'server' | 'organizer' | 'event', requirement: Requirement): Middleware =>
  async (ctx, next) => {
    const actor = await authenticate(ctx, db, stationKey, now)
    if (actor.device) checkProfile(actor.device.profile, ctx.method, ctx.path)
    if (!isInScope(actor, ctx.method) && !forAll.has(ctx.path)) throw denied()
    ctx.state.actor = actor
    if (where === 'server') {
      if (!may(actor, requirement)) throw denied()
      return next()
    }
    const slug = String(ctx.params.organizer)
    const organizer = await db.remembered(`organizer ${slug}`, () =>
      db.get<{ id: number; slug: string }>(sql`SELECT id, slug FROM organizer WHERE slug = ${slug}`),
    )
    if (!organizer) throw denied()
    const event =
      where === 'event' ? ((await eventBySlug(db, organizer.id, String(ctx.params.event))) ?? null) : null
    if (where === 'event' && !event) throw denied()
    const here = entering(actor, organizer.id, event?.id ?? null, requirement)
    if (!here) throw denied()
    const scope: Scope = {
      actor: here,
      organizer,
      origin: originOf(ctx),
      event,
      place: { organizer: organizer.id, event: event?.id ?? 0 },
    }
    ctx.state.scope = scope
    await next()
  }
