import { choice, datetime, id, json, nullable, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type Row, whereEqual } from '../../resource.ts'

/** How check-ins can contradict: each other, or what is known of their ticket. */
export const checkinConflictKinds = [
  'double_entry',
  'revoked_used',
  'canceled_used',
  'unpaid_used',
  'blocked_used',
  'rule_violation',
] as const

/** What can contradict: two stations with each other, or a station with what central knew. */
const conflictKinds = [
  ...checkinConflictKinds,
  'unknown_secret',
  'clock_skew',
  'oversold_quota',
  'overdrawn_card',
  'receipt_twice',
  'closing_twice',
  'refused_sale',
  'report_limit',
  'id_taken',
] as const

/** Two facts that contradict each other, kept for a person to look at; what happened at the door stays as it was. */
export const conflict = defineResource({
  name: 'conflict',
  path: null,
  scope: 'event',
  fields: {
    id: id(),
    kind: readOnly(choice(conflictKinds)),
    severity: readOnly(choice(['info', 'warning', 'critical'])),
    state: choice(['open', 'resolved']),
    detected: readOnly(datetime()),
    position: readOnly(nullable(ref('order_position', 'clear'))),
    list: readOnly(nullable(ref('checkin_list', 'clear'))),
    checkin: readOnly(nullable(ref('checkin', 'clear'))),
    other_checkin: readOnly(nullable(ref('checkin', 'clear'))),
    device: readOnly(nullable(ref('device', 'clear'))),
    other_device: readOnly(nullable(ref('device', 'clear'))),
    datetime: readOnly(datetime()),
    other_datetime: readOnly(nullable(datetime())),
    data: readOnly(json<Readonly<Record<string, unknown>>>({ type: 'object' }, { default: {} })),
    note: text({ default: '' }),
    resolved: readOnly(nullable(datetime())),
    resolved_by: readOnly(nullable(text())),
  },
  filters: {
    state: { field: 'state', by: 'in' },
    kind: { field: 'kind', by: 'in' },
    severity: { field: 'severity', by: 'in' },
    ...whereEqual('list'),
    since: { field: 'detected', by: 'at-least' },
  },
  ordering: { allowed: ['detected', 'datetime', 'kind', 'state', 'id'], default: '-detected' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  replicate: true,
  offline: 'forward',
})

export type Conflict = Row<typeof conflict>
