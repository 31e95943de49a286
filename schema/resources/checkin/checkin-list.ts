import {
  type Bound,
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

/** Every scan evaluates the rules: what reads the clock or goes through earlier check-ins weighs more than a comparison. */
const heaviestRules: Bound = {
  most: 5000,
  weights: {
    buildTime: 50,
    now_isoweekday: 10,
    minutes_since_first_entry: 20,
    minutes_since_last_entry: 20,
    entry_status: 20,
    entries_today: 100,
    entries_since: 100,
    entries_before: 100,
    entries_days: 300,
    entries_days_since: 300,
    entries_days_before: 300,
  },
}

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
    rules: json<unknown>({ type: 'object' }, { default: {}, bound: heaviestRules }),
    exit_all_at: nullable(datetime()),
    addon_match: flag(false),
    /** How many guests may be inside at once; null where that is not counted. */
    capacity: nullable(integer({ minimum: 1, maximum: 10_000_000 })),
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
