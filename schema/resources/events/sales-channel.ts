import { id, integer, multilingual, readOnly, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/**
 * A place where something can be sold. Every organizer has the built-in ones without a row of their own; a row with the
 * identifier of one of them says how the organizer calls it.
 */
export const salesChannel = defineResource({
  name: 'sales_channel',
  path: 'saleschannels',
  scope: 'organizer',
  key: 'identifier',
  fields: {
    identifier: text({ maxLength: 200, pattern: '^api\\.[a-zA-Z0-9.\\-_]+$' }),
    label: multilingual(),
    type: readOnly(text({ default: 'api', maxLength: 50 })),
    position: integer({ default: 0, minimum: 0 }),
  },
  hidden: { id: id() },
  ordering: { allowed: ['identifier', 'position'], default: 'position' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  immutable: ['identifier'],
  unique: ['identifier'],
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})
