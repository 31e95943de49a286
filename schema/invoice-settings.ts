import { choice, flag, integer, multilingual, nullable, text, texts } from './fields.ts'

/** When invoices are made: never, by hand, when a buyer asks for one, with every order, or once it is paid. */
const occasions = ['False', 'admin', 'user', 'user_paid', 'True', 'paid'] as const

/** What the lines of an invoice give as the time of what is sold. */
const periods = ['auto', 'auto_no_event', 'event_date', 'order_date', 'invoice_date'] as const

/** Whether amounts are also given in another currency. */
const otherCurrencies = ['False', 'True', 'CZK', 'PLN'] as const

const line = (maxLength = 190) => text({ default: '', maxLength })

/** What a number may begin with. */
const prefix = () => text({ default: '', maxLength: 155, pattern: '^[a-zA-Z0-9_%.,&:# /-]*$' })

/** The settings of an event's invoices. */
export const invoiceSettings = {
  invoice_generate: { field: choice(occasions, { default: 'False' }), label: 'Make invoices' },
  invoice_generate_only_business: { field: flag(false), label: 'Only for business customers' },
  invoice_generate_sales_channels: {
    field: texts({ default: ['web'] }),
    label: 'Sales channels whose orders have invoices',
  },
  invoice_numbers_prefix: {
    field: prefix(),
    label: 'What the number begins with',
    help: 'The slug of the event and a dash unless given. %Y, %y, %m and %d are the year, month and day. Events with the same text count together.',
  },
  invoice_numbers_prefix_cancellations: {
    field: prefix(),
    label: 'What the number of a cancellation begins with',
    help: 'The same as for invoices unless given.',
  },
  invoice_numbers_consecutive: {
    field: flag(true),
    label: 'Consecutive numbers',
    help: 'If not, the number is made of the order code.',
  },
  invoice_numbers_counter_length: {
    field: integer({ default: 5, minimum: 0, maximum: 12 }),
    label: 'Digits of the number',
    help: 'Shorter numbers begin with zeros.',
  },
  invoice_language: {
    field: text({ default: '__user__', minLength: 2, maxLength: 32 }),
    label: 'Language of invoices',
    help: 'A language, or __user__ for that of the order.',
  },
  invoice_address_from_name: { field: line(), label: 'Sender: company', shared: true },
  invoice_address_from: { field: line(5000), label: 'Sender: street', shared: true },
  invoice_address_from_zipcode: { field: line(), label: 'Sender: postal code', shared: true },
  invoice_address_from_city: { field: line(), label: 'Sender: city', shared: true },
  invoice_address_from_state: { field: line(), label: 'Sender: state', shared: true },
  invoice_address_from_country: { field: line(2), label: 'Sender: country', shared: true },
  invoice_address_from_tax_id: { field: line(), label: 'Sender: tax number', shared: true },
  invoice_address_from_vat_id: { field: line(), label: 'Sender: VAT ID', shared: true },
  invoice_address_custom_field: {
    field: nullable(multilingual()),
    label: 'A field of your own in invoice addresses',
    shared: true,
  },
  invoice_introductory_text: { field: nullable(multilingual()), label: 'Text before the lines' },
  invoice_additional_text: { field: nullable(multilingual()), label: 'Text after the lines' },
  invoice_footer_text: { field: nullable(multilingual()), label: 'Text at the foot of each page' },
  invoice_attendee_name: { field: flag(true), label: 'Attendee names on invoices' },
  invoice_event_location: { field: flag(false), label: 'The location of the event on invoices' },
  invoice_include_free: { field: flag(true), label: 'Free products on invoices' },
  invoice_include_expire_date: { field: flag(true), label: 'Until when to pay on invoices' },
  invoice_show_payments: { field: flag(true), label: 'What was paid in part on invoices' },
  invoice_period: {
    field: choice(periods, { default: 'auto' }),
    label: 'Date of service',
    help: 'auto is when the ticket is valid, else when the event is.',
  },
  invoice_eu_currencies: {
    field: choice(otherCurrencies, { default: 'True' }),
    label: 'Another currency beside that of the event',
  },
  invoice_reissue_after_modify: {
    field: flag(false),
    label: 'A new invoice when the buyer changes the address',
  },
  invoice_regenerate_allowed: {
    field: flag(false),
    label: 'Invoices may be changed',
    help: 'In most countries an invoice must not be changed once it is issued: issue a new one instead.',
  },
  invoice_email_attachment: { field: flag(true), label: 'Send invoices with mails' },
  invoice_email_organizer: {
    field: line(1000),
    label: 'Address that gets a copy of each invoice',
    help: 'Several with commas between them.',
  },
} as const
