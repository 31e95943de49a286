import {
  known,
  localized,
  type Make,
  moment,
  money,
  oneOf,
  orNull,
  some,
  text,
  upTo,
  yesOrNo,
} from './made-up.ts'

/** A resource with the usual operations, and what its bodies and queries are made of. */
export interface Described {
  readonly kind: string
  /** Below the organizer; `{kind}` stands for one there is. */
  readonly path: string
  /** The field that stands in addresses. */
  readonly key?: string
  readonly required: Readonly<Record<string, Make>>
  readonly optional: Readonly<Record<string, Make>>
  readonly queries: readonly string[]
  readonly keeps?: boolean
}

const ev = 'events/gala/'

const ordered = [
  'ordering=id',
  'ordering=-id',
  'ordering=position,id',
  'ordering=-position,id',
  'ordering=nothing',
]

const pages = [
  'page=1',
  'page=2',
  'page=x',
  'page=0',
  'page_size=2',
  'page_size=2&page=2',
  'page_size=1&page=3',
]

/** Of lists for which no order is promised only whole ones are compared. */
const whole = ['page=1', 'page=2', 'page=x', 'page=0']

/** Where something is sold. */
const soldThrough = {
  all_sales_channels: yesOrNo,
  limit_sales_channels: oneOf([], ['web'], ['web'], ['nothing']),
}

