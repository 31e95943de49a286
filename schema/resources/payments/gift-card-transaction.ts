import { datetime, id, json, money, nullable, ref, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** One change of what a gift card is worth. */
export const giftCardTransaction = defineResource({
  name: 'gift_card_transaction',
  path: null,
  scope: 'organizer',
  fields: {
    id: id(),
    datetime: datetime(),
    value: money(),
    /** The slug of the event where the card was spent or sold, which may be another organizer's. */
    event: nullable(text({ maxLength: 50 })),
    /** The code of the order that it was spent on or sold with. */
    order: nullable(text({ maxLength: 16 })),
    text: nullable(text({ default: '' })),
    /** What the program noted that made the change. */
    info: nullable(json({}, { bound: { most: 500 } })),
  },
  hidden: { gift_card: ref('gift_card', 'cascade') },
  ordering: { allowed: ['datetime'], default: 'datetime' },
  permission: { read: 'can_manage_gift_cards', write: 'can_manage_gift_cards' },
  omit: ['create', 'update', 'replace', 'delete'],
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})
