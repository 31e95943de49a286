import { choice, datetime, flag, id, integer, multilingual, nullable, refs, time } from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** A mail that is sent to those who have bought, at a time of its own or relative to the event. */
export const emailRule = defineResource({
  name: 'email_rule',
  path: 'sendmail_rules',
  scope: 'event',
  fields: {
    id: id(),
    enabled: flag(true),
    subject: multilingual(),
    template: multilingual(),
    all_products: flag(true),
    limit_products: refs('item'),
    include_pending: flag(false),
    date_is_absolute: flag(true),
    send_date: nullable(datetime()),
    send_offset_days: nullable(integer({ minimum: 0, maximum: 3650 })),
    send_offset_time: nullable(time()),
    offset_to_event_end: flag(false),
    offset_is_after: flag(false),
    send_to: choice(['orders', 'attendees', 'both'], { default: 'orders' }),
  },
  filters: whereEqual(
    'all_products',
    'date_is_absolute',
    'offset_to_event_end',
    'offset_is_after',
    'send_to',
    'enabled',
  ),
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: 'can_change_event_settings', write: 'can_change_event_settings' },
  replicate: false,
  offline: 'forward',
})

export type EmailRule = Row<typeof emailRule>