/** What a catalogue is made of. */
export const catalogue: readonly Described[] = [
  {
    kind: 'category',
    path: `${ev}categories/`,
    required: { name: localized('Tickets', 'Food', 'Drinks'), description: localized('All about it') },
    optional: {
      internal_name: orNull(text('inside')),
      position: upTo(5),
      is_addon: yesOrNo,
    },
    queries: [...pages, ...ordered, 'is_addon=true', 'is_addon=false', 'is_addon=x'],
  },
  {
    kind: 'tax_rule',
    path: `${ev}taxrules/`,
    required: { name: localized('VAT', 'None'), rate: oneOf('19.00', '7.00', '0.00', '5.5') },
    optional: {
      internal_name: orNull(text('inside')),
      price_includes_tax: yesOrNo,
      eu_reverse_charge: yesOrNo,
      home_country: oneOf('DE', 'AT', 'FR'),
      keep_gross_if_rate_changes: yesOrNo,
    },
    queries: [...whole, ...ordered],
  },
  {
    kind: 'item',
    path: `${ev}items/`,
    required: { name: localized('Ticket', 'Poster', 'Dinner'), default_price: money },
    optional: {
      internal_name: orNull(text('inside')),
      active: oneOf(true, true, true, false),
      category: orNull(known('category')),
      description: orNull(localized('Fine')),
      original_price: orNull(money),
      free_price: yesOrNo,
      tax_rule: orNull(known('tax_rule')),
      admission: yesOrNo,
      position: upTo(5),
      available_from: orNull(moment),
      available_until: orNull(moment),
      ...soldThrough,
      require_voucher: yesOrNo,
      hide_without_voucher: yesOrNo,
      allow_cancel: yesOrNo,
      allow_waitinglist: yesOrNo,
      min_per_order: orNull(upTo(3)),
      max_per_order: orNull(upTo(6)),
      checkin_attention: yesOrNo,
      require_approval: yesOrNo,
      generate_tickets: oneOf(null, true, false),
      show_quota_left: oneOf(null, true, false),
      variations: ({ draw }) =>
        draw() < 0.5
          ? []
          : [{ value: { en: 'Friday' } }, { value: { en: 'Saturday' }, default_price: '12.00', position: 1 }],
    },
    queries: [
      ...[...pages, ...ordered, 'active=true', 'active=false', 'admission=true', 'free_price=true'],
      ...['tax_rate=19', 'tax_rate=19.00', 'tax_rate=x', 'category={category}', 'category=1', 'search=tick'],
    ],
  },
  {
    kind: 'variation',
    path: `${ev}items/{item_with_variations}/variations/`,
    required: { value: localized('Friday', 'Saturday') },
    optional: {
      default_price: orNull(money),
      original_price: orNull(money),
      active: yesOrNo,
      ...soldThrough,
      description: orNull(localized('The day')),
      position: upTo(5),
      require_approval: yesOrNo,
      available_from: orNull(moment),
      available_until: orNull(moment),
      hide_without_voucher: yesOrNo,
    },
    queries: [...pages, ...ordered, 'active=true', 'active=false'],
  },
  {
    kind: 'addon',
    path: `${ev}items/{item}/addons/`,
    required: { addon_category: known('category'), min_count: upTo(2), max_count: upTo(4) },
    optional: {
      position: upTo(5),
      multi_allowed: yesOrNo,
      price_included: yesOrNo,
    },
    queries: [...pages],
  },
  {
    kind: 'bundle',
    path: `${ev}items/{item}/bundles/`,
    required: { bundled_item: known('item') },
    optional: {
      bundled_variation: orNull(known('variation')),
      count: oneOf(1, 2, 3),
      designated_price: money,
    },
    queries: [...pages],
  },
  {
    kind: 'quota',
    path: `${ev}quotas/`,
    required: { name: text('Quota'), size: oneOf(null, 0, 5, 100), items: some('plain_item') },
    optional: {
      variations: oneOf([]),
      close_when_sold_out: yesOrNo,
      closed: oneOf(false, false, true),
      release_after_exit: yesOrNo,
    },
    queries: [
      ...[...pages, 'ordering=id', 'ordering=-id', 'ordering=size', 'with_availability=true'],
      ...['items__in={plain_item}', 'items__in={plain_item},1', 'subevent=1'],
    ],
  },
  {
    kind: 'question',
    path: `${ev}questions/`,
    required: {
      question: localized('Name of the dog', 'Vegan'),
      type: oneOf('N', 'S', 'T', 'B', 'C', 'M', 'D', 'H', 'W', 'CC', 'TEL', 'F'),
      items: some('item'),
      identifier: ({ draw }) => `Q${Math.floor(draw() * 1e6)}`,
    },
    optional: {
      help_text: orNull(localized('Tell us')),
      required: yesOrNo,
      position: upTo(5),
      ask_during_checkin: yesOrNo,
      hidden: yesOrNo,
      print_on_invoice: yesOrNo,
      valid_number_min: orNull(oneOf('1', '1.5', '-3')),
      valid_number_max: orNull(oneOf('10', '99.5')),
      valid_date_min: orNull(oneOf('2020-01-01')),
      valid_date_max: orNull(oneOf('2031-01-01')),
      valid_datetime_min: orNull(moment),
      valid_file_portrait: yesOrNo,
      options: ({ draw }) =>
        draw() < 0.6
          ? []
          : [
              { answer: { en: 'A' }, identifier: 'A' },
              { answer: { en: 'B' }, identifier: 'B', position: 1 },
            ],
    },
    queries: [
      ...[...pages, ...ordered, 'ask_during_checkin=true', 'ask_during_checkin=false', 'required=true'],
      ...['identifier=Q5', 'required=false'],
    ],
  },
  {
    kind: 'option',
    path: `${ev}questions/{choice}/options/`,
    required: { answer: localized('Blue', 'Red'), identifier: ({ draw }) => `O${Math.floor(draw() * 1e6)}` },
    optional: { position: upTo(5) },
    queries: [...whole, ...ordered, 'active=true'],
  },
  {
    kind: 'discount',
    path: `${ev}discounts/`,
    required: { internal_name: text('Discount'), condition_min_count: oneOf(1, 2, 3, 0) },
    optional: {
      active: yesOrNo,
      position: upTo(5),
      available_from: orNull(moment),
      available_until: orNull(moment),
      ...soldThrough,
      subevent_mode: oneOf('mixed', 'same', 'distinct', 'x'),
      condition_all_products: yesOrNo,
      condition_limit_products: some('item'),
      condition_apply_to_addons: yesOrNo,
      condition_ignore_voucher_discounted: yesOrNo,
      condition_min_value: oneOf('0.00', '0.00', '50.00'),
      benefit_discount_matching_percent: oneOf('10.00', '50.00', '100.00'),
      benefit_only_apply_to_cheapest_n_matches: orNull(oneOf(1, 2)),
    },
    queries: [...pages, ...ordered, 'active=true', 'active=false'],
  },
  {
    kind: 'item_meta_property',
    path: `${ev}item_meta_properties/`,
    required: {
      name: ({ draw }) => `meta${Math.floor(draw() * 1e6)}`,
      default: oneOf('red', 'blue'),
      allowed_values: oneOf(null, ['red', 'blue']),
    },
    optional: { required: yesOrNo },
    queries: whole,
  },
]

