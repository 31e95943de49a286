import { id, integer, money, nullable, ref } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** An item that comes with another one and takes its designated part of the price. */
export const itemBundle = defineResource({
  name: 'item_bundle',
  path: 'bundles',
  scope: 'event',
  parent: { resource: 'item', field: 'item' },
  fields: {
    id: id(),
    bundled_item: ref('item', 'cascade'),
    bundled_variation: nullable(ref('variation', 'cascade')),
    count: integer({ default: 1, minimum: 1 }),
    designated_price: money({ default: '0.00' }),
  },
  hidden: { item: ref('item', 'cascade') },
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: null, write: 'can_change_items' },
  only: { sale: ['designated_price'] },
  replicate: true,
  offline: 'forward',
})
