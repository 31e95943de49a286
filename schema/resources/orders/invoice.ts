import {
  choice,
  date,
  datetime,
  decimal,
  flag,
  id,
  json,
  nullable,
  readOnly,
  ref,
  text,
} from '../../fields.ts'
import { defineResource, type StoredRow, whereEqual } from '../../resource.ts'

/** One line of an invoice; amounts are text with two decimals, and times are as they were when it was issued. */
export interface InvoiceLine {
  readonly position: number
  readonly description: string
  readonly item: number | null
  readonly variation: number | null
  readonly subevent: number | null
  readonly attendee_name: string | null
  readonly event_date_from: string | null
  readonly event_date_to: string | null
  readonly period_start: string | null
  readonly period_end: string | null
  readonly event_location: string | null
  readonly gross_value: string
  readonly tax_value: string
  readonly tax_rate: string
  readonly tax_code: string | null
  readonly tax_name: string
  readonly fee_type: string | null
  readonly fee_internal_type: string | null
}

/** What the page of an invoice says beyond the fields that are shown of it. */
export interface InvoicePrint {
  readonly currency: string
  readonly event: string
  readonly when: string
  readonly timezone: string
  readonly custom_field_label: string
  readonly reverse_charge: boolean
  /** What had been paid when it was issued, in hundredths, where the page says so. */
  readonly paid: number | null
}

/** What has become of sending an invoice to its recipient. */
const transmissionStates = ['pending', 'completed', 'failed', 'unknown'] as const

const line = (maxLength = 190) => readOnly(text({ default: '', maxLength }))
const lineOrNull = (maxLength = 5000) => readOnly(nullable(text({ default: '', maxLength })))

/** A bill for an order, or the cancellation of one; what it says is never looked up again. */
export const invoice = defineResource({
  name: 'invoice',
  path: 'invoices',
  scope: 'event',
  key: 'number',
  fields: {
    number: readOnly(text({ maxLength: 190 })),
    is_cancellation: readOnly(flag(false)),
    invoice_from: line(5000),
    invoice_from_name: line(),
    invoice_from_zipcode: line(),
    invoice_from_city: line(),
    invoice_from_state: line(),
    invoice_from_country: lineOrNull(2),
    invoice_from_tax_id: line(),
    invoice_from_vat_id: line(),
    invoice_to: line(5000),
    invoice_to_is_business: readOnly(nullable(flag())),
    invoice_to_company: lineOrNull(),
    invoice_to_name: lineOrNull(),
    invoice_to_street: lineOrNull(),
    invoice_to_zipcode: lineOrNull(),
    invoice_to_city: lineOrNull(),
    invoice_to_state: lineOrNull(),
    invoice_to_country: lineOrNull(2),
    invoice_to_vat_id: lineOrNull(),
    invoice_to_beneficiary: lineOrNull(),
    invoice_to_transmission_info: readOnly(
      nullable(json<Readonly<Record<string, unknown>>>({ type: 'object' })),
    ),
    custom_field: lineOrNull(255),
    date: readOnly(date()),
    locale: readOnly(text({ default: 'en', maxLength: 50 })),
    introductory_text: line(65000),
    additional_text: line(65000),
    payment_provider_text: line(65000),
    payment_provider_stamp: lineOrNull(100),
    footer_text: line(65000),
    lines: readOnly(
      json<readonly InvoiceLine[]>({ type: 'array', items: { type: 'object' } }, { default: [] }),
    ),
    foreign_currency_display: lineOrNull(50),
    foreign_currency_rate: readOnly(nullable(decimal())),
    foreign_currency_rate_date: readOnly(nullable(date())),
    internal_reference: line(5000),
    transmission_type: readOnly(text({ default: 'email', maxLength: 255 })),
    transmission_provider: lineOrNull(255),
    transmission_status: readOnly(choice(transmissionStates, { default: 'unknown' })),
    transmission_date: readOnly(nullable(datetime())),
  },
  hidden: {
    id: id(),
    order_id: ref('order', 'cascade'),
    refers_id: nullable(ref('invoice', 'cascade')),
    /** What its number begins with. */
    prefix: text({ maxLength: 190 }),
    created: datetime(),
    /** Whether what it says of people was removed. */
    shredded: flag(false),
    sent_to_organizer: flag(false),
    printed: json<InvoicePrint>({ type: 'object' }),
  },
  computed: {
    event: readOnly(text()),
    order: readOnly(text()),
    refers: readOnly(nullable(text())),
  },
  filters: whereEqual('is_cancellation', 'locale'),
  ordering: { allowed: ['nr', 'date'], default: 'nr' },
  permission: { read: 'can_view_orders', write: 'can_change_orders' },
  omit: ['create', 'update', 'replace', 'delete'],
  audience: 'sale',
  replicate: false,
  offline: 'forward',
})

/** An invoice as it is stored. */
export type Invoice = StoredRow<typeof invoice>
