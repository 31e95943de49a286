import { datetime, flag, id, integer, json, nullable, ref, required, text } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** That a customer belongs to a kind of membership from one moment to another. */
export const membership = defineResource({
  name: 'membership',
  path: 'memberships',
  scope: 'organizer',
  fields: {
    id: id(),
    /** The customer's identifier. */
    customer: text({ maxLength: 190 }),
    membership_type: ref('membership_type', 'refuse'),
    date_start: required(datetime()),
    date_end: required(datetime()),
    attendee_name_parts: json<Record<string, string>>(
      { type: 'object', maxProperties: 20, additionalProperties: { type: 'string', maxLength: 255 } },
      { default: {} },
    ),
    testmode: flag(false),
  },
  hidden: {
    /** The ticket that it came with. */
    granted_by: nullable(integer()),
  },
  filters: whereEqual('customer', 'membership_type', 'testmode'),
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: 'can_manage_customers', write: 'can_manage_customers' },
  immutable: ['customer', 'testmode'],
  omit: ['delete'],
  replicate: false,
  offline: 'forward',
})
