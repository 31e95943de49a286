import { choice, datetime, flag, id, integer, json, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** What can be printed for a ticket. */
export const printTypes = ['badge', 'ticket', 'certificate', 'other'] as const

/** One time that something was printed for a ticket, or was not. */
export const printLog = defineResource({
  name: 'print_log',
  path: null,
  scope: 'event',
  fields: {
    id: id(),
    successful: flag(true),
    datetime: datetime(),
    /** The program that printed. */
    source: text({ maxLength: 255 }),
    type: choice(printTypes),
    /** What that program wants to remember. */
    info: json<Record<string, unknown>>({ type: 'object' }, { default: {} }),
  },
  hidden: {
    position: ref('order_position', 'cascade'),
    device: nullable(ref('device', 'refuse')),
    created: datetime(),
  },
  computed: { device_id: readOnly(nullable(integer())) },
  permission: { read: 'can_view_orders', write: ['can_change_orders', 'can_checkin_orders'] },
  replicate: true,
  offline: 'local',
})
