import { flag, id, integer, ref } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** A category from which items may be added to an item. */
export const itemAddon = defineResource({
  name: 'item_addon',
  path: 'addons',
  scope: 'event',
  parent: { resource: 'item', field: 'item' },
  fields: {
    id: id(),
    addon_category: ref('category', 'cascade'),
    min_count: integer({ default: 0, minimum: 0 }),
    max_count: integer({ default: 1, minimum: 0 }),
    position: integer({ default: 0 }),
    multi_allowed: flag(false),
    price_included: flag(false),
  },
  hidden: { item: ref('item', 'cascade') },
  ordering: { allowed: ['id', 'position'], default: 'position' },
  permission: { read: null, write: 'can_change_items' },
  replicate: true,
  offline: 'forward',
})
