import { id, nullable, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** A place where people enter; devices stand at gates. */
export const gate = defineResource({
  name: 'gate',
  path: 'gates',
  scope: 'organizer',
  fields: {
    id: id(),
    name: text({ maxLength: 190 }),
    identifier: nullable(text({ default: '', maxLength: 190, pattern: '^[a-zA-Z0-9.\\-_]*$' })),
  },
  ordering: { allowed: ['id', 'name'], default: 'name' },
  permission: { read: null, write: 'can_change_organizer_settings' },
  replicate: true,
  offline: 'forward',
})
