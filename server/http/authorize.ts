import type { Middleware } from 'koa'
import sql from 'sql-template-tag'
import type { Requirement } from '../../schema/permissions.ts'
import { denied } from '../errors.ts'
import { entersEvent, entersOrganizer, may } from '../resource/actor.ts'
import type { Scope } from '../resource/api.ts'
import { eventBySlug } from '../services/events.ts'
import type { Database } from '../storage/database.ts'
import { authenticate } from './authenticate.ts'
import { checkProfile } from './profiles.ts'

/**
 * Lets in callers who are somebody (401), who may enter the organizer and event that the path names (403, the same
 * whether these exist or not) and who have the permission asked for (403). The path of the server itself names neither.
 */
export const admitTo =
  (db: Database, stationKey: string | null) =>
  (where: 'server' | 'organizer' | 'event', requirement: Requirement): Middleware =>
  async (ctx, next) => {
    const actor = await authenticate(ctx, db, stationKey)
    if (actor.device) checkProfile(actor.device.profile, ctx.method, ctx.path)
    ctx.state.actor = actor
    if (where === 'server') {
      if (!may(actor, requirement)) throw denied()
      return next()
    }
    const slug = String(ctx.params.organizer)
    const organizer = await db.remembered(`organizer ${slug}`, () =>
      db.get<{ id: number; slug: string }>(sql`SELECT id, slug FROM organizer WHERE slug = ${slug}`),
    )
    if (!organizer || !entersOrganizer(actor, organizer.id)) throw denied()
    const event =
      where === 'event' ? ((await eventBySlug(db, organizer.id, String(ctx.params.event))) ?? null) : null
    if (where === 'event' && (!event || !entersEvent(actor, organizer.id, event.id))) throw denied()
    if (!may(actor, requirement)) throw denied()
    const scope: Scope = {
      actor,
      organizer,
      event,
      place: { organizer: organizer.id, event: event?.id ?? 0 },
    }
    ctx.state.scope = scope
    await next()
  }
