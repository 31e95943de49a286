import type { Reads } from './reads.ts'

/** What decides how much an app synchronises. */
export type AppKind = 'scan' | 'scan online' | 'pos'

/** One list or object that an app downloads, and what it cannot do without in it. */
export interface Download {
  readonly name: string
  /** Below the organizer, or below the event where it begins with a tilde. */
  readonly path: string
  readonly query?: string
  readonly kinds: readonly AppKind[]
  /** One object instead of pages. */
  readonly isSingle?: boolean
  /** Whether the synchronisation goes on where the server does not serve the path at all. */
  readonly mayLack?: boolean
  /** Whether it goes on after any refusal. */
  readonly mayFail?: boolean
  /**
   * How it asks for what has changed: by `If-Modified-Since` with the `Last-Modified` of before, or by a parameter with
   * the `X-Page-Generated` of before or with a field of the first row of before.
   */
  readonly since?: 'header' | { readonly query: string; readonly from: 'X-Page-Generated' | string }
  readonly fields: Reads
}

const all: readonly AppKind[] = ['scan', 'scan online', 'pos']
const scanning: readonly AppKind[] = ['scan', 'scan online']
const pos: readonly AppKind[] = ['pos']

/** What the library inside of pretixSCAN and pretixPOS downloads, in its order. */
export const downloads: readonly Download[] = [
  {
    name: 'cashiers',
    path: 'pos/cashiers/',
    kinds: pos,
    mayLack: true,
    fields: { id: 'long', active: 'flag', name: 'text', pin: 'text?', userid: 'text' },
  },
  {
    name: 'subevents',
    path: 'subevents/',
    kinds: all,
    since: { query: 'ordering=-last_modified&modified_since=', from: 'X-Page-Generated' },
    fields: {
      ...{ id: 'long', event: 'text', active: 'flag', name: 'object' },
      ...{ date_from: 'moment', date_to: 'moment?', date_admission: 'moment?' },
    },
  },
  {
    name: 'event',
    path: 'events/EVENT/',
    kinds: all,
    isSingle: true,
    fields: {
      ...{ slug: 'text', name: 'object', currency: 'text', live: 'flag', has_subevents: 'flag' },
      ...{ date_from: 'moment', date_to: 'moment?', timezone: 'text', plugins: 'list' },
      ...{ seat_category_mapping: 'object', valid_keys: 'object' },
    },
  },
  {
    name: 'categories',
    path: '~categories/',
    kinds: all,
    since: 'header',
    fields: { id: 'long', position: 'long', name: 'object', is_addon: 'flag' },
  },
  {
    name: 'items',
    path: '~items/',
    kinds: all,
    since: 'header',
    fields: {
      ...{ id: 'long', position: 'long', name: 'object', internal_name: 'text?', description: 'object?' },
      ...{ active: 'flag', admission: 'flag', personalized: 'flag?', category: 'long?', tax_rule: 'long?' },
      ...{ default_price: 'text', free_price: 'flag', has_variations: 'flag', variations: 'list' },
      ...{ bundles: 'list', addons: 'list', sales_channels: 'list', checkin_attention: 'flag' },
      ...{ checkin_text: 'text?', picture: 'text?', require_voucher: 'flag', hide_without_voucher: 'flag' },
      ...{ require_bundling: 'flag', issue_giftcard: 'flag', validity_mode: 'text?' },
    },
  },
  {
    name: 'questions',
    path: '~questions/',
    kinds: all,
    since: 'header',
    fields: {
      ...{ id: 'long', required: 'flag', position: 'long', items: 'list', type: 'text', identifier: 'text' },
      ...{ question: 'object', options: 'list', ask_during_checkin: 'flag', show_during_checkin: 'flag' },
      ...{ dependency_question: 'long?', dependency_values: 'list' },
    },
  },
  {
    name: 'discounts',
    path: '~discounts/',
    kinds: pos,
    since: 'header',
    fields: { id: 'long', active: 'flag', position: 'long', sales_channels: 'list' },
  },
  {
    name: 'quotas',
    path: '~quotas/',
    query: 'with_availability=true',
    kinds: pos,
    fields: {
      ...{ id: 'long', items: 'list', variations: 'list', size: 'long?', subevent: 'long?' },
      ...{ available: 'flag', available_number: 'long?' },
    },
  },
  {
    name: 'taxrules',
    path: '~taxrules/',
    kinds: pos,
    since: 'header',
    fields: { id: 'long', rate: 'text', price_includes_tax: 'flag', name: 'object' },
  },
  {
    name: 'ticketlayouts',
    path: '~ticketlayouts/',
    kinds: pos,
    fields: { id: 'long', default: 'flag', item_assignments: 'list', background: 'text?', layout: 'list' },
  },
  {
    name: 'badgelayouts',
    path: '~badgelayouts/',
    kinds: all,
    fields: { id: 'long', default: 'flag', background: 'text?', layout: 'list' },
  },
  {
    name: 'badgeitems',
    path: '~badgeitems/',
    kinds: all,
    fields: { id: 'long', item: 'long', layout: 'long?' },
  },
  {
    name: 'checkinlists',
    path: '~checkinlists/',
    query: 'exclude=checkin_count&exclude=position_count',
    // There is no Last-Modified to these, there neither.
    kinds: all,
    fields: {
      ...{ id: 'long', name: 'text', all_products: 'flag', limit_products: 'list', subevent: 'long?' },
      ...{ include_pending: 'flag', allow_multiple_entries: 'flag', allow_entry_after_exit: 'flag' },
      ...{ addon_match: 'flag', rules: 'object' },
    },
  },
  {
    name: 'revokedsecrets',
    path: '~revokedsecrets/',
    kinds: scanning,
    mayLack: true,
    since: { query: 'ordering=-created&created_since=', from: 'created' },
    fields: { id: 'long', secret: 'text', created: 'moment' },
  },
  {
    name: 'blockedsecrets',
    path: '~blockedsecrets/',
    kinds: scanning,
    mayLack: true,
    since: { query: 'ordering=-updated&updated_since=', from: 'updated' },
    fields: { id: 'long', secret: 'text', blocked: 'flag', updated: 'moment' },
  },
  {
    name: 'orders',
    path: '~orders/',
    query:
      'testmode=false&exclude=downloads&exclude=payment_date&exclude=payment_provider&exclude=fees&exclude=positions.downloads&exclude=payments&exclude=refunds&pdf_data=true',
    kinds: ['scan'],
    since: { query: 'ordering=-last_modified&modified_since=', from: 'X-Page-Generated' },
    fields: {
      ...{ code: 'text', status: 'text', datetime: 'moment', email: 'text?', total: 'text' },
      ...{ testmode: 'flag', require_approval: 'flag', valid_if_pending: 'flag' },
      ...{ checkin_attention: 'flag', checkin_text: 'text?', positions: 'list' },
    },
  },
  {
    name: 'reusablemedia',
    path: 'reusablemedia/',
    kinds: ['scan'],
    mayLack: true,
    since: { query: 'ordering=-updated&updated_since=', from: 'X-Page-Generated' },
    fields: {
      ...{
        id: 'long',
        created: 'moment',
        active: 'flag',
        identifier: 'text',
        type: 'text',
        expires: 'moment?',
      },
      ...{ customer: 'text?', linked_orderposition: 'long?', linked_giftcard: 'long?' },
    },
  },
  { name: 'settings', path: '~settings/', kinds: all, isSingle: true, mayFail: true, fields: {} },
]

