import { flag, id, nullable, text, texts } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/**
 * Something that can be said of every product of an event, such as its colour; products say it in `meta_data`. The
 * event shows the names with their defaults as `item_meta_properties`.
 */
export const itemMetaProperty = defineResource({
  name: 'item_meta_property',
  path: 'item_meta_properties',
  scope: 'event',
  fields: {
    id: id(),
    name: text({ maxLength: 50, pattern: '^[A-Za-z0-9_]+$' }),
    default: text({ default: '', maxLength: 1000 }),
    /** No product is stored that says nothing about this, unless there is a default. */
    required: flag(false),
    allowed_values: nullable(texts({ each: { maxLength: 1000 } })),
  },
  ordering: { allowed: ['id', 'name'], default: 'id' },
  permission: { read: null, write: 'can_change_event_settings' },
  unique: ['name'],
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})
