import { datetime, id, integer, json, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** Somebody who wants something that is sold out, and is sent a voucher for it once there is room. */
export const waitingListEntry = defineResource({
  name: 'waiting_list_entry',
  path: 'waitinglistentries',
  scope: 'event',
  fields: {
    id: id(),
    created: readOnly(datetime()),
    name_parts: nullable(
      json<Record<string, string>>({
        type: 'object',
        maxProperties: 20,
        additionalProperties: { type: 'string', maxLength: 255 },
      }),
    ),
    email: text({ maxLength: 254, format: 'email' }),
    phone: nullable(text({ default: '', maxLength: 128 })),
    // Whoever was sent one does not wait any more, and does not begin to wait again when it is deleted.
    voucher: readOnly(nullable(ref('voucher', 'cascade'))),
    item: ref('item', 'cascade'),
    variation: nullable(ref('variation', 'cascade')),
    locale: text({ default: 'en', minLength: 2, maxLength: 32 }),
    subevent: nullable(ref('subevent', 'cascade')),
    /** Whoever has more is served first. */
    priority: integer({ default: 0, minimum: -2147483648, maximum: 2147483647 }),
  },
  /** May be sent instead of its parts. */
  computed: { name: nullable(text({ maxLength: 255 })) },
  filters: {
    email: { field: 'email', by: 'same-text' },
    ...whereEqual('locale'),
    has_voucher: { field: 'voucher', by: 'is-set' },
    ...whereEqual('item', 'variation', 'subevent'),
  },
  ordering: { allowed: ['id', 'created', 'email', 'item'], default: 'created' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  replicate: false,
  offline: 'forward',
})

export type WaitingListEntry = Row<typeof waitingListEntry>
