import type Router from '@koa/router'
import type { Context } from 'koa'
import type { Api, Scope } from '../../resource/api.ts'
import { addressOf } from '../../resource/endpoints.ts'
import { pageBody, pageOf } from '../../resource/pages.ts'
import { refuseMethod } from '../../resource/routes.ts'
import { listAudit } from '../../services/operations/audit-log.ts'

const org = '/api/v1/organizers/:organizer'

/** Serves the audit trail: who did what, and when. */
export function serveAuditLog(router: Router, api: Api): void {
  const show = async (ctx: Context): Promise<void> => {
    const scope: Scope = ctx.state.scope
    const page = pageOf(ctx.query)
    const { count, rows } = await listAudit(api.transactions.database, api.catalogue, scope, {
      query: ctx.query,
      page,
    })
    ctx.body = pageBody(addressOf(ctx), page, count, rows)
  }
  const ofOrganizer = `${org}/auditlog/`
  const ofEvent = `${org}/events/:event/auditlog/`
  router.get(ofOrganizer, api.admit('organizer', 'can_change_organizer_settings'), show)
  router.get(ofEvent, api.admit('event', 'can_change_event_settings'), show)
  router.all(ofOrganizer, api.admit('organizer', null), (ctx) => refuseMethod(ctx))
  router.all(ofEvent, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
