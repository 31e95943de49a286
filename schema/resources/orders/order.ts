import { listBody } from '../../body-limits.ts'
import { choice, date, datetime, flag, id, json, money, nullable, readOnly, text } from '../../fields.ts'
import { defineResource, whereEqual } from '../../resource.ts'

/** States of an order: pending, paid, expired, canceled. */
export const orderStates = ['n', 'p', 'e', 'c'] as const

/** Where an invoice goes, as an order shows it. */
export interface InvoiceAddress {
  readonly last_modified: string
  readonly is_business: boolean
  readonly company: string
  readonly name: string
  readonly name_parts: Readonly<Record<string, string>>
  readonly street: string
  readonly zipcode: string
  readonly city: string
  readonly country: string
  readonly state: string
  readonly internal_reference: string
  readonly vat_id: string
  readonly vat_id_validated: boolean
  readonly custom_field: string | null
}

/** Positions bought together by one person. */
export const order = defineResource({
  name: 'order',
  table: 'orders',
  path: 'orders',
  bodyLimit: listBody,
  scope: 'event',
  key: 'code',
  fields: {
    code: readOnly(text({ maxLength: 16 })),
    status: readOnly(choice(orderStates)),
    testmode: flag(false),
    secret: readOnly(text({ maxLength: 32 })),
    email: nullable(text({ maxLength: 254, format: 'email' })),
    phone: nullable(text({ maxLength: 100 })),
    customer: nullable(text({ maxLength: 190 })),
    locale: text({ default: 'en', maxLength: 32 }),
    sales_channel: text({ default: 'web', maxLength: 190 }),
    datetime: readOnly(datetime()),
    expires: readOnly(datetime()),
    payment_date: readOnly(nullable(date())),
    payment_provider: readOnly(nullable(text({ maxLength: 190 }))),
    total: readOnly(money()),
    comment: text({ default: '' }),
    custom_followup_at: nullable(date()),
    checkin_attention: flag(false),
    checkin_text: nullable(text({ default: '' })),
    invoice_address: nullable(json<InvoiceAddress>({ type: 'object' })),
    require_approval: flag(false),
    valid_if_pending: flag(false),
    last_modified: readOnly(datetime()),
    cancellation_date: readOnly(nullable(datetime())),
  },
  hidden: { id: id() },
  computed: {
    event: readOnly(text()),
    fees: readOnly(json({ type: 'array', items: { type: 'object' } })),
    positions: readOnly(json({ type: 'array', items: { type: 'object' } })),
    downloads: readOnly(json({ type: 'array', items: { type: 'object' } })),
    payments: readOnly(json({ type: 'array', items: { type: 'object' } })),
    refunds: readOnly(json({ type: 'array', items: { type: 'object' } })),
    url: readOnly(text()),
  },
  filters: {
    code: { field: 'code', by: 'same-text' },
    ...whereEqual('status'),
    email: { field: 'email', by: 'same-text' },
    ...whereEqual('locale', 'testmode', 'require_approval'),
    modified_since: { field: 'last_modified', by: 'at-least' },
    created_since: { field: 'datetime', by: 'at-least' },
    created_before: { field: 'datetime', by: 'less-than' },
    ...whereEqual('sales_channel', 'payment_provider', 'customer'),
  },
  ordering: {
    allowed: ['datetime', 'code', 'status', 'last_modified', 'cancellation_date'],
    default: 'datetime',
  },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['replace'],
  since: 'modified_since',
  only: {
    checkin: ['email', 'total', 'comment', 'invoice_address'],
    sale: [
      'secret',
      'url',
      'phone',
      'customer',
      'custom_followup_at',
      'payment_date',
      'payment_provider',
      'fees',
      'payments',
      'refunds',
    ],
  },
  replicate: true,
  offline: 'local',
})
