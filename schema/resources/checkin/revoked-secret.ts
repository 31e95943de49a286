import { datetime, id, nullable, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** A ticket code that was replaced and must not be admitted any more. */
export const revokedSecret = defineResource({
  name: 'revoked_secret',
  path: 'revokedsecrets',
  scope: 'event',
  fields: { id: id(), secret: text({ maxLength: 255 }), created: datetime() },
  hidden: { position: nullable(ref('order_position', 'clear')) },
  filters: { created_since: { field: 'created', by: 'at-least' } },
  ordering: { allowed: ['created', 'secret'], default: '-created' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  since: 'created_since',
  replicate: true,
  offline: 'local',
})
