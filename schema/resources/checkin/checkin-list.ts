import {
  datetime,
  flag,
  id,
  integer,
  json,
  nullable,
  readOnly,
  ref,
  refs,
  text,
  texts,
} from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** The tickets that may pass one entrance. Lists are independent of each other. */
export const checkinList = defineResource({
  name: 'checkin_list',
  path: 'checkinlists',
  scope: 'event',
  fields: {
    id: id(),
    name: text({ maxLength: 190 }),
    all_products: flag(true),
    limit_products: refs('item'),
    subevent: nullable(ref('subevent', 'cascade')),
    include_pending: flag(false),
    auto_checkin_sales_channels: texts({ default: [] }),
    allow_multiple_entries: flag(false),
    allow_entry_after_exit: flag(true),
    rules: json<unknown>({ type: 'object' }, { default: {} }),
    exit_all_at: nullable(datetime()),
    addon_match: flag(false),
  },
  hidden: {
    exit_all_local: nullable(text({ maxLength: 8 })),
    /** The latest hours at which everybody was taken to have left. */
    exit_all_done: texts({ default: [] }),
  },
  computed: { position_count: readOnly(integer()), checkin_count: readOnly(integer()) },
  filters: {
    ...whereEqual('subevent'),
    subevent_match: { field: 'subevent', by: 'equals-or-null' },
  },
  ordering: { allowed: ['id', 'name', 'subevent__date_from'], default: 'subevent__date_from,name,id' },
  permission: { read: ['can_view_orders', 'can_checkin_orders'], write: 'can_change_event_settings' },
  replicate: true,
  offline: 'forward',
})

export type CheckinList = Row<typeof checkinList>
