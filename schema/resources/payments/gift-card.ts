import { datetime, flag, id, money, nullable, text } from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** Money that was paid before and can be spent by whoever knows the card's code. */
export const giftCard = defineResource({
  name: 'gift_card',
  path: 'giftcards',
  scope: 'organizer',
  fields: {
    id: id(),
    /** The code; one is made where none is sent. */
    secret: text({ default: '', maxLength: 190, pattern: '^([a-zA-Z0-9][a-zA-Z0-9.\\-]+)?$' }),
    currency: text({ minLength: 3, maxLength: 3, pattern: '^[A-Z]{3}$' }),
    /** The sum of the card's transactions: both change together, and never without each other. */
    value: money(),
    testmode: flag(false),
    expires: nullable(datetime()),
    conditions: nullable(text({ default: '' })),
  },
  filters: {
    secret: { field: 'secret', by: 'same-text' },
    ...whereEqual('testmode', 'value'),
  },
  ordering: { allowed: ['id'], default: 'id' },
  permission: { read: 'can_manage_gift_cards', write: 'can_manage_gift_cards' },
  immutable: ['secret', 'currency', 'testmode'],
  audience: 'sale',
  replicate: true,
  offline: 'forward',
})

export type GiftCard = Row<typeof giftCard>
