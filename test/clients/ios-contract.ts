import type { Reads } from './reads.ts'

/** One list that pretixSCAN for iOS downloads page by page, by numbers of pages, and what it cannot do without in it. */
export interface IosList {
  readonly name: string
  /** Below the event, but for the list of events. */
  readonly path: string
  /** What it asks for beside the page and the order, which is that of the times of orders whatever is listed. */
  readonly query?: readonly string[]
  /** Pages that it looks at, where these are not all. */
  readonly pages?: number
  /** Whether it asks for what has changed by the `Last-Modified` of before. */
  readonly isConditional?: boolean
  /** Whether a device that always has a connection leaves it out. */
  readonly offlineOnly?: boolean
  readonly reads: Reads
}

/** What is read of the answer to being set up, and of the refusal. */
export const iosInitializedReads: Reads = {
  ...{ organizer: 'text', device_id: 'long', unique_serial: 'text', api_token: 'text', name: 'text' },
}

const eventReads: Reads = {
  ...{ name: 'texts', slug: 'text', date_from: 'moment?', has_subevents: 'flag', valid_keys: 'object?' },
}

const subeventReads: Reads = {
  ...{ id: 'long', name: 'texts', event: 'text', active: 'flag', is_public: 'flag', date_from: 'moment' },
  ...{ date_to: 'moment?', date_admission: 'moment?', presale_start: 'moment?', presale_end: 'moment?' },
  location: 'texts?',
}

const listReads: Reads = {
  ...{ id: 'long', name: 'text', all_products: 'flag', limit_products: 'list?', subevent: 'long?' },
  ...{ position_count: 'long', checkin_count: 'long', include_pending: 'flag' },
  ...{ allow_entry_after_exit: 'flag', allow_multiple_entries: 'flag', rules: 'object?' },
}

/** What is asked for while somebody chooses what to scan for, in that order. */
export const iosChoices: readonly IosList[] = [
  {
    name: 'events',
    path: 'events/',
    query: ['ends_after=AGO', 'ordering=date_from'],
    pages: 5,
    reads: eventReads,
  },
  { name: 'series', path: 'events/', query: ['has_subevents=true'], reads: eventReads },
  {
    ...{ name: 'dates', path: '~subevents/', pages: 5, reads: subeventReads },
    query: ['ends_after=AGO', 'ordering=date_from'],
  },
  { name: 'checkinlists', path: '~checkinlists/', reads: listReads },
]

/** What is synchronised, in that order; orders come after it, see `iosOrders`. */
export const iosDownloads: readonly IosList[] = [
  { name: 'checkinlists', path: '~checkinlists/', reads: listReads },
  {
    ...{ name: 'categories', path: '~categories/', isConditional: true },
    reads: {
      ...{ id: 'long', name: 'texts', internal_name: 'text?', description: 'texts?', position: 'long' },
      is_addon: 'flag',
    },
  },
  {
    ...{ name: 'items', path: '~items/', isConditional: true },
    reads: {
      ...{ id: 'long', name: 'texts', internal_name: 'text?', default_price: 'text', category: 'long?' },
      ...{ active: 'flag', description: 'texts?', free_price: 'flag', tax_rate: 'text', tax_rule: 'long?' },
      ...{ admission: 'flag', position: 'long', picture: 'text?', sales_channels: 'list' },
      ...{ available_from: 'moment?', available_until: 'moment?', require_voucher: 'flag' },
      ...{
        hide_without_voucher: 'flag',
        allow_cancel: 'flag',
        min_per_order: 'long?',
        max_per_order: 'long?',
      },
      ...{ checkin_attention: 'flag', original_price: 'text?', require_approval: 'flag' },
      ...{ require_bundling: 'flag', generate_tickets: 'flag?', has_variations: 'flag', variations: 'list' },
      ...{ addons: 'list', bundles: 'list', checkin_text: 'text?' },
    },
  },
  { name: 'subevents', path: '~subevents/', isConditional: true, reads: subeventReads },
  {
    ...{ name: 'questions', path: '~questions/', isConditional: true },
    reads: {
      ...{ id: 'long', question: 'texts', type: 'text', required: 'flag', position: 'long', items: 'list' },
      ...{ identifier: 'text', ask_during_checkin: 'flag', show_during_checkin: 'flag?', hidden: 'flag' },
      ...{ options: 'list', dependency_question: 'long?', dependency_value: 'text?' },
    },
  },
  { name: 'revokedsecrets', path: '~revokedsecrets/', reads: { id: 'long', secret: 'text' } },
  {
    name: 'blockedsecrets',
    path: '~blockedsecrets/',
    reads: { id: 'long', secret: 'text', blocked: 'flag' },
  },
]