/** What lies at the door and at the till. */
export const entrance: readonly Described[] = [
  {
    kind: 'checkin_list',
    path: `${ev}checkinlists/`,
    required: { name: text('Entrance', 'Backstage') },
    optional: {
      all_products: yesOrNo,
      limit_products: some('item'),
      include_pending: yesOrNo,
      allow_multiple_entries: yesOrNo,
      allow_entry_after_exit: yesOrNo,
      rules: oneOf({}, { '<': [{ var: 'entries_number' }, 3] }),
      exit_all_at: orNull(moment),
      addon_match: yesOrNo,
    },
    queries: [
      ...[...pages, 'ordering=id', 'ordering=-name', 'ordering=x', 'subevent=1', 'subevent_match=1'],
      ...['ends_after=2031-01-01T00:00:00Z', 'expand=subevent', 'exclude=checkin_count', 'ends_after=x'],
    ],
  },
  {
    kind: 'voucher',
    path: `${ev}vouchers/`,
    required: { code: ({ draw }) => `VOUCHER${Math.floor(draw() * 1e6)}` },
    optional: {
      max_usages: oneOf(1, 1, 2, 10),
      min_usages: oneOf(1, 1, 1, 2),
      valid_until: orNull(moment),
      block_quota: oneOf(false, false, true),
      allow_ignore_quota: yesOrNo,
      price_mode: oneOf('none', 'set', 'subtract', 'percent'),
      value: orNull(oneOf('5.00', '10.00', '50')),
      item: orNull(known('plain_item')),
      quota: oneOf(null, null, null),
      tag: text('tag'),
      comment: text('note'),
      show_hidden_items: yesOrNo,
    },
    queries: [
      ...[...pages, 'ordering=id', 'ordering=-code', 'ordering=max_usages,-id', 'ordering=valid_until,id'],
      ...['ordering=-value,id', 'code=VOUCHER', 'code={voucher_code}', 'max_usages=2', 'redeemed=0'],
      ...['block_quota=true', 'allow_ignore_quota=false', 'price_mode=set', 'price_mode=x', 'value=5.00'],
      ...[
        'item={plain_item}',
        'item=1',
        'quota={quota}',
        'quota=1',
        'tag=tag 5',
        'active=true',
        'active=false',
      ],
    ],
  },
  {
    kind: 'waiting',
    path: `${ev}waitinglistentries/`,
    required: {
      email: ({ draw }) => `guest${Math.floor(draw() * 1e4)}@example.org`,
      item: known('plain_item'),
    },
    optional: {
      name_parts: oneOf(
        { given_name: 'Ann', _scheme: 'given_family' },
        { full_name: 'Ann Lee', _scheme: 'full' },
      ),
      phone: orNull(oneOf('+49301234567', '+43 1 234567', '5')),
      locale: oneOf('en', 'de', 'xx'),
    },
    queries: [
      ...[
        ...pages,
        'ordering=id',
        'ordering=-created',
        'ordering=email,id',
        'ordering=item,id',
        'has_voucher=true',
      ],
      ...['has_voucher=false', 'locale=en', 'email=guest5@example.org', 'item={plain_item}', 'item=1'],
    ],
  },
]

