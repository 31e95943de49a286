import { choice, flag, id, nullable, ref, refs, texts } from '../../fields.ts'
import { defineResource, type Row } from '../../resource.ts'

/** That who buys something is checked in at once, when they have ordered or when they have paid. */
export const autoCheckinRule = defineResource({
  name: 'auto_checkin_rule',
  path: 'auto_checkin_rules',
  scope: 'event',
  fields: {
    id: id(),
    /** All lists that hold what was bought, where there is none. */
    list: nullable(ref('checkin_list', 'cascade')),
    mode: choice(['placed', 'paid'], { default: 'placed' }),
    all_sales_channels: flag(true),
    limit_sales_channels: texts({ default: [] }),
    all_products: flag(true),
    limit_products: refs('item'),
    limit_variations: refs('variation'),
    all_payment_methods: flag(true),
    limit_payment_methods: texts({ default: [] }),
  },
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: 'can_change_event_settings', write: 'can_change_event_settings' },
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})

export type AutoCheckinRule = Row<typeof autoCheckinRule>
