import { flag, id, text } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** That another organizer may take this organizer's gift cards. Given by whoever issued them, for it is their money. */
export const giftCardAcceptance = defineResource({
  name: 'gift_card_acceptance',
  path: 'giftcardacceptances',
  scope: 'organizer',
  fields: {
    id: id(),
    /** The slug of the organizer that may take them. */
    acceptor: text({ maxLength: 50, format: 'slug' }),
    active: flag(true),
  },
  filters: whereEqual('active'),
  ordering: { allowed: ['id', 'acceptor'], default: 'id' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  unique: ['acceptor'],
  replicate: false,
  offline: 'forward',
})
