import { eventSlugs, flag, id, text } from '../../fields.ts'
import { defineResource } from '../../resource.ts'

/** What a set of users and tokens may do with which events. */
export const team = defineResource({
  name: 'team',
  path: 'teams',
  scope: 'organizer',
  fields: {
    id: id(),
    name: text({ maxLength: 190 }),
    require_2fa: flag(false),
    all_events: flag(false),
    limit_events: eventSlugs(),
    can_create_events: flag(false),
    can_change_teams: flag(false),
    can_change_organizer_settings: flag(false),
    can_manage_customers: flag(false),
    can_manage_gift_cards: flag(false),
    can_manage_reusable_media: flag(false),
    can_change_event_settings: flag(false),
    can_change_items: flag(false),
    can_view_orders: flag(false),
    can_change_orders: flag(false),
    can_view_vouchers: flag(false),
    can_change_vouchers: flag(false),
    can_checkin_orders: flag(false),
  },
  ordering: { allowed: ['id', 'name'], default: 'id' },
  permission: { read: 'can_change_teams', write: 'can_change_teams' },
  replicate: false,
  offline: 'forward',
})
