/** What users are at a station. */
export const staffRoles = ['steward', 'cashier', 'supervisor'] as const
export type StaffRole = (typeof staffRoles)[number]

/** What a role may do, or one of staff by name; whoever may not asks somebody who may, for one act. */
export const staffRights = [
  'sell',
  'close_drawer',
  'reports',
  'expected_cash',
  'move_cash',
  'open_drawer',
  'refund',
  'cancel',
  'price',
  'override',
  'reprint',
  'leave_kiosk',
  'settings',
] as const
export type StaffRight = (typeof staffRights)[number]

/** How many digits a PIN has at least; more for those who stand in for others. */
export const shortestPin: Readonly<Record<StaffRole, number>> = { steward: 4, cashier: 4, supervisor: 6 }
