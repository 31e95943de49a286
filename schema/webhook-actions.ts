/** What can be subscribed to, apart from what we add. A word that ends in `.*` stands for everything below it. */
export const standardWebhookActions = [
  'ticketsvc.event.order.placed',
  'ticketsvc.event.order.placed.require_approval',
  'ticketsvc.event.order.paid',
  'ticketsvc.event.order.canceled',
  'ticketsvc.event.order.reactivated',
  'ticketsvc.event.order.expired',
  'ticketsvc.event.order.expirychanged',
  'ticketsvc.event.order.modified',
  'ticketsvc.event.order.contact.changed',
  'ticketsvc.event.order.changed.*',
  'ticketsvc.event.order.approved',
  'ticketsvc.event.order.denied',
  'ticketsvc.event.order.refund.created',
  'ticketsvc.event.order.refund.created.externally',
  'ticketsvc.event.order.refund.requested',
  'ticketsvc.event.order.refund.done',
  'ticketsvc.event.order.refund.canceled',
  'ticketsvc.event.order.refund.failed',
  'ticketsvc.event.checkin',
  'ticketsvc.event.checkin.reverted',
  'ticketsvc.event.added',
  'ticketsvc.event.changed',
  'ticketsvc.event.deleted',
  'ticketsvc.event.live.activated',
  'ticketsvc.event.live.deactivated',
  'ticketsvc.event.testmode.activated',
  'ticketsvc.event.testmode.deactivated',
  'ticketsvc.subevent.added',
  'ticketsvc.subevent.changed',
  'ticketsvc.subevent.deleted',
] as const

/** What we add to them: contradictions between stations. */
const ownWebhookActions = ['ticketsvc.event.conflict.added', 'ticketsvc.event.conflict.changed'] as const

const actionTypes: readonly string[] = [...standardWebhookActions, ...ownWebhookActions]

/** An action as receivers written for pretix know it: with its prefix. */
export const asPretixAction = (action: string): string => action.replace(/^ticketsvc\./, 'pretix.')

/** Everything a webhook can be subscribed to, with either prefix. */
export const webhookActionTypes: readonly string[] = [...actionTypes, ...actionTypes.map(asPretixAction)]

const registered: ReadonlySet<string> = new Set(actionTypes)
const resolved = new Map<string, string | null>()

/**
 * The word by which one is subscribed to an action of the audit trail: its own, or the nearest above it that ends in
 * `.*`; null where nobody can be.
 */
export function subscriptionOf(action: string): string | null {
  const known = resolved.get(action)
  if (known !== undefined) return known
  const found = resolve(action)
  resolved.set(action, found)
  return found
}

function resolve(action: string): string | null {
  if (registered.has(action)) return action
  const parts = action.split('.')
  for (let kept = parts.length - 1; kept > 0; kept -= 1) {
    const word = `${parts.slice(0, kept).join('.')}.*`
    if (registered.has(word)) return word
  }
  return null
}
