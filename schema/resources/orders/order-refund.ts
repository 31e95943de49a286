import { choice, datetime, id, integer, json, money, nullable, ref, text } from '../../fields.ts'
import { defineResource, type Row } from '../../resource.ts'

/** How far a refund has come; `external` ones were made elsewhere and are still to be looked at. */
export const refundStates = ['created', 'transit', 'external', 'canceled', 'failed', 'done'] as const

/** Who has asked for a refund. */
export const refundSources = ['buyer', 'admin', 'external'] as const

/** Money on its way back to the buyer of an order, or given back. */
export const orderRefund = defineResource({
  name: 'order_refund',
  path: null,
  scope: 'event',
  fields: {
    local_id: integer(),
    state: choice(refundStates),
    source: choice(refundSources),
    amount: money(),
    /** The `local_id` of the payment that is given back. */
    payment: nullable(integer()),
    created: datetime(),
    execution_date: nullable(datetime()),
    comment: nullable(text({ default: '' })),
    provider: text({ maxLength: 190 }),
    details: json<Record<string, unknown>>({ type: 'object' }, { default: {} }),
  },
  hidden: { id: id(), order_id: ref('order', 'cascade') },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})

export type OrderRefund = Row<typeof orderRefund>