/** Orders, from the oldest on, and later those that have changed since the first page of before. */
export const iosOrders: IosList = {
  ...{ name: 'orders', path: '~orders/', query: ['testmode=false'], offlineOnly: true },
  reads: {
    ...{ code: 'text', status: 'text', testmode: 'flag', secret: 'text', email: 'text?', locale: 'text?' },
    ...{ sales_channel: 'text?', datetime: 'moment?', expires: 'moment?', last_modified: 'moment?' },
    ...{ total: 'text?', comment: 'text?', checkin_attention: 'flag?', positions: 'list?' },
    ...{ require_approval: 'flag?' },
  },
}

/** What is read inside of rows, by the list and the field. */
export const iosInside: Readonly<Record<string, Readonly<Record<string, Reads>>>> = {
  events: { valid_keys: { pretix_sig1: 'list' } },
  series: { valid_keys: { pretix_sig1: 'list' } },
  items: {
    variations: {
      ...{ id: 'long', value: 'texts', default_price: 'text?', price: 'text', active: 'flag' },
      ...{ description: 'texts?', position: 'long', checkin_attention: 'flag?', checkin_text: 'text?' },
    },
    addons: {
      ...{ addon_category: 'long', min_count: 'long?', max_count: 'long?', position: 'long' },
      price_included: 'flag',
    },
    bundles: { bundled_item: 'long', bundled_variation: 'long?', count: 'long', designated_price: 'text' },
  },
  questions: { options: { id: 'long', position: 'long', identifier: 'text', answer: 'texts' } },
}

/** What is read of a position: in orders, in what a search finds, and in the answer to a scan. */
export const iosPositionReads: Reads = {
  ...{ id: 'long', order: 'text', order__status: 'text?', positionid: 'long', item: 'long' },
  ...{ variation: 'long?', price: 'text', attendee_name: 'text?', attendee_email: 'text?', secret: 'text' },
  ...{ subevent: 'long?', pseudonymization_id: 'text', checkins: 'list', answers: 'list?', seat: 'object?' },
  ...{ require_attention: 'flag?', addon_to: 'long?', valid_from: 'moment?', valid_until: 'moment?' },
}

/** What is read inside of a position. */
export const iosInPosition: Readonly<Record<string, Reads>> = {
  checkins: { list: 'long', datetime: 'moment', type: 'text?' },
  answers: {
    ...{ question: 'long', answer: 'text', question_identifier: 'text?', options: 'list' },
    option_identifiers: 'list',
  },
  seat: { id: 'long', name: 'text?', seat_guid: 'text?' },
}

/** What is read of the answer to a scan; another status or reason than it knows cannot be read. */
export const iosScanReads: Reads = {
  ...{ status: 'text', reason: 'text?', reason_explanation: 'text?', require_attention: 'flag?' },
  ...{ position: 'object?', questions: 'list?' },
}
export const iosStatuses: readonly string[] = ['ok', 'incomplete', 'error']
export const iosReasons: readonly string[] = [
  ...['unpaid', 'canceled', 'already_redeemed', 'product', 'rules', 'revoked', 'invalid', 'ambiguous'],
  ...['blocked', 'invalid_time', 'unapproved'],
]

/** What is read of the status of a list, of its items and of their variations. */
export const iosStatusReads = {
  list: { checkin_count: 'long', position_count: 'long', inside_count: 'long', items: 'list' },
  item: {
    ...{ name: 'text', id: 'long', checkin_count: 'long', admission: 'flag', position_count: 'long' },
    variations: 'list?',
  },
  variation: { value: 'text', id: 'long', checkin_count: 'long', position_count: 'long' },
} as const satisfies Readonly<Record<string, Reads>>