/** What belongs to an organizer. */
export const organizer: readonly Described[] = [
  {
    kind: 'gift_card',
    path: 'giftcards/',
    required: {
      currency: oneOf('EUR', 'EUR', 'USD', 'XXX'),
      value: money,
      secret: ({ draw }) => `GIFT${Math.floor(draw() * 1e7)}`,
    },
    optional: {
      testmode: yesOrNo,
      expires: orNull(moment),
      conditions: orNull(text('Only on')),
    },
    queries: [
      ...[
        ...pages,
        'secret={gift_secret}',
        'secret=x',
        'testmode=true',
        'testmode=false',
        'include_accepted=true',
      ],
      ...['expired=true', 'expired=false', 'value=23.00'],
    ],
    keeps: true,
  },
  {
    kind: 'membership_type',
    path: 'membershiptypes/',
    required: { name: localized('Season', 'Patrons') },
    optional: { transferable: yesOrNo, allow_parallel_usage: yesOrNo, max_usages: orNull(upTo(5)) },
    queries: whole,
  },
  {
    kind: 'customer',
    path: 'customers/',
    key: 'identifier',
    required: { email: ({ draw }) => `customer${Math.floor(draw() * 1e6)}@example.org` },
    optional: {
      name_parts: oneOf({ given_name: 'Ann', family_name: 'Lee', _scheme: 'given_family' }),
      is_active: yesOrNo,
      is_verified: yesOrNo,
      locale: oneOf('en', 'de'),
      phone: orNull(oneOf('+49301234567')),
      notes: orNull(text('note')),
      external_identifier: orNull(text('ext')),
    },
    queries: [...whole, 'email=customer5@example.org'],
    keeps: true,
  },
  {
    kind: 'membership',
    path: 'memberships/',
    required: {
      customer: known('customer'),
      membership_type: known('membership_type'),
      date_start: oneOf('2030-01-01T00:00:00Z'),
      date_end: oneOf('2030-12-31T23:59:59Z'),
    },
    optional: {
      testmode: yesOrNo,
      attendee_name_parts: oneOf({}, { given_name: 'Ann', _scheme: 'given_family' }),
    },
    queries: [...whole, 'customer={customer}', 'membership_type={membership_type}', 'testmode=false'],
    keeps: true,
  },
  {
    kind: 'webhook',
    path: 'webhooks/',
    required: {
      target_url: oneOf('https://example.org/hook', 'https://example.org/other'),
      action_types: oneOf(['pretix.event.order.placed'], ['pretix.event.order.paid', 'pretix.event.checkin']),
      limit_events: oneOf([], ['gala'], ['nothing']),
    },
    optional: { enabled: yesOrNo, all_events: yesOrNo },
    queries: [...pages, 'enabled=true', 'enabled=false'],
    keeps: true,
  },
  {
    kind: 'team',
    path: 'teams/',
    required: { name: text('Team'), limit_events: oneOf([], ['gala'], ['nothing']) },
    optional: { all_events: yesOrNo, can_view_orders: yesOrNo, can_change_items: yesOrNo },
    queries: whole,
  },
  {
    kind: 'device',
    path: 'devices/',
    key: 'device_id',
    required: { name: text('Scanner'), limit_events: oneOf([], ['gala'], ['gala'], ['nothing']) },
    optional: {
      all_events: oneOf(false, false, true),
      security_profile: oneOf('full', 'pretixscan', 'pretixscan_online_noorders', 'x'),
    },
    queries: [...pages, 'security_profile=full', 'revoked=false'],
    keeps: true,
  },
  {
    kind: 'event_meta_property',
    path: 'event_meta_properties/',
    required: { name: ({ draw }) => `meta${Math.floor(draw() * 1e6)}`, choices: oneOf(null) },
    optional: { default: oneOf('', 'rock'), required: yesOrNo, protected: yesOrNo, filter_allowed: yesOrNo },
    queries: whole,
  },
  {
    kind: 'sales_channel',
    path: 'saleschannels/',
    key: 'identifier',
    required: { identifier: ({ draw }) => `api.shop${Math.floor(draw() * 1e4)}`, label: localized('Shop') },
    optional: { position: upTo(5) },
    queries: whole,
  },
]

/** Dates of a series. */
export const series: readonly Described[] = [
  {
    kind: 'subevent',
    path: 'events/tour/subevents/',
    required: {
      name: localized('Berlin', 'Paris'),
      date_from: moment,
      meta_data: oneOf({}, {}, {}, { nothing: 'x' }),
      item_price_overrides: oneOf([]),
      variation_price_overrides: oneOf([]),
    },
    optional: {
      active: yesOrNo,
      is_public: yesOrNo,
      date_to: oneOf(null, '2031-06-01T10:00:00Z'),
      date_admission: orNull(moment),
      presale_start: orNull(moment),
      presale_end: oneOf(null, '2031-06-01T10:00:00Z'),
      frontpage_text: orNull(localized('Welcome')),
      location: orNull(localized('Hall')),
      geo_lat: orNull(oneOf(52.5, -13.25)),
      geo_lon: orNull(oneOf(13.4)),
    },
    queries: [
      ...[...pages, 'active=true', 'active=false', 'is_future=true', 'is_past=true', 'is_future=false'],
      ...['ends_after=2030-06-01T00:00:00Z', 'ordering=date_from', 'ordering=-date_from,id', 'ordering=id'],
      ...['search=berlin', 'date_from_after=2030-06-01T00:00:00Z', 'date_from_before=2030-06-01T00:00:00Z'],
      ...['is_public=true', 'is_past=false', 'ends_after=x'],
    ],
  },
]
