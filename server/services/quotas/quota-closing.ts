import { quota } from '../../../schema/resources/catalogue/quota.ts'
import type { QuotaFacts } from '../../domain/quotas/quotas.ts'
import type { Actor } from '../../resource/actor.ts'
import { updateRow } from '../../resource/store.ts'
import type { Place, Tx } from '../../resource/transactions.ts'

/** The rule that closes quotas, as the audit trail knows it: nobody did it. */
const closingRule: Actor = {
  kind: 'command',
  id: 0,
  name: 'sold out',
  organizer: null,
  permissions: new Set(),
  allEvents: false,
  events: new Set(),
  device: null,
}

/**
 * Closes quotas that have sold out, and says so in the audit trail. The catalogue is changed where the data is owned
 * only: a node below another one leaves it to that.
 */
export async function closeQuotas(tx: Tx, place: Place, quotas: readonly QuotaFacts[]): Promise<void> {
  if (tx.site !== 0) return
  for (const { id } of quotas) {
    await updateRow(tx, quota, place, { id, closed: true })
    tx.audit(place, closingRule, {
      action: 'ticketsvc.event.quota.closed',
      resource: quota.name,
      row: id,
    })
  }
}