/** What is read of each position of an order. */
export const positionReads: Reads = {
  ...{ id: 'long', positionid: 'long', item: 'long', variation: 'long?', subevent: 'long?', secret: 'text' },
  ...{ attendee_name: 'text?', attendee_email: 'text?', attendee_name_parts: 'object?', addon_to: 'long?' },
  ...{ price: 'text', tax_rate: 'text', tax_value: 'text', seat: 'object?', answers: 'list' },
  ...{ checkins: 'list', valid_from: 'moment?', valid_until: 'moment?', pdf_data: 'object' },
}

/** What is read of each check-in of a position. */
export const checkinReads: Reads = { id: 'long?', list: 'long', datetime: 'moment', type: 'text' }

/** What an app reads when it is set up. */
export const initializedReads: Reads = {
  ...{ api_token: 'text', organizer: 'text', device_id: 'long', unique_serial: 'text', name: 'text' },
  ...{ security_profile: 'text', gate: 'object?' },
}

/** What an app reads of the answer to a scan that was decided, and of the position in it. */
export const scanReads: Reads = {
  status: 'text',
  require_attention: 'flag',
  position: 'object',
  list: 'object',
}
export const scannedReads: Reads = {
  ...{
    id: 'long',
    item: 'long',
    variation: 'long?',
    order: 'text',
    positionid: 'long',
    order__status: 'text',
  },
  ...{ attendee_name: 'text?', seat: 'object?', checkins: 'list', answers: 'list', pdf_data: 'object' },
}
