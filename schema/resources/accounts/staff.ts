import { choice, datetime, flag, id, json, nullable, readOnly, refs, text, texts } from '../../fields.ts'
import { defineResource, type StoredRow, whereEqual } from '../../resource.ts'
import { staffRights, staffRoles } from '../../staff-rights.ts'

/** Somebody who works at stations, and signs in there by a PIN or a badge. */
export const staff = defineResource({
  name: 'staff',
  path: 'staff',
  scope: 'organizer',
  fields: {
    id: id(),
    name: text({ maxLength: 190 }),
    /** What receipts say of them; their name where nothing is said. */
    short_name: text({ default: '', maxLength: 30 }),
    active: flag(true),
    role: choice(staffRoles, { default: 'cashier' }),
    /** What they may do beyond their role. */
    rights: texts({ default: [], each: { enum: [...staffRights] } }),
    valid_from: nullable(datetime()),
    valid_until: nullable(datetime()),
    all_devices: flag(true),
    /** The numbers of the devices where they may work. */
    limit_devices: json<readonly number[]>(
      { type: 'array', items: { type: 'integer', minimum: 1 }, uniqueItems: true, maxItems: 1000 },
      { default: [] },
    ),
    limit_gates: refs('gate'),
  },
  hidden: {
    pin_hash: nullable(text({ maxLength: 255 })),
    badge_hash: nullable(text({ maxLength: 255 })),
  },
  computed: { has_pin: readOnly(flag()), has_badge: readOnly(flag()) },
  filters: whereEqual('active', 'role'),
  ordering: { allowed: ['id', 'name'], default: 'name' },
  permission: { read: 'can_change_organizer_settings', write: 'can_change_organizer_settings' },
  replicate: true,
  offline: 'forward',
})

export type StoredStaff = StoredRow<typeof staff>
