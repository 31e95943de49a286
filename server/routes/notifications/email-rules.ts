import { emailRuleScheduled } from '../../../schema/actions/customers.ts'
import { shownInstant } from '../../../schema/instants.ts'
import { emailRule } from '../../../schema/resources/notifications/email-rule.ts'
import { type ApiRouter, serveRead } from '../../resource/endpoints.ts'
import { idIn, serve } from '../../resource/routes.ts'
import { emailRuleBehaviour, scheduleOf } from '../../services/notifications/email-rules.ts'

/** Serves the rules by which mails are sent, and when each of them sends. */
export function serveEmailRules(router: ApiRouter): void {
  serve(router, emailRule, emailRuleBehaviour)
  serveRead(router, emailRuleScheduled, async (request, db) => {
    const all = await scheduleOf(db, request.place, idIn(request.params.id))
    return request.partOf(
      all.map(({ subevent, datetime }) => ({ subevent, datetime: shownInstant(datetime) })),
    )
  })
}
