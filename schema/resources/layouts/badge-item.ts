import { id, nullable, ref } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** The badge that comes with an item: none where there is no layout, the default one where nothing is said. */
export const badgeItem = defineResource({
  name: 'badge_item',
  path: 'badgeitems',
  scope: 'event',
  fields: {
    id: id(),
    item: ref('item', 'cascade'),
    layout: nullable(ref('badge_layout', 'cascade')),
  },
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: null, write: 'can_change_event_settings' },
  unique: ['item'],
  replicate: true,
  offline: 'forward',
})
