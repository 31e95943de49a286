import { quotaAvailability } from '../../../schema/actions/carts.ts'
import { quota } from '../../../schema/resources/catalogue/quota.ts'
import { notFound } from '../../errors.ts'
import { type ApiRouter, serveRead } from '../../resource/endpoints.ts'
import { idIn } from '../../resource/routes.ts'
import { findRow } from '../../resource/store.ts'
import { availabilityShown, measureQuotas } from '../../services/quotas/quota-availability.ts'

/** Serves how much of a quota is left, and what holds the rest. */
export function serveQuotaAvailability(router: ApiRouter): void {
  const { transactions } = router.api
  serveRead(router, quotaAvailability, async ({ place, params }, db) => {
    const facts = await findRow(db, quota, place, { id: idIn(params.id) })
    if (!facts) throw notFound()
    const usage = await measureQuotas(transactions, place, [facts])
    return availabilityShown(facts, usage.get(facts.id) ?? { paid: 0, pending: 0 })
  })
}
