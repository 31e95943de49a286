import { datetime, flag, id, integer, json, money, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'
import type { StoredAnswer } from '../orders/order-position.ts'

/** What the ids of carts that were made through the interface end in; only these are shown there. */
export const cartSuffix = '@api'

/** Something that is held for somebody who has not ordered yet. */
export const cartPosition = defineResource({
  name: 'cart_position',
  path: 'cartpositions',
  scope: 'event',
  fields: {
    id: id(),
    cart_id: text({ maxLength: 255 }),
    datetime: readOnly(datetime()),
    expires: datetime(),
    item: ref('item', 'cascade'),
    variation: nullable(ref('variation', 'cascade')),
    price: money(),
    attendee_name: nullable(text({ maxLength: 255 })),
    attendee_name_parts: json<Record<string, string>>(
      { type: 'object', additionalProperties: { type: 'string', maxLength: 255 } },
      { default: {} },
    ),
    attendee_email: nullable(text({ maxLength: 254, format: 'email' })),
    voucher: nullable(ref('voucher', 'cascade')),
    addon_to: readOnly(nullable(ref('cart_position', 'cascade'))),
    is_bundled: readOnly(flag(false)),
    subevent: nullable(ref('subevent', 'cascade')),
    includes_tax: flag(true),
    answers: json<StoredAnswer[]>({ type: 'array', items: { type: 'object' } }, { default: [] }),
    seat: nullable(json<{ id: number; name: string; seat_guid: string }>({ type: 'object' })),
  },
  hidden: {
    /** The seat that is held, for whoever asks who holds it. */
    seat_id: nullable(integer()),
    /** The till that holds it. */
    device: nullable(integer()),
  },
  ordering: { allowed: ['datetime', 'cart_id'], default: 'datetime' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace'],
  replicate: false,
  offline: 'local',
})
