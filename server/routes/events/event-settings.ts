import type Router from '@koa/router'
import type { Context } from 'koa'
import { denied } from '../../errors.ts'
import { may } from '../../resource/actor.ts'
import type { Api, EventFacts, Scope } from '../../resource/api.ts'
import { bodyOf } from '../../resource/endpoints.ts'
import { flagParameter } from '../../resource/query.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { saveEventSettings } from '../../services/event-setup/event-settings.ts'
import { shownSettings } from '../../services/events/settings.ts'

/** Serves the settings of an event. Devices need no permission for the part of them that a door needs. */
export function serveEventSettings(router: Router, api: Api): void {
  const path = '/api/v1/organizers/:organizer/events/:event/settings/'
  const explain = (ctx: Context): boolean => flagParameter(ctx.query, 'explain') === true

  router.get(path, api.admit('event', null), (ctx) => {
    const { actor, event }: Scope = ctx.state.scope
    const isDevice = actor.device !== null
    if (!isDevice && !may(actor, 'can_change_event_settings')) throw denied()
    const { settings } = event as EventFacts
    ctx.body = shownSettings(settings, { explain: explain(ctx), device: isDevice })
  })
  router.patch(path, api.admit('event', 'can_change_event_settings'), async (ctx) => {
    const scope: Scope = ctx.state.scope
    const values = await api.transactions.write((tx) => saveEventSettings(tx, scope, bodyOf(ctx)))
    ctx.body = shownSettings(values, { explain: explain(ctx), device: false })
  })
  router.all(path, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
