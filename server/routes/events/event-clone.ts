import type Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { event } from '../../../schema/resources/events/event.ts'
import { denied } from '../../errors.ts'
import { entersEvent } from '../../resource/actor.ts'
import type { Api, EventFacts, Scope } from '../../resource/api.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { single } from '../../resource/query.ts'
import { refuseMethod, shown } from '../../resource/routes.ts'
import { cloneEvent } from '../../services/event-setup/clone-event.ts'
import { eventBySlug } from '../../services/events/events.ts'
import type { Queryable } from '../../storage/database.ts'

/** The event that `clone_from` names, which the caller must be let into: 403 where it is not. */
async function sourceOf(db: Queryable, { actor, organizer }: Scope, named: string): Promise<EventFacts> {
  const slug = named.startsWith(`${organizer.slug}/`) ? named.slice(organizer.slug.length + 1) : named
  const event = await eventBySlug(db, organizer.id, slug)
  if (!event || !entersEvent(actor, organizer.id, event.id)) throw denied()
  return event
}

/** Serves the making of an event after another one; before what makes new events. */
export function serveEventClone(router: Router, api: Api): void {
  const collection = '/api/v1/organizers/:organizer/events/'
  const admit = api.admit('organizer', 'can_create_events')
  const whenAsked: Middleware = (ctx, next) => (single(ctx.query, 'clone_from') ? admit(ctx, next) : next())
  router.post(collection, whenAsked, async (ctx, next) => {
    const from = single(ctx.query, 'clone_from')
    if (!from) return next()
    const scope: Scope = ctx.state.scope
    const event = await sourceOf(api.transactions.database, scope, from)
    await answer(ctx, { ...scope, event, place: { ...scope.place, event: event.id } })
  })

  async function answer(ctx: Context, scope: Scope): Promise<void> {
    const row = await api.transactions.write((tx) => cloneEvent(tx, scope, bodyOf(ctx)))
    ctx.status = 201
    ctx.body = shown(event, row)
  }

  const path = `${collection}:event/clone/`
  router.post(path, api.admit('event', 'can_create_events'), (ctx) => answer(ctx, ctx.state.scope))
  router.all(path, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
