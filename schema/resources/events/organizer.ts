import { id, json, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** Whoever holds events: the outermost wall between two sets of data. */
export const organizer = defineResource({
  name: 'organizer',
  path: null,
  scope: 'organizer',
  key: 'slug',
  fields: { name: text({ maxLength: 200 }), slug: text({ maxLength: 50, format: 'slug' }) },
  hidden: { id: id(), settings: json({ type: 'object' }, { default: {} }) },
  filters: {},
  ordering: { allowed: ['slug', 'name'], default: 'slug' },
  permission: { read: null, write: 'can_change_organizer_settings' },
  omit: ['create', 'update', 'replace', 'delete'],
  replicate: true,
  offline: 'forward',
})
