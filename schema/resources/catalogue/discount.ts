import {
  choice,
  datetime,
  flag,
  id,
  integer,
  money,
  nullable,
  percent,
  readOnly,
  refs,
  text,
  texts,
} from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** How the dates of a series decide what is discounted together: not at all, only one date, or each date once. */
const subeventModes = ['mixed', 'same', 'distinct'] as const

/** One of the ways in which dates decide. */
export type SubeventMode = (typeof subeventModes)[number]

/** A rule that makes some of what is bought together cheaper. */
export const discount = defineResource({
  name: 'discount',
  path: 'discounts',
  scope: 'event',
  fields: {
    id: id(),
    active: flag(true),
    internal_name: text({ maxLength: 255 }),
    position: integer({ default: 0 }),
    sales_channels: texts({ default: ['web'] }),
    all_sales_channels: flag(false),
    available_from: nullable(datetime()),
    available_until: nullable(datetime()),
    subevent_mode: choice(subeventModes, { default: 'mixed' }),
    condition_all_products: flag(true),
    condition_limit_products: refs('item'),
    condition_apply_to_addons: flag(true),
    condition_ignore_voucher_discounted: flag(false),
    condition_min_count: integer({ default: 0, minimum: 0, maximum: 2147483647 }),
    condition_min_value: money({ default: '0.00' }),
    benefit_discount_matching_percent: percent({ default: '0.00' }),
    benefit_only_apply_to_cheapest_n_matches: nullable(integer({ minimum: 1, maximum: 2147483647 })),
  },
  computed: { limit_sales_channels: readOnly(texts()) },
  filters: whereEqual('active'),
  ordering: { allowed: ['id', 'position'], default: 'position' },
  permission: { read: null, write: 'can_change_items' },
  conditional: true,
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})
