import { datetime, id, integer, money, nullable, percent, readOnly, ref, text } from '../../fields.ts'
import { defineResource, type StoredRow, whereEqualOrIn } from '../../resource.ts'

/** A change of what an order has sold: so many more, or less, of a position or fee at a price. */
export const orderTransaction = defineResource({
  name: 'order_transaction',
  path: 'transactions',
  scope: 'event',
  fields: {
    id: id(),
    /** When it was stored. */
    created: readOnly(datetime()),
    /** When it happened. */
    datetime: readOnly(datetime()),
    /** None for fees. */
    positionid: readOnly(nullable(integer())),
    count: readOnly(integer()),
    item: nullable(ref('item', 'refuse')),
    variation: nullable(ref('variation', 'refuse')),
    subevent: nullable(ref('subevent', 'refuse')),
    price: readOnly(money()),
    tax_rate: readOnly(percent()),
    tax_rule: nullable(ref('tax_rule', 'refuse')),
    tax_value: readOnly(money()),
    fee_type: readOnly(nullable(text())),
    internal_type: readOnly(nullable(text())),
  },
  hidden: { order_id: ref('order', 'cascade') },
  computed: { order: readOnly(text()), tax_code: readOnly(nullable(text())) },
  filters: {
    ...whereEqualOrIn('item', 'variation', 'subevent', 'tax_rule', 'tax_rate', 'fee_type'),
    datetime_since: { field: 'datetime', by: 'at-least' },
    datetime_before: { field: 'datetime', by: 'less-than' },
    created_since: { field: 'created', by: 'at-least' },
    created_before: { field: 'created', by: 'less-than' },
  },
  ordering: { allowed: ['datetime', 'created', 'id'], default: 'datetime' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  audience: 'sale',
  replicate: false,
  offline: 'forward',
})

/** A transaction as it is stored. */
export type OrderTransaction = StoredRow<typeof orderTransaction>
