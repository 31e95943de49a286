import { flag, float, id, integer, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

const label = () => readOnly(nullable(text({ maxLength: 190 })))
const word = () => readOnly(text({ default: '', maxLength: 190 }))

/** One seat of an event or of a date of a series; made from a seating plan, never by hand. */
export const seat = defineResource({
  name: 'seat',
  path: 'seats',
  scope: 'event',
  fields: {
    id: id(),
    subevent: readOnly(nullable(ref('subevent', 'cascade'))),
    zone_name: word(),
    row_name: word(),
    row_label: label(),
    seat_number: word(),
    seat_label: label(),
    seat_guid: readOnly(text({ maxLength: 190 })),
    /** What is sold for the seats of its category. */
    product: readOnly(nullable(ref('item', 'clear'))),
    blocked: flag(false),
  },
  hidden: {
    category: text({ default: '', maxLength: 190 }),
    /** The place of the seat in the order of the plan. */
    rank: integer({ default: 0 }),
    x: nullable(float()),
    y: nullable(float()),
  },
  computed: {
    orderposition: readOnly(nullable(integer())),
    cartposition: readOnly(nullable(integer())),
    voucher: readOnly(nullable(integer())),
  },
  filters: whereEqual(
    'zone_name',
    'row_name',
    'row_label',
    'seat_number',
    'seat_label',
    'seat_guid',
    'blocked',
  ),
  ordering: { allowed: ['id'], default: 'rank' },
  permission: { read: null, write: 'can_change_event_settings' },
  omit: ['create', 'replace', 'delete'],
  replicate: true,
  offline: 'forward',
})
