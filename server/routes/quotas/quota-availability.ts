import type Router from '@koa/router'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import { notFound } from '../../errors.ts'
import type { Api, Scope } from '../../resource/api.ts'
import { idIn, refuseMethod } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { availabilityShown, measureQuotas } from '../../services/quotas/quota-availability.ts'

/** Serves how much of a quota is left, and what holds the rest. */
export function serveQuotaAvailability(router: Router, api: Api): void {
  const { transactions } = api
  const path = '/api/v1/organizers/:organizer/events/:event/quotas/:id/availability/'
  router.get(path, api.admit('event', null), async (ctx) => {
    const { place }: Scope = ctx.state.scope
    const row = await findRow(transactions.database, quota, place, 'id', idIn(ctx.params.id))
    if (!row) throw notFound()
    const facts = row as unknown as QuotaFacts
    const usage = await measureQuotas(transactions, place, [facts])
    ctx.body = availabilityShown(facts, usage.get(facts.id) ?? { paid: 0, pending: 0 })
  })
  router.all(path, api.admit('event', null), (ctx) => refuseMethod(ctx))
}
