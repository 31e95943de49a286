import {
  datetime,
  flag,
  id,
  integer,
  json,
  money,
  multilingual,
  nullable,
  readOnly,
  ref,
  text,
  texts,
} from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** One form of an item, such as adult or child. */
export const variation = defineResource({
  name: 'variation',
  path: 'variations',
  scope: 'event',
  parent: { resource: 'item', field: 'item' },
  fields: {
    id: id(),
    value: multilingual(),
    default_price: nullable(money()),
    original_price: nullable(money()),
    active: flag(true),
    description: nullable(multilingual({ default: {} })),
    position: integer({ default: 0 }),
    checkin_attention: flag(false),
    checkin_text: nullable(text({ default: '' })),
    require_approval: flag(false),
    require_membership: flag(false),
    require_membership_hidden: flag(false),
    require_membership_types: json<number[]>({ type: 'array', items: { type: 'integer' } }, { default: [] }),
    sales_channels: texts({ default: ['web'] }),
    available_from: nullable(datetime()),
    available_until: nullable(datetime()),
    hide_without_voucher: flag(false),
  },
  hidden: { item: ref('item', 'cascade') },
  computed: { price: readOnly(money()) },
  filters: whereEqual('active'),
  ordering: { allowed: ['id', 'position'], default: 'position' },
  permission: { read: null, write: 'can_change_items' },
  replicate: true,
  offline: 'forward',
})

export type Variation = Row<typeof variation>
