import type Router from '@koa/router'
import { event } from '../../schema/resources/event.ts'
import type { Api, Scope } from '../resource/api.ts'
import { bodyOf, refuseMethod, shown } from '../resource/routes.ts'
import { cloneEvent } from '../services/clone-event.ts'

/** Serves the making of an event after another one. */
export function serveEventClone(router: Router, api: Api): void {
  const path = '/api/v1/organizers/:organizer/events/:event/clone/'
  router.post(path, api.admit('event', 'can_create_events'), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const row = await api.transactions.write((tx) => cloneEvent(tx, scope, bodyOf(ctx)))
    ctx.status = 201
    ctx.body = shown(event, row)
  })
  router.all(path, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
