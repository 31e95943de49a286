import { flag, id, integer, multilingual, nullable, text } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** A group of items that are shown together. */
export const category = defineResource({
  name: 'category',
  path: 'categories',
  scope: 'event',
  fields: {
    id: id(),
    name: multilingual(),
    internal_name: nullable(text({ default: '', maxLength: 255 })),
    description: nullable(multilingual({ default: {} })),
    position: integer({ default: 0 }),
    is_addon: flag(false),
  },
  filters: whereEqual('is_addon'),
  ordering: { allowed: ['id', 'position'], default: 'position' },
  permission: { read: null, write: 'can_change_items' },
  conditional: true,
  replicate: true,
  offline: 'forward',
})
