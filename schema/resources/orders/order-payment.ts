import { choice, datetime, id, integer, json, money, nullable, ref, text } from '../../fields.ts'
import { defineResource, type Row } from '../../resource.ts'

/** Money on its way for an order, or arrived. */
export const orderPayment = defineResource({
  name: 'order_payment',
  path: null,
  scope: 'event',
  fields: {
    local_id: integer(),
    state: choice(['created', 'pending', 'confirmed', 'canceled', 'failed', 'refunded']),
    amount: money(),
    created: datetime(),
    payment_date: nullable(datetime()),
    provider: text({ maxLength: 190 }),
    details: json<Record<string, unknown>>({ type: 'object' }, { default: {} }),
  },
  hidden: { id: id(), order_id: ref('order', 'cascade') },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  audience: 'sale',
  replicate: true,
  offline: 'local',
})

export type OrderPayment = Row<typeof orderPayment>
