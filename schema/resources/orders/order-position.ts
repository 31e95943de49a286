import {
  datetime,
  flag,
  id,
  integer,
  json,
  money,
  nullable,
  percent,
  readOnly,
  ref,
  text,
  texts,
} from '../../fields.ts'
import { defineResource, type Row, whereEqual, whereEqualOrIn } from '../../resource.ts'

/** An answer as it is stored with a position: the text, and the ids of the options chosen. */
export interface StoredAnswer {
  readonly question: number
  readonly answer: string
  readonly options: readonly number[]
}

/** One ticket: an item bought in an order. */
export const orderPosition = defineResource({
  name: 'order_position',
  path: 'orderpositions',
  scope: 'event',
  fields: {
    id: id(),
    positionid: readOnly(integer()),
    canceled: readOnly(flag(false)),
    item: ref('item', 'refuse'),
    variation: nullable(ref('variation', 'refuse')),
    price: money({ default: '0.00' }),
    attendee_name: nullable(text({ maxLength: 255 })),
    attendee_name_parts: json<Record<string, string>>(
      { type: 'object', additionalProperties: { type: 'string', maxLength: 255 } },
      { default: {} },
    ),
    attendee_email: nullable(text({ maxLength: 254, format: 'email' })),
    company: nullable(text({ default: '', maxLength: 255 })),
    street: nullable(text({ default: '', maxLength: 1000 })),
    zipcode: nullable(text({ default: '', maxLength: 30 })),
    city: nullable(text({ default: '', maxLength: 255 })),
    country: nullable(text({ default: '', maxLength: 2 })),
    state: nullable(text({ default: '', maxLength: 255 })),
    voucher: readOnly(nullable(integer())),
    tax_rate: readOnly(percent()),
    tax_value: readOnly(money()),
    tax_rule: nullable(ref('tax_rule', 'refuse')),
    secret: text({ default: '', maxLength: 255 }),
    addon_to: readOnly(nullable(ref('order_position', 'cascade'))),
    subevent: nullable(ref('subevent', 'refuse')),
    discount: readOnly(nullable(integer())),
    pseudonymization_id: readOnly(text({ maxLength: 16 })),
    answers: json<StoredAnswer[]>({ type: 'array', items: { type: 'object' } }, { default: [] }),
    seat: readOnly(nullable(json<{ id: number; name: string; seat_guid: string }>({ type: 'object' }))),
    blocked: readOnly(nullable(texts({ default: [] }))),
    valid_from: nullable(datetime()),
    valid_until: nullable(datetime()),
  },
  hidden: {
    order_id: ref('order', 'cascade'),
    name_key: text({ default: '', maxLength: 300 }),
    /** The seat that this ticket holds, none once it is canceled; `seat` is what is shown of it. */
    seat_id: nullable(integer()),
    /** Whether it makes room in its quotas for as long as it is blocked. */
    ignore_from_quota_while_blocked: nullable(flag()),
    /** What a voucher has taken off the price. */
    voucher_budget_use: nullable(money()),
  },
  computed: {
    order: readOnly(text()),
    checkins: readOnly(json({ type: 'array', items: { type: 'object' } })),
    downloads: readOnly(json({ type: 'array', items: { type: 'object' } })),
    print_logs: readOnly(json({ type: 'array', items: { type: 'object' } })),
  },
  filters: {
    ...whereEqualOrIn('item', 'variation'),
    ...whereEqual('secret', 'pseudonymization_id'),
    ...whereEqualOrIn('subevent', 'addon_to'),
    ...whereEqual('voucher'),
  },
  ordering: {
    allowed: ['order__code', 'order__datetime', 'positionid', 'attendee_name', 'order__status'],
    default: 'order__datetime,positionid',
  },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['replace'],
  only: {
    checkin: ['price', 'attendee_email', 'company', 'street', 'zipcode', 'city', 'country', 'state'],
    sale: ['voucher', 'voucher_budget_use', 'tax_rate', 'tax_value', 'tax_rule', 'discount'],
  },
  replicate: true,
  offline: 'local',
})

export type OrderPosition = Row<typeof orderPosition>
