import { instantAt, microsecondsOf, shownInstant } from '../../../schema/instants.ts'
import type { StoredRow } from '../../../schema/resource.ts'
import { webhook } from '../../../schema/resources/notifications/webhook.ts'
import { type Network, targetProblem } from '../../domain/notifications/webhook-targets.ts'
import { invalid, notFound } from '../../errors.ts'
import type { Behaviour, Scope } from '../../resource/api.ts'
import { lockRow, updateRow } from '../../resource/store.ts'
import type { Tx } from '../../resource/transactions.ts'
import { checkEventLimits } from '../events/event-limits.ts'
import { type GivenRights, refuseUnownedRights } from '../events/given-rights.ts'
import { disableWebhook, dropDeliveries } from './webhook-deliveries.ts'
import { newSecret } from './webhook-signature.ts'

/** Whoever a webhook calls learns what happens at its events. */
const rightsOfWebhook = ({ all_events, limit_events }: StoredRow<typeof webhook>): GivenRights => ({
  needs: [null],
  all_events,
  limit_events,
})

/** What webhooks must keep to; some networks may be reached beside the public internet. */
export const webhookBehaviour = (networks: readonly Network[]): Behaviour<typeof webhook> => ({
  async prepare(tx, scope, { next, before }) {
    await checkEventLimits(tx, scope.organizer.id, next)
    // Who sends what happens elsewhere is as good as given it.
    const known = before && next.target_url === before.target_url ? rightsOfWebhook(before) : undefined
    await refuseUnownedRights(tx, scope, rightsOfWebhook(next), known)
    const problem = next.target_url === before?.target_url ? null : targetProblem(next.target_url, networks)
    if (problem !== null) throw invalid({ target_url: [problem] })
    const action_types = [...new Set(next.action_types)].sort()
    if (before) return { ...next, action_types }
    const secret = newSecret(tx.randomBytes)
    return { ...next, action_types, secret, signing_secret: secret }
  },
  async afterWrite(tx, scope, { next: row, before }) {
    if (before?.enabled && !row.enabled)
      await dropDeliveries(tx, { organizer: scope.organizer.id, webhook: row.id })
  },
  noted: (values) =>
    'target_url' in values ? { ...values, target_url: withoutPassword(String(values.target_url)) } : values,
})

/** The address of a target without the name and password that may be in it. */
export function withoutPassword(target: string): string {
  const url = URL.parse(target)
  if (!url || (url.username === '' && url.password === '')) return target
  url.username = ''
  url.password = ''
  return url.href
}

/** The webhook of a scope's organizer with an id, kept from others until the commit; 404 when there is none. */
async function webhookRow(tx: Tx, scope: Scope, id: number): Promise<StoredRow<typeof webhook>> {
  const row = await lockRow(tx, webhook, scope.place, { id })
  if (!row) throw notFound()
  return row
}

/** Disables a webhook; it stays, and can be enabled again. */
export async function removeWebhook(tx: Tx, scope: Scope, id: number): Promise<void> {
  await webhookRow(tx, scope, id)
  await disableWebhook(tx, scope.actor, { organizer: scope.organizer.id, webhook: id })
}

/**
 * Gives a webhook a new secret, which is in the result and is never shown again. The one before it stays valid for some
 * seconds, in which messages are signed with both.
 */
export async function rotateSecret(tx: Tx, scope: Scope, id: number, keptSeconds: number) {
  const row = await webhookRow(tx, scope, id)
  const secret = newSecret(tx.randomBytes)
  const until = keptSeconds > 0 ? instantAt(microsecondsOf(tx.now) + keptSeconds * 1e6) : null
  await updateRow(tx, webhook, scope.place, {
    id,
    signing_secret: secret,
    former_secret: until === null ? null : row.signing_secret,
    former_until: until,
  })
  tx.audit(scope.place, scope.actor, {
    action: 'ticketsvc.webhook.secret.changed',
    resource: webhook.name,
    row: id,
    data: { former_until: until },
  })
  return { secret, former_valid_until: until === null ? null : shownInstant(until) }
}
