import type { Static } from 'typebox'
import { choice, type Field, flag, integer, money, nullable, text, texts } from './fields.ts'
import { invoiceSettings } from './invoice-settings.ts'
import { mailWords } from './mail-templates.ts'
import { signingProviders } from './receipt-words.ts'
import { kioskSettings } from './resources/events/kiosk-settings.ts'

/** The colour that an event has where nobody has chosen one. */
export const usualPrimaryColor = '#8E44B3'

/** One setting of an event, which its organizer may set for all events. */
export interface Setting {
  readonly field: Field<unknown>
  readonly label: string
  readonly help?: string
  /** Whether devices may read it. */
  readonly shared?: boolean
}

const moment = () => nullable(text({ maxLength: 100 }))
const relative = 'A date and time, or RELDATE/days/time/base for one that is relative to the event.'

/** Every setting of an event, with what it is when nothing is said. */
export const eventSettings = {
  timezone: {
    field: text({ default: 'UTC', minLength: 1, maxLength: 60 }),
    label: 'Time zone',
    help: 'The zone in which all times of the event are meant, such as Europe/Berlin.',
    shared: true,
  },
  locale: {
    field: text({ default: 'en', minLength: 2, maxLength: 32 }),
    label: 'Default language',
    shared: true,
  },
  locales: {
    field: texts({ default: ['en'], each: { minLength: 2, maxLength: 32 } }),
    label: 'Available languages',
    shared: true,
  },
  region: {
    field: nullable(text({ minLength: 2, maxLength: 2 })),
    label: 'Region',
    help: 'The country by whose habits dates and numbers are written.',
    shared: true,
  },
  name_scheme: {
    field: text({ default: 'given_family', maxLength: 100 }),
    label: 'Name scheme',
    help: 'The parts in which names of people are asked for.',
    shared: true,
  },
  reservation_time: {
    field: integer({ default: 30, minimum: 0, maximum: 100_000 }),
    label: 'Reservation period',
    help: 'Minutes for which a cart holds what is in it.',
  },
  payment_term_days: {
    field: integer({ default: 14, minimum: 0, maximum: 10_000 }),
    label: 'Payment term in days',
  },
  ticket_secret_generator: {
    field: text({ default: 'random', maxLength: 100 }),
    label: 'Ticket codes',
    help: 'random, or pretix_sig1 or gatehouse_1 for signed ones, which say by themselves what they are for.',
    shared: true,
  },
  ticket_download: { field: flag(false), label: 'Allow users to download tickets', shared: true },
  ticket_download_date: { field: moment(), label: 'Download date', help: relative, shared: true },
  ticket_download_pending: { field: flag(false), label: 'Tickets for unpaid orders', shared: true },
  ticket_download_addons: { field: flag(false), label: 'Tickets for each add-on product', shared: true },
  ticket_download_nonadm: { field: flag(true), label: 'Tickets for all products', shared: true },
  attendee_names_asked: { field: flag(true), label: 'Ask for attendee names', shared: true },
  attendee_names_required: { field: flag(false), label: 'Require attendee names', shared: true },
  attendee_emails_asked: { field: flag(false), label: 'Ask for email addresses per ticket', shared: true },
  attendee_emails_required: {
    field: flag(false),
    label: 'Require email addresses per ticket',
    shared: true,
  },
  attendee_addresses_asked: {
    field: flag(false),
    label: 'Ask for postal addresses per ticket',
    shared: true,
  },
  attendee_addresses_required: {
    field: flag(false),
    label: 'Require postal addresses per ticket',
    shared: true,
  },
  attendee_company_asked: { field: flag(false), label: 'Ask for company per ticket', shared: true },
  attendee_company_required: { field: flag(false), label: 'Require company per ticket', shared: true },
  invoice_address_asked: { field: flag(true), label: 'Ask for invoice address', shared: true },
  invoice_address_required: { field: flag(false), label: 'Require invoice address', shared: true },
  invoice_address_vatid: { field: flag(false), label: 'Ask for VAT ID', shared: true },
  ...invoiceSettings,
  max_items_per_order: {
    field: integer({ default: 10, minimum: 1, maximum: 1_000_000 }),
    label: 'Maximum number of items per order',
    shared: true,
  },
  seating_choice: { field: flag(true), label: 'Customers can choose their own seats' },
  seating_minimal_distance: {
    field: integer({ default: 0, minimum: 0, maximum: 1_000_000 }),
    label: 'Minimum distance between seats',
    help: 'In the units of the seating plan; seats that are bought together may be next to each other.',
  },
  seating_distance_within_row: {
    field: flag(false),
    label: 'Only keep the distance within a row',
  },
  seating_allow_blocked_seats_for_channel: {
    field: texts({ default: [] }),
    label: 'Sales channels that may sell blocked seats',
  },
  show_quota_left: { field: flag(false), label: 'Show number of tickets left', shared: true },
  last_order_modification_date: {
    field: moment(),
    label: 'Last date of modifications',
    help: relative,
    shared: true,
  },
  gift_card_offline_limit: {
    field: money({ default: '0.00', minimum: 0 }),
    label: 'Gift cards while offline',
    help: 'How much a station may take from a gift card before the central server or hub has heard of it. 0.00: nothing.',
    shared: true,
  },
  drawer_blind_count: {
    field: flag(false),
    label: 'Count drawers blind',
    help: 'Tills show what should be in a drawer only once it was counted, unless a supervisor has signed in.',
    shared: true,
  },
  till_email_required: {
    field: flag(false),
    label: 'Require an email address at tills',
    help: 'Tills sell nothing without the address of the buyer.',
    shared: true,
  },
  till_pay_later: {
    field: flag(false),
    label: 'Sell by invoice at tills',
    help: 'Tills sell what is paid later; the tickets are good at once. Takes invoices that are made by themselves (invoice_generate: True) in the channel boxoffice.',
    shared: true,
  },
  till_signing: {
    field: choice(signingProviders, { default: 'none' }),
    label: 'Signing of receipts',
    help: 'By what receipts of tills are signed: none, or simulator for trials. The simulator is no signing device of any law.',
    shared: true,
  },
  entrance_staff_asked: {
    field: flag(false),
    label: 'Ask for staff at entrances',
    help: 'Undoing, admitting all the same, disconnecting and settings need somebody who has signed in and may, or a supervisor’s PIN.',
    shared: true,
  },
  entrance_capacity_warning: {
    field: integer({ default: 90, minimum: 1, maximum: 100 }),
    label: 'Percent of the capacity of a check-in list from which on entrances warn',
    shared: true,
  },
  entrance_capacity_blocks: {
    field: flag(false),
    label: 'Refuse entries when full',
    help: 'Nobody more is admitted where as many are inside as the capacity of the check-in list says. Otherwise entrances only warn.',
    shared: true,
  },
  primary_color: {
    field: text({ minLength: 7, maxLength: 7, pattern: '^#[0-9a-fA-F]{6}$', default: usualPrimaryColor }),
    label: 'Primary color',
    help: 'The colour of the screens for guests, such as #7A1FD1. What is written on it stays readable.',
    shared: true,
  },
  ...kioskSettings,
  waiting_list_enabled: {
    field: flag(true),
    label: 'Waiting list',
    help: 'Whether people can wait for what is sold out.',
  },
  waiting_list_auto: {
    field: flag(true),
    label: 'Serve the waiting list by itself',
    help: 'Vouchers are sent as soon as there is room, in the order of the list.',
  },
  waiting_list_hours: {
    field: integer({ default: 48, minimum: 1, maximum: 100_000 }),
    label: 'Hours to answer',
    help: 'How long a place is kept for somebody from the waiting list.',
  },
  waiting_list_limit_per_user: {
    field: integer({ default: 1, minimum: 1, maximum: 1_000_000 }),
    label: 'Entries per person',
    help: 'How often one email address may wait for the same product.',
  },
  mail_from_name: {
    field: nullable(text({ minLength: 1, maxLength: 100 })),
    label: 'Sender of mails',
    help: 'The name that mails come from: that of the organizer unless given.',
  },
  mail_from: {
    field: nullable(text({ minLength: 3, maxLength: 254 })),
    label: 'Address of the sender',
    help: 'The server must be allowed to send for its domain; else mails are taken for spam.',
  },
  mail_reply_to: { field: nullable(text({ minLength: 3, maxLength: 254 })), label: 'Address for answers' },
  mail_sales_channels: {
    field: texts({ default: ['web'] }),
    label: 'Sales channels whose new orders are mailed',
    help: 'Where a request does not say whether a mail is sent.',
  },
  mail_attach_tickets: { field: flag(true), label: 'Send tickets with mails about paid orders' },
  ...mailWords,
} satisfies Readonly<Record<string, Setting>>

/** Settings of an organizer that are none of its events. */
export const organizerOnlySettings = {
  require_2fa: {
    field: flag(false),
    label: 'Require a second factor',
    help: 'Users who have no second factor can do nothing here until they have set one up.',
  },
} satisfies Readonly<Record<string, Setting>>

/** The settings of an event by their names. */
export type EventSettings = {
  readonly [Name in keyof typeof eventSettings]: Static<(typeof eventSettings)[Name]['field']>
}
