import { flag, id, integer, multilingual, nullable } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** A kind of membership that products can require or grant, such as a season ticket. */
export const membershipType = defineResource({
  name: 'membership_type',
  path: 'membershiptypes',
  scope: 'organizer',
  fields: {
    id: id(),
    name: multilingual(),
    transferable: flag(false),
    allow_parallel_usage: flag(false),
    max_usages: nullable(integer({ minimum: 0 })),
  },
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})
