import { choice, datetime, flag, id, integer, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** Why a scan can be refused, as it is stored. */
export const errorReasons = [
  'canceled',
  'invalid',
  'unpaid',
  'product',
  'rules',
  'revoked',
  'incomplete',
  'already_redeemed',
  'ambiguous',
  'error',
  'blocked',
  'invalid_time',
  'unapproved',
  'annulled',
] as const

/** One scan on a check-in list: a way in or out, or a refusal. */
export const checkin = defineResource({
  name: 'checkin',
  path: 'checkins',
  scope: 'event',
  fields: {
    id: id(),
    successful: flag(true),
    error_reason: nullable(choice(errorReasons)),
    error_explanation: nullable(text({ default: '' })),
    position: nullable(ref('order_position', 'cascade')),
    datetime: datetime(),
    created: datetime(),
    list: ref('checkin_list', 'cascade'),
    auto_checked_in: flag(false),
    gate: nullable(ref('gate', 'clear')),
    device: nullable(ref('device', 'refuse')),
    type: choice(['entry', 'exit']),
  },
  hidden: {
    nonce: nullable(text({ maxLength: 190 })),
    forced: flag(false),
    force_sent: flag(false),
    raw_barcode: nullable(text({ default: '' })),
    raw_source_type: nullable(text({ maxLength: 20 })),
    raw_item: nullable(integer()),
    raw_variation: nullable(integer()),
    raw_subevent: nullable(integer()),
    ordinal: nullable(integer()),
    site: integer({ default: 0 }),
  },
  computed: { device_id: readOnly(nullable(integer())) },
  filters: {
    created_since: { field: 'created', by: 'at-least' },
    created_before: { field: 'created', by: 'less-than' },
    datetime_since: { field: 'datetime', by: 'at-least' },
    datetime_before: { field: 'datetime', by: 'less-than' },
    ...whereEqual('successful', 'error_reason', 'list', 'type', 'gate', 'device', 'auto_checked_in'),
  },
  ordering: { allowed: ['datetime', 'created', 'id'], default: 'created' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  replicate: true,
  offline: 'local',
})

export type Checkin = Row<typeof checkin>
