import type Router from '@koa/router'
import { shownInstant } from '../../../schema/instants.ts'
import { emailRule } from '../../../schema/resources/notifications/email-rule.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { addressOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { idIn, refuseMethod, serve } from '../../resource/routes.ts'
import { emailRuleBehaviour, scheduleOf } from '../../services/notifications/email-rules.ts'

/** Serves the rules by which mails are sent, and when each of them sends. */
export function serveEmailRules(router: Router, api: Api): void {
  serve(router, api, emailRule, emailRuleBehaviour)

  const path = '/api/v1/organizers/:organizer/events/:event/sendmail_rules/:id/scheduled/'
  router.get(path, api.admit('event', emailRule.permission.read), async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const page = pageOf(ctx.query)
    const all = await scheduleOf(api.transactions.database, place, idIn(ctx.params.id))
    const results = all
      .slice(page.offset, page.offset + page.size)
      .map(({ subevent, datetime }) => ({ subevent, datetime: shownInstant(datetime) }))
    ctx.body = pageBody(addressOf(ctx), page, all.length, results)
  })
  router.all(path, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
