import type { DrawerFigures } from '../../bodies/drawers.ts'
import { datetime, id, integer, json, money, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type StoredRow, whereEqual } from '../../resource.ts'

/** What was counted when a drawer was closed, and what should have been in it. */
export const closing = defineResource({
  name: 'closing',
  path: 'closings',
  scope: 'event',
  fields: {
    id: id(),
    /** From 1, without gaps, for each till and each node that writes its closings. */
    number: readOnly(integer({ minimum: 1 })),
    site: readOnly(integer({ minimum: 0 })),
    drawer: readOnly(integer({ minimum: 0 })),
    opened: readOnly(datetime()),
    closed: readOnly(datetime()),
    cashier: readOnly(text({ default: '', maxLength: 190 })),
    staff: readOnly(nullable(integer())),
    currency: readOnly(text({ minLength: 3, maxLength: 3 })),
    expected: readOnly(money()),
    counted: readOnly(money()),
    difference: readOnly(money()),
    /** How many there were of each note and coin, by its worth. */
    denominations: readOnly(json<Readonly<Record<string, number>>>({ type: 'object' }, { default: {} })),
    reason: readOnly(text({ default: '', maxLength: 255 })),
    /** The figures of the report before the difference. */
    sums: readOnly(json<Partial<DrawerFigures>>({ type: 'object' }, { default: {} })),
    previous_hash: readOnly(text({ default: '', maxLength: 64 })),
    hash: readOnly(text({ maxLength: 64 })),
    hash_version: readOnly(integer({ minimum: 1 })),
  },
  hidden: { till: ref('device', 'refuse') },
  computed: { device_id: readOnly(nullable(integer())) },
  filters: whereEqual('drawer', 'number'),
  ordering: { allowed: ['id', 'closed', 'number'], default: '-closed,-id' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  audience: 'sale',
  replicate: true,
  offline: 'local',
})

export type StoredClosing = StoredRow<typeof closing>
