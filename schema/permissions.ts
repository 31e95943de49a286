/** What a team may allow its members and tokens to do. */
export const permissions = [
  'can_create_events',
  'can_change_teams',
  'can_change_organizer_settings',
  'can_manage_customers',
  'can_manage_gift_cards',
  'can_manage_reusable_media',
  'can_change_event_settings',
  'can_change_items',
  'can_view_orders',
  'can_change_orders',
  'can_view_vouchers',
  'can_change_vouchers',
  'can_checkin_orders',
] as const

/** One of the things a team may allow. */
export type Permission = (typeof permissions)[number]

/** What a caller needs: any access at all, one permission, or one of several. */
export type Requirement = null | Permission | readonly Permission[]

/** What every device may do on its events. */
export const devicePermissions: readonly Permission[] = [
  'can_view_orders',
  'can_change_orders',
  'can_manage_gift_cards',
  'can_manage_reusable_media',
  'can_view_vouchers',
]
