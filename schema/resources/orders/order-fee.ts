import { choice, flag, id, money, nullable, percent, readOnly, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** What an order can be charged for beside its positions. */
export const feeTypes = [
  'payment',
  'shipping',
  'service',
  'cancellation',
  'insurance',
  'other',
  'giftcard',
  'passbook',
] as const

/** An amount that an order costs beside its positions. */
export const orderFee = defineResource({
  name: 'order_fee',
  path: null,
  scope: 'event',
  fields: {
    id: id(),
    fee_type: choice(feeTypes),
    value: money(),
    description: text({ default: '', maxLength: 190 }),
    internal_type: text({ default: '', maxLength: 255 }),
    tax_rate: readOnly(percent({ default: '0.00' })),
    tax_value: readOnly(money({ default: '0.00' })),
    tax_rule: nullable(ref('tax_rule', 'refuse')),
    canceled: readOnly(flag(false)),
  },
  hidden: { order_id: ref('order', 'cascade') },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  audience: 'sale',
  replicate: true,
  offline: 'local',
})
