import { id, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** The layout that tickets for an item have where they are sold through a channel. */
export const ticketLayoutItem = defineResource({
  name: 'ticket_layout_item',
  path: 'ticketlayoutitems',
  scope: 'event',
  fields: {
    id: id(),
    layout: ref('ticket_layout', 'cascade'),
    item: ref('item', 'cascade'),
    sales_channel: text({ maxLength: 190 }),
  },
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: null, write: 'can_change_event_settings' },
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})
