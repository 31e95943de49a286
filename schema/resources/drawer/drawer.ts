import { choice, datetime, flag, id, integer, json, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type StoredRow, whereEqual } from '../../resource.ts'

/** The cash of one or several tills from when it is opened until it is counted. */
export const drawer = defineResource({
  name: 'drawer',
  path: 'drawers',
  scope: 'event',
  fields: {
    id: id(),
    name: text({ maxLength: 190 }),
    state: readOnly(choice(['open', 'closed'])),
    currency: readOnly(text({ minLength: 3, maxLength: 3 })),
    opened: readOnly(datetime()),
    opened_by: readOnly(text({ default: '', maxLength: 190 })),
    closed: readOnly(nullable(datetime())),
    /** Nothing that is sold at it is real. */
    training: flag(false),
    /** The ids of the devices that work at it. */
    tills: readOnly(json<readonly number[]>({ type: 'array', items: { type: 'integer' } }, { default: [] })),
  },
  hidden: {
    till: ref('device', 'refuse'),
    /** Where it was opened, and where alone it is closed. */
    site: integer({ minimum: 0 }),
  },
  computed: { device_id: readOnly(nullable(integer())) },
  filters: whereEqual('state'),
  ordering: { allowed: ['id', 'opened'], default: '-opened,-id' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  audience: 'sale',
  replicate: true,
  offline: 'local',
})

export type StoredDrawer = StoredRow<typeof drawer>
