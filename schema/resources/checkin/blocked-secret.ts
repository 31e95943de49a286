import { datetime, flag, id, nullable, ref, text } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** A ticket code that is or once was blocked. */
export const blockedSecret = defineResource({
  name: 'blocked_secret',
  path: 'blockedsecrets',
  scope: 'event',
  fields: { id: id(), secret: text({ maxLength: 1024 }), blocked: flag(), updated: datetime() },
  hidden: { position: nullable(ref('order_position', 'clear')) },
  filters: {
    updated_since: { field: 'updated', by: 'at-least' },
    ...whereEqual('blocked'),
  },
  ordering: { allowed: ['updated', 'secret'], default: '-updated' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  since: 'updated_since',
  replicate: true,
  offline: 'local',
})
