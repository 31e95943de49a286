import { datetime, flag, id, json, nullable, readOnly, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** Somebody who buys from an organizer again and again. */
export const customer = defineResource({
  name: 'customer',
  path: 'customers',
  scope: 'organizer',
  key: 'identifier',
  fields: {
    identifier: readOnly(text({ maxLength: 190 })),
    email: nullable(text({ maxLength: 254, format: 'email' })),
    name_parts: json<Record<string, string>>(
      { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 255 } },
      { default: {} },
    ),
    is_active: flag(true),
    is_verified: flag(true),
    last_login: readOnly(nullable(datetime())),
    date_joined: readOnly(datetime()),
    locale: text({ default: 'en', minLength: 2, maxLength: 32 }),
    last_modified: readOnly(datetime()),
  },
  hidden: { id: id() },
  computed: { name: readOnly(text({ default: '' })) },
  filters: { email: { field: 'email', by: 'same-text' } },
  ordering: { allowed: ['email', 'date_joined', 'last_modified'], default: 'date_joined' },
  permission: { read: 'can_manage_customers', write: 'can_manage_customers' },
  omit: ['delete'],
  replicate: false,
  offline: 'forward',
})
