import type { Difference } from './compare.ts'
import type { Asked } from './exchange.ts'

/** Why an answer differs from the reference's. */
export type Reason = 'contract' | 'reference' | 'newer' | 'deliberate'

/** A difference that stays, as a row of `docs/compatibility.md`. */
export interface Explained {
  readonly id: string
  /** Matches `METHOD path`, the path below the organizer with its parameters in braces. */
  readonly operations: RegExp
  /** Matches the place in the answer; empty for its status. */
  readonly at: RegExp
  readonly kinds: readonly Difference['kind'][]
  /** Narrows to certain values, to certain requests, or to what was asked before. */
  readonly when?: (difference: Difference, asked: Asked, earlier: readonly Asked[]) => boolean
  readonly reason: Reason
  /** What differs and why it stays. */
  readonly text: string
}

/** Fields that came after the release that the contract describes. */
const newer = (id: string, operations: RegExp, fields: string): Explained => ({
  id,
  operations,
  at: new RegExp(`(^|\\.)(${fields.split(' ').join('|')})$`),
  kinds: ['only theirs'],
  reason: 'newer',
  text: `Fields of later releases: ${fields
    .split(' ')
    .map((field) => `\`${field}\``)
    .join(', ')}.`,
})

const validity =
  'validity_mode validity_fixed_from validity_fixed_until validity_dynamic_duration_minutes validity_dynamic_duration_hours validity_dynamic_duration_days validity_dynamic_duration_months validity_dynamic_start_choice validity_dynamic_start_choice_day_limit'

/** What a refusal says, with its status or without; empty for an answer that is none. */
const refusalIn = (answer: unknown): string =>
  Array.isArray(answer) && typeof answer[0] === 'number' && answer[0] < 400 ? '' : JSON.stringify(answer)

const day = 86_400_000

/** The same time of the Monday after a weekend; not a number where it is none. */
function mondayAfter(instant: string): number {
  const weekday = new Date(instant).getUTCDay()
  return weekday === 6 || weekday === 0 ? Date.parse(instant) + (weekday === 6 ? 2 : 1) * day : Number.NaN
}

/** What was sent in a field; undefined where nothing was. */
const fieldIn = (body: unknown, field: string): unknown =>
  typeof body === 'object' && body !== null && field in body
    ? (body as Readonly<Record<string, unknown>>)[field]
    : undefined

/** A text without its spaces; of anything else, an empty one. */
const withoutSpaces = (value: unknown): string => (typeof value === 'string' ? value.replaceAll(' ', '') : '')

/** Whether a medium was made with this identifier. */
const isMedium = (identifier: unknown, earlier: readonly Asked[]): boolean =>
  earlier.some(
    ({ method, path, body }) =>
      method === 'POST' && path.includes('reusablemedia/') && fieldIn(body, 'identifier') === identifier,
  )

/** Whether both are the same as JSON. */
const isLike = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Whether none of some numbers is smaller than the one before. */
const isAscending = (numbers: readonly unknown[]): boolean =>
  numbers.every((one, index) => index === 0 || Number(numbers[index - 1]) <= Number(one))

const statusesOf = ({ ours, theirs }: Difference): readonly [unknown, unknown] => [
  (ours as unknown[])[0],
  (theirs as unknown[])[0],
]

const lengthOf = (list: unknown): number => (list as readonly unknown[]).length

const outputsIn = (downloads: unknown): string =>
  (downloads as readonly { readonly output: string }[]).map(({ output }) => output).join()

/** The fields of a position by which lists are sorted, as far as its row shows them. */
const sortedBy: Readonly<Record<string, string>> = {
  attendee_name: 'attendee_name',
  positionid: 'positionid',
  order__code: 'order',
  code: 'code',
  status: 'status',
  email: 'email',
  position: 'position',
  name: 'name',
  date_from: 'date_from',
  size: 'size',
}

/** By what lists are sorted where nothing is asked. */
const usualOrders: Readonly<Record<string, string>> = {
  search: 'attendee_name,positionid',
  subevents: 'date_from',
}

/** Names that may come from the address for invoices, by which nothing is sorted: like no name at all. */
const unsorted: readonly unknown[] = [null, 'Ann Lee', 'Zoe Kay']

/** Whether a server has made up a code, each its own. */
const isMadeUp = (code: unknown): boolean => !/^(VOUCHER|BATCH)\d/.test(String(code))

/** Whether rows, in both orders, have the same values one after the other in all that the list is sorted by. */
function areTies({ rows }: Difference, { path }: Asked): boolean {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const usual = usualOrders[pathname.split('/').at(-2) ?? ''] ?? ''
  const ordering = (searchParams.get('ordering') ?? usual).split(',')
  const fields = ordering.flatMap((field) => sortedBy[field.replace('-', '')] ?? [])
  const key = (row: unknown, name: string): unknown => {
    const value = fieldIn(row, name)
    return name === 'attendee_name' && unsorted.includes(value) ? null : value
  }
  const keys = (side: readonly unknown[] = []) =>
    side
      .filter((row) => !fields.includes('code') || !isMadeUp(fieldIn(row, 'code')))
      .map((row) => fields.map((name) => key(row, name)))
  return isLike(keys(rows?.ours), keys(rows?.theirs))
}

/** Rows without those whose name has letters beyond ASCII. */
const inPlainLetters = (side: readonly unknown[] = []): readonly unknown[] =>
  side.filter((row) => /^[ -~]*$/.test(String(fieldIn(row, 'attendee_name') ?? '')))

/** A path without the numbers of files in it. */
const withoutFiles = (address: unknown): string =>
  new URL(String(address)).pathname.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, '')

const isSimulated = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'simulate' in body && body.simulate === true

/** Settings that the reference has and we have not. */
const settingsOfTheShop = new RegExp(
  `^(${[
    String.raw`accessibility_\w+ banner_\w+ cancel_\w+ change_\w+ checkout_\w+ cookie_consent\w* customer_accounts\w*`,
    String.raw`event_(calendar|info|list|team)_\w+ frontpage_\w+ giftcard_\w+ organizer_\w+ reusable_media_\w+`,
    String.raw`theme_\w+ waiting_list_(auto_disable|names|phones)\w* payment_(explanation|pending|giftcard|term_(mode|weekdays|minutes|last|expire|accept))\w*`,
    String.raw`order_(email|phone)_\w+ show_(dates|date_to|times|items|variations)\w* allow_modifications`,
    'allow_modifications_after_checkin attendee_data_explanation_text confirm_texts contact_mail',
    'contact_url display_net_prices hide_prices_from_attendees hide_sold_out imprint_url invoice_address_beneficiary',
    'invoice_address_company_required invoice_address_custom_field_helptext invoice_address_explanation_text',
    'invoice_address_not_asked_free invoice_address_vatid_required_countries invoice_logo_image',
    'invoice_name_required invoice_renderer_highlight_order_code logo_image',
    'logo_image_large logo_show_title mail_attach_ical mail_days_order_expire_warning mail_prefix',
    'meta_noindex og_image presale_has_ended_text presale_start_show_date primary_color primary_font',
    'privacy_url redirect_to_checkout_directly system_question_order tax_rounding',
    'tax_rule_cancellation tax_rule_payment ticket_download_require_validated_email ticket_secret_length',
    'voucher_explanation_text',
  ]
    .join(' ')
    .split(' ')
    .join('|')})$`,
)

const reportsThere =
  'invoices invoicedata mailaddrs pdfreport transactions itemdata eventdata ordertaxeslist ordertaxes checkinlistcodes dekodi_nrei customerlist giftcardtransactionlist reusablemedia pdfoutput_all_tickets'.split(
    ' ',
  )
const reportsHere =
  'answerlist attendeelist badges conflictlist dsfinvk receiptjournal receiptlist voucherlist checkinlog'.split(
    ' ',
  )
const ownReports = new Set([...reportsThere, ...reportsHere])

const parametersThere =
  'all_events date_range event_date_range end_date_range start_date_range items successful_only status no_testmode split_subevents'.split(
    ' ',
  )
const parametersHere = '_format events date_from date_to event_date_from event_date_to paid_only'.split(' ')
const ownParameters = new Set([...parametersThere, ...parametersHere])

/** What else can be printed there. */
const laterWords =
  'itemvar_description price_with_bundled price_with_addons attendee_address telephone invoice_custom_field checked_in_addons organizer_info_text event_info_text now_date now_datetime now_time program_times medium_identifier first_scan giftcard_issuance_date giftcard_expiry_date attendee_name_for_salutation attendee_name_given_name_family_name invoice_name_for_salutation invoice_name_given_name invoice_name_family_name'.split(
    ' ',
  )

const inWords = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

/** Whether each name in one of two lists that is not in the other is among some. */
function differByNames(ours: unknown, theirs: unknown, field: string, among: ReadonlySet<string>): boolean {
  const [own = [], other = []] = [ours, theirs].map((list) =>
    (list as readonly unknown[]).map((one) => String(fieldIn(one, field))),
  )
  return [...own, ...other].every((name) => (own.includes(name) && other.includes(name)) || among.has(name))
}

/** Every difference that is explained. */
export const explained: readonly Explained[] = [
  newer(
    'category-fields',
    /categories/,
    'cross_selling_mode cross_selling_condition cross_selling_match_products',
  ),
  newer(
    'item-fields',
    /items|checkinlists|checkinrpc|positions/,
    `free_price_suggestion personalized available_from_mode available_until_mode program_times hidden_if_item_available hidden_if_item_available_mode ${validity} media_policy media_type meta_data`,
  ),
  newer('tax-rule-fields', /taxrules/, 'code default custom_rules'),
  newer('event-fields', /events\/(\{event\}\/)?$/, 'public_url'),
  newer('quota-fields', /quotas/, 'ignore_for_event_availability'),
  newer(
    'discount-fields',
    /discounts/,
    'subevent_date_from subevent_date_until benefit_same_products benefit_limit_products benefit_apply_to_addons benefit_ignore_voucher_discounted',
  ),
  newer('gift-card-fields', /giftcards|reusablemedia/, 'issuance owner_ticket issuer customer info acceptor'),
  newer('customer-fields', /customers|reusablemedia/, 'external_identifier phone notes send_email password'),
  newer(
    'team-fields',
    /teams/,
    'require_2fa all_event_permissions limit_event_permissions all_organizer_permissions limit_organizer_permissions can_manage_reusable_media',
  ),
  newer('date-fields', /subevents/, 'comment'),
  newer('webhook-fields', /webhooks/, 'comment'),
  newer(
    'question-fields',
    /questions|redeem|search|positions/,
    'valid_string_length_min valid_string_length_max',
  ),
  newer('voucher-fields', /vouchers|waitinglist/, 'created budget_used'),
  newer('checkin-list-fields', /checkinlists|checkinrpc/, 'ignore_in_statistics consider_tickets_used'),
  newer(
    'order-fields',
    /order|redeem|positions|search|reusablemedia/,
    'tax_code voucher_budget_use plugin_data tax_rounding_mode api_meta',
  ),
  {
    id: 'all-sales-channels',
    operations: /./,
    at: /all_sales_channels$/,
    kinds: ['value'],
    when: ({ at, ours, theirs }, { body }) =>
      ours === false &&
      theirs === true &&
      (at !== 'all_sales_channels' || fieldIn(body, 'all_sales_channels') !== true),
    reason: 'deliberate',
    text: 'What says nothing of sales channels is sold on the web only.',
  },
  {
    id: 'some-sales-channels',
    operations: /./,
    at: /(^|\.|limit_)sales_channels$/,
    kinds: ['length'],
    when: ({ ours, theirs }) => isLike(ours, ['web']) && isLike(theirs, []),
    reason: 'deliberate',
    text: 'What is sold on the web only says so in `limit_sales_channels`, and says it still when it is no longer sold through all; there the list is empty.',
  },
  {
    id: 'limits-alone',
    operations: /./,
    at: /(^|\.)sales_channels$/,
    kinds: ['length'],
    when: ({ ours, theirs }, asked, earlier) =>
      isLike(ours, []) &&
      isLike(theirs, ['web']) &&
      [...earlier, asked].some(
        ({ body }) =>
          isLike(fieldIn(body, 'limit_sales_channels'), []) && fieldIn(body, 'all_sales_channels') !== true,
      ),
    reason: 'deliberate',
    text: '`limit_sales_channels` alone limits as well, also to no channel at all.',
  },
  {
    id: 'box-office-of-all-channels',
    operations: /./,
    at: /(^|\.)sales_channels$/,
    kinds: ['length'],
    when: ({ ours, theirs }) => {
      const others = (ours as readonly unknown[]).filter((channel) => channel !== 'boxoffice')
      return isLike([...others].sort(), [...(theirs as readonly unknown[])].sort())
    },
    reason: 'deliberate',
    text: 'The box office is one of all sales channels.',
  },
  {
    id: 'contradictory-channels',
    operations: /^(POST|PUT|PATCH)/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => /sales_channels names (only some|other)/.test(refusalIn(ours)),
    reason: 'deliberate',
    text: 'The web is not all sales channels, so `sales_channels` that names it contradicts `all_sales_channels`.',
  },
  {
    id: 'channels-by-field',
    operations: /^(POST|PUT|PATCH)/,
    at: /^$/,
    kinds: ['refused fields'],
    when: ({ ours, theirs }, { body }) =>
      fieldIn(body, 'sales_channels') !== undefined &&
      refusalIn(ours).includes('"sales_channels":["There is no sales channel') &&
      refusalIn(theirs).includes('"limit_sales_channels":'),
    reason: 'deliberate',
    text: 'A channel that does not exist is named by the field that it was sent in.',
  },
  {
    id: 'percentages-of-discounts',
    operations: /^(POST|PUT|PATCH) .*discounts/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) =>
      refusalIn(ours).includes('"benefit_discount_matching_percent":["A percentage between'),
    reason: 'deliberate',
    text: 'A discount takes no more off than everything.',
  },
  {
    id: 'auto-checkin-channels',
    operations: /checkinlists|redeem/,
    at: /auto_checkin_sales_channels$/,
    kinds: ['only ours'],
    reason: 'contract',
    text: 'Check-in lists name the sales channels whose tickets are checked in at once; later releases have rules of their own for it.',
  },
  {
    id: 'capacity-of-lists',
    operations: /checkinlists/,
    at: /(^|\.)capacity$/,
    kinds: ['only ours'],
    reason: 'deliberate',
    text: 'A check-in list says how many guests may be inside at once, so that all its entrances warn.',
  },
  {
    id: 'ticket-outputs',
    operations: /./,
    at: /downloads$/,
    kinds: ['length'],
    when: ({ ours, theirs }) => outputsIn(ours) === 'pdf,roll' && ['', 'pdf'].includes(outputsIn(theirs)),
    reason: 'deliberate',
    text: 'Tickets can be downloaded as `pdf` and `roll` without a plugin that has to be switched on for the event.',
  },
  {
    id: 'payment-address',
    operations: /order/,
    at: /payment_url$/,
    kinds: ['type'],
    when: ({ ours }) => ours === null,
    reason: 'deliberate',
    text: 'There is no web shop in which an open payment could go on: its address is null.',
  },
  {
    id: 'expires-on-weekdays',
    operations: /order/,
    at: /(^|\.)expires$/,
    kinds: ['value'],
    when: ({ ours, theirs }) => mondayAfter(String(ours)) === Date.parse(String(theirs)),
    reason: 'deliberate',
    text: 'The reference puts the end of the time to pay off to Monday when it is on a weekend.',
  },
  {
    id: 'position-fields-at-door',
    operations: /checkinrpc|checkinlists/,
    at: /(canceled|discount)$/,
    kinds: ['only ours'],
    reason: 'contract',
    text: 'Positions at the door are whole order positions, with `canceled` and `discount`.',
  },
  {
    id: 'waiting-list-closed',
    operations: /^POST .*waitinglistentries\/$/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours, theirs }) => (ours as unknown[])[0] === 403 && (theirs as unknown[])[0] === 400,
    reason: 'contract',
    text: 'An entry that cannot be created at this time is answered with 403.',
  },
  newer('invoice-address-fields', /order/, 'transmission_type transmission_info'),
  {
    id: 'categories-without-description',
    operations: /categories/,
    at: /description$/,
    kinds: ['type'],
    when: ({ ours }) => ours === null,
    reason: 'contract',
    text: 'A category without a description has null as its description, which may be sent as well.',
  },
  {
    id: 'number-bounds',
    operations: /questions|redeem/,
    at: /valid_number_(min|max)$/,
    kinds: ['value'],
    when: ({ ours, theirs }) => Number(ours) === Number(theirs),
    reason: 'deliberate',
    text: 'Bounds of numbers come back with the digits that were sent, not with six decimals.',
  },
  {
    id: 'reverse-charge-country',
    operations: /taxrules/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('home_country'),
    reason: 'contract',
    text: 'Reverse charge needs the country of the merchant.',
  },
  {
    id: 'options-of-choices',
    operations: /^POST .*(questions|options)\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => /"options"|Only choice questions have options/.test(refusalIn(ours)),
    reason: 'contract',
    text: 'Options exist for choices only: those of another question are refused instead of stored.',
  },
  {
    id: 'empty-names',
    operations: /^(POST|PUT|PATCH)/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('may not be blank'),
    reason: 'deliberate',
    text: 'A name that is empty in every language is refused.',
  },
  {
    id: 'own-category-addon',
    operations: /addons/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('"addon_category"'),
    reason: 'deliberate',
    text: 'An item is no add-on of items of its own category, which nobody could ever leave out.',
  },
  {
    id: 'filters-by-nothing',
    operations: /^GET/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours, theirs }) =>
      Number((ours as unknown[])[0]) !== 500 && JSON.stringify(theirs).includes('available choices'),
    reason: 'deliberate',
    text: 'A list that is filtered by something that does not exist is empty, not refused: it may have been deleted a moment ago.',
  },
  {
    id: 'old-secrets-are-revoked',
    operations: /redeem/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('"invalid"'),
    reason: 'deliberate',
    text: 'Secrets that were replaced are known as revoked, also the random ones, so that the door can say so.',
  },
  {
    id: 'list-of-revoked-secrets',
    operations: /revokedsecrets/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ at, ours, theirs }) =>
      at === 'count' ? Number(ours) > Number(theirs) : lengthOf(ours) > lengthOf(theirs),
    reason: 'deliberate',
    text: 'Random secrets that were replaced are listed as well.',
  },
  {
    id: 'checkins-in-answers',
    operations: /redeem/,
    at: /position\.checkins$/,
    kinds: ['length'],
    when: ({ ours, theirs }) =>
      (ours as readonly unknown[]).length === (theirs as readonly unknown[]).length + 1,
    reason: 'reference',
    text: 'The position in the answer to a scan already has the check-in that the scan has made; the reference shows it as it was before.',
  },
  {
    id: 'payment-providers',
    operations: /payments|refunds/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('"provider"'),
    reason: 'contract',
    text: 'Payments and refunds are made by providers that exist.',
  },
  {
    id: 'payment-dates',
    operations: /order/,
    at: /payment_date$/,
    kinds: ['value'],
    when: (_, asked, earlier) =>
      [...earlier, asked].some(({ body }) => JSON.stringify(body)?.includes('"payment_date":')),
    reason: 'reference',
    text: 'A payment that is created as confirmed has the date it was sent with, not the time of the request.',
  },
  {
    id: 'reading-closes-no-quota',
    operations: /^GET .*quotas/,
    at: /closed$/,
    kinds: ['value'],
    when: ({ ours }) => ours === false,
    reason: 'reference',
    text: 'Reading the availability of a quota without any size does not close it.',
  },
  {
    id: 'bundles-of-something',
    operations: /bundles/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('"count"'),
    reason: 'deliberate',
    text: 'A bundle holds at least one of its item.',
  },
  {
    id: 'gates-of-devices',
    operations: /devices/,
    at: /gate$/,
    kinds: ['only ours'],
    reason: 'deliberate',
    text: 'The gate of a device can be read and set.',
  },
  newer('organizer-fields', /^GET (organizers\/)?$|organizers\/(\{organizer\}\/)?$/, 'public_url plugins'),
  {
    id: 'order-of-ties',
    operations:
      /^GET .*(options|questions|items|categories|discounts|quotas|vouchers|positions|orders|transactions|search|subevents)\/$/,
    at: /^results$/,
    kinds: ['order', 'other rows'],
    when: areTies,
    reason: 'deliberate',
    text: 'Rows that are alike in what a list is sorted by are listed in the order in which they were made, not the other way round; codes that a server makes up are its own.',
  },
  {
    id: 'searched-codes',
    operations: /^GET (events\/\{event\}\/)?orders\/$/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ ours, theirs }, { path, theirs: answer }, earlier) => {
      const text = new URL(path, 'http://reference').searchParams.get('search')?.toUpperCase()
      const [fewer, more] = [ours, theirs].map((one) => (Array.isArray(one) ? one.length : Number(one)))
      const found = fieldIn(answer?.body, 'results')
      if (!text || Number(fewer) >= Number(more) || !Array.isArray(found)) return false
      const codes = found.map((row) => String(fieldIn(row, 'code')))
      return codes.some(
        (code) => code.startsWith(text) && !earlier.some(({ body }) => fieldIn(body, 'code') === code),
      )
    },
    reason: 'deliberate',
    text: 'A search that happens to be the beginning of a code that one server has made up finds that order there only.',
  },
  {
    id: 'searched-digits',
    operations: /^GET (events\/\{event\}\/)?orders\/$/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ ours, theirs }, { path }) => {
      const [more, fewer] = [ours, theirs].map((one) => (Array.isArray(one) ? one.length : Number(one)))
      return /[?&]search=[^&]*[2456]/.test(path) && Number(more) > Number(fewer)
    },
    reason: 'deliberate',
    text: 'Digits that look like letters are searched for in the codes of orders as letters and as digits, so that codes with such digits, which programs may choose, are found.',
  },
  {
    id: 'order-of-letters',
    operations: /^GET .*(positions|search)\/$/,
    at: /^results$/,
    kinds: ['order', 'other rows'],
    when: (difference, asked) => {
      const { ours, theirs } = difference.rows ?? {}
      const plain = { ours: inPlainLetters(ours), theirs: inPlainLetters(theirs) }
      return /attendee_name|search/.test(asked.path) && areTies({ ...difference, rows: plain }, asked)
    },
    reason: 'reference',
    text: 'Names are sorted as people look for them: Ç stands with C. So does the reference on PostgreSQL; it is compared on SQLite, which lists such letters last.',
  },
  {
    id: 'scans-of-other-years',
    operations: /^POST .*redeem\/$/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { body, path }, earlier) =>
      isLike(statusesOf(difference), [201, 400]) &&
      JSON.stringify(difference.theirs).includes('already_redeemed') &&
      earlier.some(
        (one) =>
          String(fieldIn(one.body, 'datetime')).startsWith('2030') &&
          JSON.stringify(one).includes(String(fieldIn(body, 'secret') ?? path.split('/').at(-3))),
      ),
    reason: 'deliberate',
    text: 'A scan whose time is years away from when it was reported has a broken clock: whether somebody has left since is judged by when it was reported.',
  },
  {
    id: 'names-of-memberships',
    operations: /^(POST|PUT|PATCH) .*memberships\//,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => /"attendee_name_parts":\["This field may not be null/.test(refusalIn(ours)),
    reason: 'contract',
    text: 'The parts of a name on a membership are an object, which may be empty and is never null.',
  },
  {
    id: 'empty-regions',
    operations: /^PATCH .*settings\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }, { body }) => fieldIn(body, 'region') === '' && refusalIn(ours).includes('"region":'),
    reason: 'deliberate',
    text: 'A region is a country or null; an empty text is neither.',
  },
  {
    id: 'checkins-by-media',
    operations: /^POST .*checkinrpc\/redeem\//,
    at: /^position\.checkins$/,
    kinds: ['length'],
    when: ({ ours, theirs }, { body }, earlier) =>
      lengthOf(ours) < lengthOf(theirs) &&
      (fieldIn(body, 'source_type') === 'nfc_uid' || isMedium(fieldIn(body, 'secret'), earlier)),
    reason: 'reference',
    text: 'A ticket that is found by its medium is shown with its check-ins of the lists that were asked, as every other one, and not with those of all lists.',
  },
  {
    id: 'usually-asked-addresses',
    operations: /^PATCH .*settings\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }, { body }) =>
      fieldIn(body, 'invoice_address_asked') === null &&
      JSON.stringify(theirs).includes('"invoice_address_required":'),
    reason: 'reference',
    text: 'Null has an event ask for invoice addresses as usual, so they can be required with it; there that is refused, as if they were not asked for.',
  },
  {
    id: 'usual-expiry-on-invoices',
    operations: /^(GET|PATCH) .*settings\/$/,
    at: /^invoice_include_expire_date(\.value)?$/,
    kinds: ['value'],
    when: ({ ours, theirs }, asked, earlier) =>
      ours === true &&
      theirs === false &&
      [asked, ...earlier].some(({ body }) => fieldIn(body, 'invoice_include_expire_date') === null),
    reason: 'reference',
    text: 'Where nothing is set, invoices say until when to pay; there that is so for new events, and not any more once it was set and taken back.',
  },
  {
    id: 'nobody-on-the-waiting-list',
    operations: /waitinglistentries/,
    at: /name_parts$/,
    kinds: ['type'],
    when: ({ ours, theirs }) => ours === null && isLike(theirs, {}),
    reason: 'contract',
    text: 'Whoever waits without a name has no parts of it: null, not an empty object.',
  },
  {
    id: 'limits-that-are-stored',
    operations: /^PATCH .*items\/\{\w+\}\/$/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours }, { body }) =>
      refusalIn(ours).includes('not be smaller than the minimum number per order') &&
      (fieldIn(body, 'min_per_order') ?? fieldIn(body, 'max_per_order')) !== undefined &&
      (fieldIn(body, 'min_per_order') === undefined || fieldIn(body, 'max_per_order') === undefined),
    reason: 'reference',
    text: 'The least and the most of a product in an order are held against each other also where only one of them is changed.',
  },
  {
    id: 'formats-of-the-accounts',
    operations: /exporters\/\{exporter\}\/run/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours }, { path }) =>
      path.includes('/accountingreport/') && refusalIn(ours).includes('"_format":'),
    reason: 'deliberate',
    text: 'The report of the accounts is a table in one of several formats, which has to be named.',
  },
  {
    id: 'blocked-twice',
    operations: /^GET .*blockedsecrets\/$/,
    at: /^results$/,
    kinds: ['order'],
    when: (_, __, earlier) => earlier.filter(({ path }) => path.includes('/add_block/')).length > 1,
    reason: 'deliberate',
    text: 'A ticket that is blocked already and is blocked for another reason, too, is listed where it was: nothing has changed for those who read the list.',
  },
  {
    id: 'order-of-small-lists',
    operations:
      /^GET .*(taxrules|item_meta_properties|event_meta_properties|saleschannels|teams|webhooks|memberships|membershiptypes|customers|giftcards)\/$/,
    at: /^results$/,
    kinds: ['order'],
    when: ({ rows }, { path }) => {
      const ids = (rows?.ours ?? []).map((row) => fieldIn(row, 'id') ?? 0)
      return isAscending(path.includes('ordering=-id') ? ids.toReversed() : ids)
    },
    reason: 'contract',
    text: 'Lists for which no order is promised are listed in the order in which their rows were made, with `ordering=-id` the other way round.',
  },
  {
    id: 'yes-or-no-filters',
    operations: /^GET/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours }) => refusalIn(ours).includes('Must be true or false'),
    reason: 'deliberate',
    text: 'A filter that is neither true nor false is refused instead of ignored, so that nobody takes everything for what was asked for.',
  },
  {
    id: 'times-in-order',
    operations: /^(POST|PUT|PATCH)/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => /cannot (end|become unavailable) before/.test(refusalIn(ours)),
    reason: 'deliberate',
    text: 'What ends before it starts is refused for every resource.',
  },
  {
    id: 'texts-in-bulk',
    operations: /bulk_create/,
    at: /errors(\.|$)/,
    kinds: ['value', 'only ours', 'only theirs'],
    reason: 'deliberate',
    text: 'The texts of errors are our own, also inside of an answer with 200, where not every fault is named at once.',
  },
  {
    id: 'no-time-of-scan',
    operations: /positions\/\{position\}\/redeem/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('Datetime has wrong format'),
    reason: 'contract',
    text: 'The time of a scan may be null, also where it is asked for with a position, and a wrong one is named by its field.',
  },
  {
    id: 'taxes-of-fees',
    operations: /order/,
    at: /fees\[\]\.(tax_rate|tax_value|tax_rule)$/,
    kinds: ['value', 'type'],
    when: ({ ours, theirs }) => (ours === null || ours === '0.00') && theirs !== null,
    reason: 'newer',
    text: 'Fees without a tax rule are not taxed by the default rule of the event.',
  },
  {
    id: 'types-of-values',
    operations: /^(POST|PUT|PATCH)/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) =>
      /A valid (amount|number|integer)|valid boolean|Expected an? |Not a valid string/.test(refusalIn(ours)),
    reason: 'deliberate',
    text: 'Values of another type are refused, not converted: an empty text is no amount, an object no list, `true` no number.',
  },
  {
    id: 'fields-with-defaults',
    operations: /^(POST|PUT)/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) =>
      /"(meta_data|identifier|secret|limit_events|choices|allowed_values|items|min_count|max_count|item_price_overrides|variation_price_overrides)":\["This field is required/.test(
        JSON.stringify(theirs),
      ),
    reason: 'contract',
    text: 'Fields for which the contract names a default, or which are made up, need not be sent.',
  },
  {
    id: 'built-in-sales-channels',
    operations: /saleschannels/,
    at: /^(count|results)$|label\./,
    kinds: ['only theirs', 'value', 'length'],
    reason: 'deliberate',
    text: 'The box office is a sales channel of every organizer, and built-in channels are labelled in English and German.',
  },
  {
    id: 'events-of-devices',
    operations: /devices|teams|webhooks/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('Choose events in limit_events'),
    reason: 'contract',
    text: 'Whoever may see all events is not limited to some.',
  },
  {
    id: 'waiting-counts',
    operations: /availability/,
    at: /^waiting_list$/,
    kinds: ['value'],
    reason: 'reference',
    text: '`waiting_list` counts those who wait; the reference shows the pending orders there.',
  },
  {
    id: 'parts-of-expanded-items',
    operations: /checkinrpc|checkinlists/,
    at: /item\.(tax_rate|has_variations|variations|addons|bundles)$/,
    kinds: ['only theirs'],
    reason: 'deliberate',
    text: 'Items that are shown inside of positions come without their variations, add-ons and bundles.',
  },
  {
    id: 'simulated-as-sold',
    operations: /^POST .*orders\/$/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('"PREVIEW"'),
    reason: 'reference',
    text: 'An order that is only simulated is refused for what would refuse it otherwise.',
  },
  {
    id: 'payments-before-approval',
    operations: /payments.*confirm/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('not yet approved'),
    reason: 'deliberate',
    text: 'A payment that has arrived is confirmed also while its order waits for approval; the order stays as it is.',
  },
  {
    id: 'simulated-identity',
    operations: /^POST .*orders\/$/,
    at: /^(secret|status|datetime|url|payments|payment_date|payment_provider|downloads)$|positions\[\]\.(order|secret|downloads)$/,
    kinds: ['value', 'type', 'length'],
    when: ({ at, ours, theirs }, { body }) =>
      isSimulated(body) &&
      ((at === 'status' && ours === 'p') ||
        theirs === '' ||
        theirs === null ||
        String(ours).includes('PREVIEW') ||
        JSON.stringify(theirs).includes('/download/pdf/') ||
        JSON.stringify(theirs) === '[]'),
    reason: 'deliberate',
    text: 'A simulated order has the time of the request, and the status and the payment that it would have; its positions are of the order `PREVIEW`, and there is nothing to download.',
  },
  {
    id: 'without-category',
    operations: /checkinlists\/\{(list|id)\}\/status/,
    at: /^items$/,
    kinds: ['order'],
    reason: 'reference',
    text: 'Items without a category come last in the status of a list, as in the reference on PostgreSQL; it is compared on SQLite, which lists them first.',
  },
  newer('failed-scan-fields', /failed_checkins/, 'raw_source_type'),
  {
    id: 'webhook-secrets',
    operations: /webhooks/,
    at: /secret$/,
    kinds: ['only ours'],
    reason: 'deliberate',
    text: 'Webhooks are signed with a secret of their own, which is shown once.',
  },
  {
    id: 'webhooks-of-all-events',
    operations: /webhooks/,
    at: /all_events$/,
    kinds: ['value'],
    when: ({ ours, theirs }) => ours === false && theirs === true,
    reason: 'contract',
    text: 'A webhook that does not say so is not told of all events.',
  },
  {
    id: 'texts-of-transactions',
    operations: /giftcards.*transactions/,
    at: /text$/,
    kinds: ['type'],
    when: ({ ours, theirs }) => ours === null && theirs === '',
    reason: 'contract',
    text: 'A transaction of a gift card without a text has null as its text.',
  },
  {
    id: 'defaults-that-are-allowed',
    operations: /item_meta_properties/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('The default must be one of the values'),
    reason: 'deliberate',
    text: 'The default of a property is one of its allowed values.',
  },
  {
    id: 'fees-of-what-was-paid',
    operations: /mark_canceled/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours }) => refusalIn(ours).includes('cannot be higher than what was paid'),
    reason: 'deliberate',
    text: 'A cancellation fee is kept of what was paid; nobody is asked for money for an order that is canceled.',
  },
  {
    id: 'names-of-fees',
    operations: /change/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) =>
      /"(internal_type|description)":\["This field may not be blank/.test(JSON.stringify(theirs)),
    reason: 'reference',
    text: 'A fee may have an empty type of its own and description also where it is added to an order.',
  },
  {
    id: 'refunds-of-what-was-paid',
    operations: /refunds/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours }) => refusalIn(ours).includes('of this payment can be given back'),
    reason: 'deliberate',
    text: 'No more is given back of a payment than has arrived.',
  },
  {
    id: 'pages-before-filters',
    operations: /^GET/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours, theirs }) => refusalIn(ours).includes('Invalid page') && (theirs as unknown[])[0] === 400,
    reason: 'deliberate',
    text: 'A page that cannot be is not found, also where a filter is wrong as well.',
  },
  {
    id: 'events-of-webhooks',
    operations: /^(PATCH|PUT) webhooks/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('either limit_events or all_events'),
    reason: 'contract',
    text: 'A webhook of some events can be changed; the reference takes it for one of all events meanwhile.',
  },
  {
    id: 'values-of-vouchers',
    operations: /vouchers/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('"value":["This amount must not be negative'),
    reason: 'deliberate',
    text: 'The value of a voucher is not negative.',
  },
  {
    id: 'telephone-numbers-as-written',
    operations: /^(POST|PUT|PATCH) .*(waitinglistentries|orders)\//,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => /^(\[400,)?\{"phone":\[[^\]]*\]\}\]?$/.test(JSON.stringify(theirs)),
    reason: 'contract',
    text: 'A telephone number is a text in any shape; there it has its country and fits the rules of that.',
  },
  {
    id: 'telephone-numbers-in-answers',
    operations: /waitinglistentries|orders/,
    at: /(^|\.)phone$/,
    kinds: ['value'],
    when: ({ ours, theirs }) => withoutSpaces(ours) === withoutSpaces(theirs),
    reason: 'contract',
    text: 'A telephone number is answered as it was written; there it is answered without its spaces.',
  },
  {
    id: 'answers-before-approval',
    operations: /orders|orderpositions|checkin/,
    at: /(^|\.)answers$|pdf_data\.question_\w+$/,
    kinds: ['length', 'value'],
    when: ({ ours, theirs }, _asked, earlier) =>
      (theirs === '' || lengthOf(ours) > lengthOf(theirs)) &&
      earlier.some(
        ({ body, theirs: answer }) =>
          fieldIn(body, 'answers') && fieldIn(answer?.body, 'reason') === 'unapproved',
      ),
    reason: 'newer',
    text: 'Answers that are given with a scan are kept when it is refused because the order waits for its approval; later releases look at the approval first and keep none.',
  },
  {
    id: 'later-fields-of-customers',
    operations: /^(POST|PUT|PATCH) customers/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => /"(external_identifier|phone|notes)":\[/.test(JSON.stringify(theirs)),
    reason: 'newer',
    text: 'What is sent for fields of later releases is ignored, whatever it is.',
  },
  {
    id: 'quotas-of-nothing',
    operations: /quotas/,
    at: /closed$/,
    kinds: ['value'],
    when: ({ ours }) => ours === true,
    reason: 'deliberate',
    text: 'A quota that closes when it is sold out is closed as soon as something was written; the reference waits for a sale.',
  },
  {
    id: 'names-without-scheme',
    operations: /customers|memberships/,
    at: /name_parts\._scheme$/,
    kinds: ['value', 'only ours'],
    when: ({ ours }) => ours === 'given_family',
    reason: 'deliberate',
    text: 'Parts of the name of a customer or member that say no scheme are taken for given and family names.',
  },
  {
    id: 'required-properties',
    operations: /^(POST|PUT|PATCH) .*items/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('has to be said of every item'),
    reason: 'deliberate',
    text: 'A property that is required is said of every item, also of those that are made by programs.',
  },
  {
    id: 'descriptions-that-are-taken-away',
    operations: /categories/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('"description":["This field may not be null'),
    reason: 'contract',
    text: 'Null as the description of a category is accepted.',
  },
  {
    id: 'payments-of-refused-orders',
    operations: /order/,
    at: /(^|payments\[\]\.)state$/,
    kinds: ['value'],
    when: ({ ours, theirs }, _, earlier) =>
      ours !== 'confirmed' &&
      theirs === 'confirmed' &&
      earlier.some(({ path, theirs: answer }) => path.endsWith('/mark_paid/') && answer?.status === 400),
    reason: 'reference',
    text: 'An order that cannot be marked as paid, such as for want of a product, keeps its payments as they were; there the open payment is confirmed although the request is refused.',
  },
  {
    id: 'payments-of-nothing',
    operations: /order/,
    at: /(^|\.)payments$|^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ at, ours, theirs }, { path }, earlier) => {
      if (!at.endsWith('payments') && !path.endsWith('/payments/')) return false
      if (!Array.isArray(ours) || !Array.isArray(theirs))
        return Number(ours) < Number(theirs) && earlier.some((one) => one.method !== 'GET')
      return theirs
        .slice(ours.length)
        .every(
          (further) =>
            ['free', 'manual'].includes(String(fieldIn(further, 'provider'))) &&
            Number(fieldIn(further, 'amount')) <= 0,
        )
    },
    reason: 'deliberate',
    text: 'An order that is paid, or costs less by now, gets no further payment of nothing or of less than that.',
  },
  {
    id: 'numbers-behind-payments-of-nothing',
    operations: /payments/,
    at: /^local_id$/,
    kinds: ['value'],
    when: ({ ours, theirs }, _, earlier) =>
      Number(ours) < Number(theirs) && earlier.some(({ path }) => path.endsWith('/mark_paid/')),
    reason: 'deliberate',
    text: 'So payments that follow have lower numbers.',
  },
  {
    id: 'a-payment-of-nothing',
    operations: /^(GET|POST) .*payments\/\{\w+\}\/(cancel\/|refund\/)?$/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { method, path }, earlier) => {
      const [status, answer] = [statusesOf(difference)[0], difference.theirs as readonly unknown[]]
      if (status !== 404) return false
      if (method === 'GET') return Number(fieldIn(answer[1], 'amount')) <= 0
      const order = path.split('/payments/')[0] ?? ''
      return answer[0] === 400 && earlier.some((one) => one.path === `${order}/mark_paid/`)
    },
    reason: 'deliberate',
    text: 'Nor can that payment of nothing be read, given up or given back.',
  },
  {
    id: 'orders-that-become-free',
    operations: /order/,
    at: /(^|\.)payment_provider$/,
    kinds: ['value'],
    when: ({ ours, theirs }, asked, earlier) =>
      (theirs === 'free' && ours !== null) ||
      (ours !== null &&
        theirs === 'manual' &&
        [...earlier, asked].some(({ path }) => path.endsWith('/mark_paid/'))),
    reason: 'deliberate',
    text: 'An order that costs nothing is still paid by what it was paid by, also where it is marked as paid again.',
  },
  {
    id: 'refunds-by-hand',
    operations: /payments\/\{\w+\}\/refund/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('refund not available for this payment method'),
    reason: 'deliberate',
    text: 'What was paid by hand is given back by hand; the reference makes such refunds elsewhere only.',
  },
  {
    id: 'fees-above-the-total',
    operations: /mark_canceled/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('cannot be higher than the total amount'),
    reason: 'deliberate',
    text: 'A cancellation fee may be as high as what was paid, also where the order costs less by now.',
  },
  {
    id: 'names-of-properties',
    operations: /event_meta_properties/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('property name may only contain'),
    reason: 'deliberate',
    text: 'The name of a property of events may have spaces and hyphens.',
  },
  {
    id: 'addresses-are-removed',
    operations: /order/,
    at: /invoice_address$/,
    kinds: ['type'],
    when: ({ ours }, asked, earlier) =>
      ours === null &&
      [...earlier, asked].some(
        ({ method, body }) => method === 'PATCH' && fieldIn(body, 'invoice_address') === null,
      ),
    reason: 'contract',
    text: 'The address for invoices is removed from an order where null is sent for it; the reference keeps it.',
  },
  {
    id: 'pending-payments',
    operations: /payments\/\{\w+\}\/cancel/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('already being processed'),
    reason: 'deliberate',
    text: 'A payment that is on its way can be given up by whoever knows that it will not arrive.',
  },
  {
    id: 'empty-texts',
    operations: /./,
    at: /\.en$/,
    kinds: ['only theirs'],
    when: ({ theirs }) => theirs === '',
    reason: 'deliberate',
    text: 'A text that is empty has no language.',
  },
  {
    id: 'empty-secrets',
    operations: /^POST giftcards/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('"secret":["This field may not be blank'),
    reason: 'deliberate',
    text: 'A gift card whose secret is empty gets one, as where none is sent.',
  },
  {
    id: 'extending-paid-orders',
    operations: /extend/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours, theirs }) =>
      /The order is (paid|canceled)/.test(refusalIn(ours)) && JSON.stringify(theirs).includes('"status":"n"'),
    reason: 'reference',
    text: 'An order that is paid or canceled cannot be extended; the reference makes it pending again.',
  },
  {
    id: 'changed-gift-cards',
    operations: /^(PATCH|PUT) giftcards/,
    at: /^value$/,
    kinds: ['value'],
    when: ({ ours }, { body }) => Number(ours) === Number(fieldIn(body, 'value')),
    reason: 'reference',
    text: 'The answer to a change of the value of a gift card has the new value; the reference answers the old one and has the new one.',
  },
  {
    id: 'order-of-media',
    operations: /^GET reusablemedia\/$/,
    at: /^results$/,
    kinds: ['order'],
    when: (_, __, earlier) =>
      earlier.some(({ method, path }) => ['PATCH', 'PUT'].includes(method) && path.includes('reusablemedia')),
    reason: 'deliberate',
    text: 'A change of nothing leaves the time of a medium as it was, by which lists are sorted.',
  },
  {
    id: 'changes-by-nothing',
    operations: /^GET giftcards\/\{\w+\}\/transactions\/$/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ ours, theirs }, _, earlier) => {
      const isSaid = earlier.some(
        ({ method, path, body }) =>
          ['PATCH', 'PUT'].includes(method) && /giftcards/.test(path) && fieldIn(body, 'value') !== undefined,
      )
      if (!Array.isArray(ours) || !Array.isArray(theirs)) return isSaid && Number(ours) < Number(theirs)
      const isNothing = (row: unknown) => fieldIn(row, 'value') === '0.00' && !fieldIn(row, 'text')
      const more = theirs.filter(isNothing).length - ours.filter(isNothing).length
      return isSaid && theirs.length - ours.length === more
    },
    reason: 'deliberate',
    text: 'A gift card that is given the value that it has gets no transaction of nothing.',
  },
  {
    id: 'prices-for-scanners',
    operations: /^GET .*items\//,
    at: /(^|\.)(price|default_price|original_price|tax_rule|tax_rate)$/,
    kinds: ['value', 'type'],
    when: ({ ours }, _, earlier) =>
      (ours === null || ours === '0.00') && earlier.some(({ path }) => path.includes('/device/initialize')),
    reason: 'deliberate',
    text: 'Devices that scan are not given what products cost.',
  },
  {
    id: 'no-languages',
    operations: /^PATCH .*settings\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('At least one language is needed'),
    reason: 'deliberate',
    text: 'There is at least one language.',
  },
  {
    id: 'refunds-that-are-entered',
    operations: /order/,
    at: /(^|payments\[\]\.|results\[\]\.)state$/,
    kinds: ['value'],
    when: ({ ours, theirs }, _, earlier) =>
      ours === 'refunded' &&
      theirs === 'confirmed' &&
      earlier.some(({ path, body }) => path.endsWith('/refunds/') && fieldIn(body, 'state') === 'done'),
    reason: 'reference',
    text: 'A payment of which everything was given back is refunded, also where the refund was entered as done at once.',
  },
  {
    id: 'positions-of-discounts',
    operations: /^(POST|PUT|PATCH) .*(discounts|addons)/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }, { body }) =>
      refusalIn(theirs).includes('"position":[') && Number(fieldIn(body, 'position')) < 0,
    reason: 'deliberate',
    text: 'A discount or add-on may have a negative position, as everything that has one.',
  },
  {
    id: 'languages-of-customers',
    operations: /^(POST|PUT|PATCH) .*(customers|waitinglistentries)/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => /"locale":\["[^\]]*is not a valid choice/.test(refusalIn(theirs)),
    reason: 'deliberate',
    text: 'Customers and those who wait may have any language.',
  },
  {
    id: 'rules-by-field',
    operations: /^(POST|PUT|PATCH) .*checkinlists/,
    at: /^$/,
    kinds: ['refused fields'],
    when: ({ ours, theirs }) =>
      refusalIn(ours).includes('"rules":') &&
      refusalIn(theirs).includes('"non_field_errors":["Logic operator'),
    reason: 'deliberate',
    text: 'What is wrong with rules is named by their field.',
  },
  {
    id: 'fields-before-availability',
    operations: /^POST .*waitinglistentries\/$/,
    at: /^$/,
    kinds: ['refused fields'],
    when: ({ theirs }) => refusalIn(theirs).includes('This product is currently available'),
    reason: 'deliberate',
    text: 'Who wants to wait is told first what is wrong in a field.',
  },
  {
    id: 'fields-that-stay',
    operations: /^(PATCH|PUT) (giftcards|memberships|saleschannels|reusablemedia)/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) =>
      /"(secret|currency|customer|membership_type|testmode|identifier|type)":/.test(JSON.stringify(theirs)),
    reason: 'deliberate',
    text: 'What is sent for a field that cannot be changed is ignored, whatever it is.',
  },
  {
    id: 'orders-that-are-over',
    operations: /^(POST|PATCH|DELETE) .*(orderpositions|change)/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('pending or paid can be changed'),
    reason: 'newer',
    text: 'Positions and fees of orders that are expired or canceled can be changed.',
  },
  {
    id: 'bundles-one-level-deep',
    operations: /bundles/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours }) => refusalIn(ours).includes('must not have bundles on its own'),
    reason: 'deliberate',
    text: 'An item that is bundled with another one gets no bundles of its own, also afterwards.',
  },
  {
    id: 'questions-at-the-entrance',
    operations: /^(POST|PUT|PATCH) .*questions/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('cannot be asked during check-in'),
    reason: 'deliberate',
    text: 'Files and telephone numbers are not asked for at the entrance.',
  },
  {
    id: 'discounts-of-different-dates',
    operations: /discounts/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('"benefit_same_products"'),
    reason: 'newer',
    text: 'A discount for different dates has to say that it is for the same products.',
  },
  {
    id: 'empty-allowed-values',
    operations: /item_meta_properties/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('Invalid data type'),
    reason: 'deliberate',
    text: 'A list of allowed values may be empty.',
  },
  {
    id: 'old-secrets-in-lists',
    operations: /^GET .*checkins\/$/,
    at: /(error_reason|position)$/,
    kinds: ['value', 'type'],
    when: ({ ours, theirs }) => ours === 'revoked' || theirs === null,
    reason: 'deliberate',
    text: 'A scan of a secret that was replaced is listed as revoked, with its position.',
  },
  {
    id: 'used-before-asked',
    operations: /^GET .*checkins\/$/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ at, ours, theirs }, _, earlier) => {
      const isMore = at === 'count' ? Number(ours) > Number(theirs) : lengthOf(ours) > lengthOf(theirs)
      const scans = earlier.filter(({ method, path }) => method === 'POST' && path.includes('redeem'))
      return isMore && scans.length > 1
    },
    reason: 'deliberate',
    text: 'A ticket that was used is refused before questions are asked, and the refusal is listed; the reference asks first and lists nothing.',
  },
  {
    id: 'product-before-approval',
    operations: /^GET .*checkins\/$/,
    at: /error_reason$/,
    kinds: ['value'],
    when: ({ ours, theirs }) => ours === 'product' && theirs === 'unapproved',
    reason: 'contract',
    text: 'A ticket that is not on the list is refused for that, also where its order waits for approval.',
  },
  {
    id: 'repeated-scans-that-fail',
    operations: /^GET .*checkins\/$/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ at, ours, theirs }, _, earlier) => {
      const nonces = earlier
        .filter(({ method, path }) => method === 'POST' && path.includes('redeem'))
        .flatMap(({ body }) => fieldIn(body, 'nonce') ?? [])
      const isLess = at === 'count' ? Number(ours) < Number(theirs) : lengthOf(ours) < lengthOf(theirs)
      return isLess && new Set(nonces).size < nonces.length
    },
    reason: 'deliberate',
    text: 'A scan that fails is noted once for each nonce, however often it is sent.',
  },
  {
    id: 'repeated-scans',
    operations: /redeem/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { body }, earlier) =>
      isLike(statusesOf(difference), [201, 400]) &&
      earlier.some(
        ({ path, body: before }) =>
          path.includes('redeem') &&
          fieldIn(before, 'nonce') === fieldIn(body, 'nonce') &&
          fieldIn(before, 'nonce') !== undefined,
      ),
    reason: 'deliberate',
    text: 'A scan whose nonce is known is answered as it was at first, also where it would be refused by now.',
  },
  {
    id: 'companies-are-found',
    operations: /^GET .*orders\/$/,
    at: /^(count|results|next)$/,
    kinds: ['value', 'type', 'length'],
    when: (_, { path }) => path.includes('search=acme'),
    reason: 'deliberate',
    text: 'Orders are found by the companies of their positions, too.',
  },
  newer(
    'seats-of-positions',
    /order|redeem|search|positions/,
    'zone_name row_name row_label seat_label seat_number',
  ),
  newer('tickets-on-seats', /seats/, 'tax_code voucher_budget_use plugin_data'),
  {
    id: 'what-is-on-seats',
    operations: /seats/,
    at: /(^|\.)(orderposition|cartposition|voucher|orderposition\.seat)$/,
    kinds: ['only ours'],
    reason: 'contract',
    text: 'What is on a seat is named for one that is free as well, and a position there has its seat.',
  },
  {
    id: 'seats-sorted-by-id',
    operations: /^GET .*seats\/$/,
    at: /^results$/,
    kinds: ['order'],
    when: (_, { path }) => /ordering=-?id/.test(path),
    reason: 'deliberate',
    text: 'Seats can be sorted by `id`.',
  },
  {
    id: 'mapping-in-answers',
    operations: /^PATCH events\/\{event\}\/$/,
    at: /^seat_category_mapping\./,
    kinds: ['only ours', 'only theirs', 'value'],
    when: (_, { body }) => fieldIn(body, 'seat_category_mapping') !== undefined,
    reason: 'reference',
    text: 'The answer to a new mapping of seats has it; the reference shows what was there before.',
  },
  {
    id: 'seats-of-tickets',
    operations: /^PATCH .*orderpositions/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('"seat":'),
    reason: 'deliberate',
    text: 'A ticket of a product with seats keeps a seat, and what is wrong with it stands under `seat`.',
  },
  {
    id: 'payment-methods-of-rules',
    operations: /auto_checkin_rules/,
    at: /limit_payment_methods$/,
    kinds: ['type'],
    when: ({ ours, theirs }) => isLike(ours, []) && theirs === null,
    reason: 'contract',
    text: 'A rule that is not limited to ways to pay has an empty list of them.',
  },
  {
    id: 'nothing-to-select',
    operations: /eventselection/,
    at: /^$/,
    kinds: ['type'],
    reason: 'deliberate',
    text: 'Where there is no event for a device, the answer with 404 says so.',
  },
  {
    id: 'versions-of-servers',
    operations: /device\/info/,
    at: /version\.gatehouse/,
    kinds: ['only ours'],
    reason: 'deliberate',
    text: 'Stations ask by our own version what they may.',
  },
  {
    id: 'layouts-of-new-events',
    operations: /(badge|ticket)layouts/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ ours, theirs }) =>
      typeof ours === 'number'
        ? ours + 1 === theirs
        : (ours as readonly unknown[]).length + 1 === (theirs as readonly unknown[]).length &&
          JSON.stringify(theirs).includes('"default":true'),
    reason: 'deliberate',
    text: 'A new event has no layout of badges or tickets; there a plugin makes one when it is needed.',
  },
  {
    id: 'layouts-as-text',
    operations: /^(POST|PATCH) .*ticketlayouts/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { body }) =>
      isLike(statusesOf(difference).slice(1), [400]) && String(fieldIn(body, 'layout')).startsWith('[{'),
    reason: 'deliberate',
    text: 'A layout may be sent as the text of its JSON, too.',
  },
  {
    id: 'backgrounds-of-layouts',
    operations: /ticketlayouts/,
    at: /background$/,
    kinds: ['value'],
    when: ({ ours }) => /\/ticketlayouts\/\d+\//.test(String(ours)),
    reason: 'deliberate',
    text: 'The background of a layout has an address below the layout, also the blank one.',
  },
  {
    id: 'names-of-members',
    operations: /memberships/,
    at: /attendee_name_parts$/,
    kinds: ['type'],
    when: ({ ours, theirs }) => isLike(ours, {}) && theirs === null,
    reason: 'contract',
    text: 'A membership that names nobody has an empty object as the parts of the name.',
  },
  {
    id: 'no-text-of-transaction',
    operations: /transact\/$/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => JSON.stringify(theirs).includes('Not a valid string'),
    reason: 'contract',
    text: 'The text of a transaction may be null.',
  },
  {
    id: 'fees-of-other-payments',
    operations: /^(GET|POST) (events\/\{event\}\/)?orders\//,
    at: /^(results\[\]\.)?(total|fees|status|payment_date|payments.*)$/,
    kinds: ['value', 'length', 'type'],
    when: (_, __, earlier) =>
      earlier.some(({ method, path }) => method === 'POST' && path.includes('bankimportjobs')) &&
      earlier.some(({ body }) => JSON.stringify(body)?.includes('"fee_type":"payment"')),
    reason: 'deliberate',
    text: 'A fee for a payment stays with its order that is paid by a transfer instead; nobody said that it is given up.',
  },
  {
    id: 'refunds-by-transfer',
    operations: /^(GET|POST) (events\/\{event\}\/)?orders\//,
    at: /^((refunds|results)\[\]\.)?state$/,
    kinds: ['value'],
    when: ({ ours, theirs }, _, earlier) =>
      ours === 'transit' &&
      theirs === 'created' &&
      earlier.some(({ method, path }) => method === 'POST' && path.includes('bankimportjobs')),
    reason: 'deliberate',
    text: 'Money that came by transfer is sent back by somebody; there is no file for the bank with refunds to be made.',
  },
  {
    id: 'imports-under-way',
    operations: /^POST bankimportjobs\/$/,
    at: /^(state|transactions\[\]\.(state|order|message))$/,
    kinds: ['value', 'type'],
    when: ({ ours }) => ['pending', 'imported', null, ''].some((one) => one === ours),
    reason: 'deliberate',
    text: 'A bank statement is answered as `pending` and matched then: scans do not wait for it.',
  },
  {
    id: 'reports',
    operations: /^GET .*exporters\/$/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ at, ours, theirs }) => at === 'count' || differByNames(ours, theirs, 'identifier', ownReports),
    reason: 'deliberate',
    text: `Of the reports there are not ${inWords(reportsThere)}; there are ${inWords(reportsHere)} beside, of which only the last is there, of an event. The contract promises none.`,
  },
  {
    id: 'reports-that-are-missing',
    operations: /exporters\/\{exporter\}/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { path }) =>
      statusesOf(difference)[0] === 404 && path.includes('/exporters/invoicedata/'),
    reason: 'deliberate',
    text: 'There is no report `invoicedata`; what was invoiced is listed by `invoices/`.',
  },
  {
    id: 'scans-of-all-events',
    operations: /^(GET|POST) exporters\/\{exporter\}\//,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { path }) =>
      path.includes('/exporters/checkinlog/') &&
      statusesOf(difference)[1] === 404 &&
      statusesOf(difference)[0] !== 500,
    reason: 'deliberate',
    text: 'The report of scans is there for all events of an organizer, too.',
  },
  {
    id: 'names-of-reports',
    operations: /^GET .*exporters\/\{exporter\}\/$/,
    at: /^verbose_name$/,
    kinds: ['value'],
    reason: 'deliberate',
    text: 'Reports have titles of our own.',
  },
  {
    id: 'parameters-of-reports',
    operations: /^GET .*exporters\/\{exporter\}\/$/,
    at: /^input_parameters(\[\]\.\w+)?$/,
    kinds: ['length', 'value', 'only ours', 'only theirs'],
    when: ({ at, ours, theirs }, { path }) =>
      at === 'input_parameters'
        ? differByNames(ours, theirs, 'name', ownParameters)
        : /\/(orderlist|checkinlog|giftcardlist|paymentlist|waitinglist|accountingreport)\//.test(path) &&
          (!at.endsWith('name') || ownParameters.has(String(ours)) || ownParameters.has(String(theirs))),
    reason: 'deliberate',
    text: `Reports have ${inWords(parametersHere)} instead of ${inWords(parametersThere)}.`,
  },
  {
    id: 'unknown-parameters-of-reports',
    operations: /exporters\/\{exporter\}\/run/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: (difference) =>
      (difference.kind === 'refused fields' || isLike(statusesOf(difference), [202, 400])) &&
      refusalIn(difference.theirs).includes('Additional fields not allowed'),
    reason: 'deliberate',
    text: 'Parameters that a report does not know are ignored.',
  },
  {
    id: 'products-of-scan-log',
    operations: /exporters\/\{exporter\}\/run/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { path }) =>
      path.includes('/checkinlog/') &&
      isLike(statusesOf(difference), [202, 400]) &&
      refusalIn(difference.theirs).includes('"items":'),
    reason: 'deliberate',
    text: 'The log of scans is of all products where none is named.',
  },
  {
    id: 'events-of-reports',
    operations: /exporters\/\{exporter\}\/run/,
    at: /^$/,
    kinds: ['refused fields', 'status'],
    when: ({ ours }, { path }) => refusalIn(ours).includes('"events":') && !path.includes('/events/'),
    reason: 'contract',
    text: 'Reports of an organizer are told of which events, which is looked at first.',
  },
  {
    id: 'files-of-reports',
    operations: /exporters\/\{exporter\}\/run/,
    at: /^download$/,
    kinds: ['value'],
    when: ({ ours, theirs }) => withoutFiles(ours) === withoutFiles(theirs),
    reason: 'deliberate',
    text: 'Each server numbers the files of its reports.',
  },
  {
    id: 'types-of-pictures',
    operations: /upload$/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { body }) =>
      isLike(statusesOf(difference), [400, 201]) &&
      /^image\/(png|jpeg)$/.test(String(fieldIn(body, 'fileType'))) &&
      /^(iVBOR|R0lG)/.test(String(fieldIn(body, 'base64'))),
    reason: 'reference',
    text: 'A picture is of the type that it is uploaded as; there a PNG may be called a JPEG, and a GIF a PNG.',
  },
  {
    id: 'addresses-of-pictures',
    operations: /items|checkin/,
    at: /(^|\.)picture$/,
    kinds: ['value'],
    when: ({ ours, theirs }) =>
      /\/items\/\d+\/picture\/#etag=[\w-]+$/.test(String(ours)) && /\/item-\d+-/.test(String(theirs)),
    reason: 'deliberate',
    text: 'The picture of an item has an address below the item.',
  },
  {
    id: 'pictures-that-stay',
    operations: /^(PUT|PATCH) .*items/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { body }) =>
      isLike(statusesOf(difference), [200, 400]) && fieldIn(body, 'picture') === 'file:keep',
    reason: 'deliberate',
    text: 'With `file:keep` an item keeps the picture that it has, as answers do.',
  },
  {
    id: 'blocked-seats',
    operations: /^GET .*seats\/$/,
    at: /^(count|results|next)$/,
    kinds: ['value', 'length', 'type'],
    when: (_, { path }, earlier) =>
      path.includes('is_available=') &&
      earlier.some(
        (one) => one.method !== 'GET' && /bulk_block|seats\/\d+\/$/.test(one.path.split('?')[0] ?? ''),
      ),
    reason: 'reference',
    text: 'A seat that is blocked is not available.',
  },
  {
    id: 'words-in-print',
    operations: /^GET .*order(s|positions)\//,
    at: /pdf_data\.(event_(begin|end|admission)(_date|_time)?|event_date(_range)?|price|(purchase|valid_from|valid_until)_(date|datetime|time)|question_\w+|itemvar|addons)$/,
    kinds: ['value'],
    when: ({ at, ours, theirs }) =>
      /(itemvar|addons)$/.test(at)
        ? String(ours).replaceAll('–', '-') === theirs
        : [ours, theirs].every((text) => /\d/.test(String(text))),
    reason: 'deliberate',
    text: 'What is printed of a ticket has dates, times and amounts as they are written in the language of its order, and a dash before a variation.',
  },
  {
    id: 'countries-in-print',
    operations: /^GET .*order(s|positions)\//,
    at: /pdf_data\.invoice_country$/,
    kinds: ['value'],
    when: ({ ours, theirs }) => ours === 'United States' && theirs === 'United States of America',
    reason: 'deliberate',
    text: 'Countries in print are called as Unicode calls them in the language of the order.',
  },
  {
    id: 'further-words-in-print',
    operations: /^GET .*order(s|positions)\//,
    at: new RegExp(`pdf_data\\.(${laterWords.join('|')})$`),
    kinds: ['only theirs'],
    reason: 'deliberate',
    text: `What is printed of a ticket comes without ${inWords(laterWords)}: layouts here do not use them.`,
  },
  {
    id: 'own-words-in-print',
    operations: /^GET .*order(s|positions)\//,
    at: /pdf_data\.(order_email|event_admission_date|attendee_name_\w+|email)$/,
    kinds: ['only ours', 'type'],
    when: ({ ours, theirs }) => theirs === undefined || (ours === '' && theirs === null),
    reason: 'deliberate',
    text: 'What is printed of a ticket has `order_email`, `event_admission_date` and each part of a name that was given beside; it is a text in any case.',
  },
  {
    id: 'empty-data-of-tickets',
    operations: /reusablemedia/,
    at: /pdf_data$/,
    kinds: ['only theirs'],
    when: ({ theirs }) => isLike(theirs, {}),
    reason: 'reference',
    text: 'Tickets of media have no `pdf_data`, which is always empty there.',
  },
  {
    id: 'settings-of-the-shop',
    operations: /^(GET|PATCH) .*settings\/$/,
    at: settingsOfTheShop,
    kinds: ['only theirs'],
    reason: 'deliberate',
    text: 'There are no settings of the web shop, of its looks, of what buyers may cancel or change there, and of details that are fixed here.',
  },
  {
    id: 'settings-of-our-own',
    operations: /^(GET|PATCH) .*settings\/$/,
    at: /^(timezone|ticket_secret_generator|invoice_generate_sales_channels|invoice_language|invoice_regenerate_allowed|seating_(choice|minimal_distance|distance_within_row)|gift_card_offline_limit|drawer_blind_count|till_(email_required|pay_later|signing)|kiosk_(idle_seconds|warning_seconds|done_seconds|data_minutes|needs_printer|name_correction)|entrance_(staff_asked|capacity_(warning|blocks))|require_2fa|mail_(from|reply_to|sales_channels|(subject|text)_\w+))$/,
    kinds: ['only ours'],
    reason: 'deliberate',
    text: 'Some settings can be read and changed here only, such as those of ticket codes, seats, mails and gift cards offline.',
  },
  {
    id: 'settings-taken-back',
    operations: /^PATCH events\/\{event\}\/settings\/$/,
    at: /^invoice_email_attachment$/,
    kinds: ['value'],
    when: ({ ours, theirs }, { body }) =>
      ours === true && theirs === false && fieldIn(body, 'invoice_email_attachment') === null,
    reason: 'deliberate',
    text: 'A setting that is taken back is as at a new event: invoices are attached to mails. There they are not any more, although a new event attaches them.',
  },
  {
    id: 'percentages-of-vouchers',
    operations: /vouchers\//,
    at: /^$/,
    kinds: ['status'],
    when: (difference) =>
      isLike(statusesOf(difference)[0], 400) &&
      refusalIn(difference.ours).includes('No more than 100 % can be taken off'),
    reason: 'deliberate',
    text: 'A voucher takes off no more than 100 %, also where it is changed; such a price would be less than nothing.',
  },
  {
    id: 'settings-of-organizers',
    operations: /^(GET|PATCH) settings\/$/,
    at: /^(locale|name_scheme|reservation_time|payment_term_days|ticket_download\w*|attendee_\w+|invoice_\w+|max_items_per_order|show_quota_left|last_order_modification_date|waiting_list_\w+|mail_from_name|mail_attach_tickets|seating_allow_blocked_seats_for_channel)$/,
    kinds: ['only ours'],
    reason: 'contract',
    text: 'What an organizer says is inherited by its events, so it can say everything that an event can.',
  },
  {
    id: 'settings-of-devices',
    operations: /^GET events\/\{event\}\/settings\/$/,
    at: /^(region|ticket_download_date)$/,
    kinds: ['only ours'],
    reason: 'deliberate',
    text: 'Devices see the region of an event and from when on tickets are there, too.',
  },
  {
    id: 'waiting-list-is-open',
    operations: /^(GET|PATCH) .*settings\/$/,
    at: /^waiting_list_enabled(\.value)?$/,
    kinds: ['value'],
    when: ({ ours, theirs }, { body }) =>
      ours === true && theirs === false && fieldIn(body, 'waiting_list_enabled') !== false,
    reason: 'deliberate',
    text: 'Where nothing is said there is a waiting list.',
  },
  {
    id: 'texts-that-are-not-set',
    operations: /^(GET|PATCH) .*settings\/$/,
    at: /^invoice_(address_custom_field|introductory_text|additional_text|footer_text)(\.value)?$/,
    kinds: ['type'],
    when: ({ ours, theirs }) => ours === null && isLike(theirs, { en: '' }),
    reason: 'deliberate',
    text: 'A setting that is a text is null where nothing is set.',
  },
  {
    id: 'words-of-settings',
    operations: /^GET .*settings\/$/,
    at: /^\w+\.(label|help_text)$/,
    kinds: ['value'],
    when: (_, { path }) => path.includes('explain='),
    reason: 'deliberate',
    text: 'What a setting means is said in words of our own.',
  },
  {
    id: 'empty-settings',
    operations: /^PATCH .*settings\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => refusalIn(theirs).includes('This field may not be blank'),
    reason: 'deliberate',
    text: 'A setting may be an empty text.',
  },
  {
    id: 'states-of-senders',
    operations: /^PATCH .*settings\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) =>
      /"invoice_address_from_state":\["[^\]]*is not a valid choice/.test(refusalIn(theirs)),
    reason: 'reference',
    text: 'The state of who issues invoices can be set; there every one is refused, by a mistake.',
  },
  {
    id: 'languages-of-events',
    operations: /^PATCH .*settings\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => /"locales?":\["\\"xx\\" is not a valid choice/.test(refusalIn(theirs)),
    reason: 'deliberate',
    text: 'An event may have any languages; its usual one is among them.',
  },
  {
    id: 'prefixes-of-invoices',
    operations: /^PATCH .*settings\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) =>
      /"invoice_numbers_prefix(_cancellations)?":\["This value must match/.test(refusalIn(ours)),
    reason: 'deliberate',
    text: 'Numbers of invoices begin with letters, digits and some signs; there only pages ask for that.',
  },
  {
    id: 'fees-of-cancellations',
    operations: /^GET .*transactions\/$/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ ours, theirs }, _, earlier) =>
      Array.isArray(ours) && Array.isArray(theirs)
        ? ours.filter((row) => fieldIn(row, 'fee_type') !== 'cancellation').length === theirs.length
        : earlier.some(({ body }) => Number(fieldIn(body, 'cancellation_fee')) > 0),
    reason: 'reference',
    text: 'The fee of a cancellation is a transaction, too; there it is left out, by a mistake.',
  },
  {
    id: 'name-schemes',
    operations: /^PATCH .*settings\/$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ theirs }) => /"name_scheme":\["[^\]]*is not a valid choice/.test(refusalIn(theirs)),
    reason: 'reference',
    text: 'An event may ask for names in each of the ways that there are; there most are refused, by a mistake.',
  },
  {
    id: 'relative-dates',
    operations: /^(GET|PATCH) .*settings\/$/,
    at: /^(ticket_download_date|last_order_modification_date)$/,
    kinds: ['value'],
    when: ({ ours, theirs }) => String(ours).replace('/date_from/', '/event__date_from/') === theirs,
    reason: 'newer',
    text: 'Dates that are relative to the event come back as they were sent; there `date_from` is called `event__date_from`.',
  },
  {
    id: 'rights-to-read',
    operations: /^GET (settings|event_meta_properties)\/$/,
    at: /^$/,
    kinds: ['status'],
    when: (difference) => isLike(statusesOf(difference), [403, 200]),
    reason: 'contract',
    text: 'Settings and properties of an organizer are read by those who may change its settings.',
  },
  {
    id: 'meta-data-of-nothing',
    operations: /^(POST|PUT|PATCH) events\/(\{event\}\/)?$/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }, { body }) =>
      refusalIn(ours).includes('"meta_data":["This field may not be null') &&
      Object.values(Object(fieldIn(body, 'meta_data'))).includes(null),
    reason: 'deliberate',
    text: 'Meta data is never null, also that of protected properties which is left out.',
  },
  {
    id: 'taxes-of-fees-in-transactions',
    operations: /^GET .*transactions\/$/,
    at: /\[\]\.(tax_rate|tax_value|tax_rule)$/,
    kinds: ['value', 'type'],
    when: ({ ours, theirs }) => (ours === null || ours === '0.00') && theirs !== null,
    reason: 'newer',
    text: 'Fees without a tax rule are not taxed by the default rule of the event in transactions either.',
  },
  {
    id: 'transactions-by-taxes-of-fees',
    operations: /^GET .*transactions\/$/,
    at: /^(count|results)$/,
    kinds: ['value', 'length'],
    when: ({ at, ours, theirs }, { path }) =>
      /[?&]tax_(rate|rule)=/.test(path) &&
      (at === 'count'
        ? Number(ours) < Number(theirs)
        : (theirs as readonly { readonly fee_type: unknown }[]).some(({ fee_type }) => fee_type !== null)),
    reason: 'newer',
    text: 'Nor are fees without a tax rule found by the rate or the default rule of the event.',
  },
  {
    id: 'empty-identifiers',
    operations: /^(POST|PUT) .*(options|questions)\/$/,
    at: /^$/,
    kinds: ['status'],
    when: (difference, { body }) =>
      isLike(statusesOf(difference), [201, 400]) && fieldIn(body, 'identifier') === '',
    reason: 'deliberate',
    text: 'An empty identifier is made up, as where none is sent.',
  },
  {
    id: 'rates-of-taxes',
    operations: /taxrules/,
    at: /^$/,
    kinds: ['status', 'refused fields'],
    when: ({ ours }) => refusalIn(ours).includes('"rate":["A percentage between 0 and 100'),
    reason: 'deliberate',
    text: 'A tax is between nothing and all of the price.',
  },
  {
    id: 'order-of-add-ons',
    operations: /^GET .*addons\/$/,
    at: /^results$/,
    kinds: ['order'],
    when: ({ rows }) => isAscending((rows?.ours ?? []).map((row) => fieldIn(row, 'position'))),
    reason: 'deliberate',
    text: 'Add-ons are listed by their positions, as everything that has them.',
  },
  {
    id: 'payments-of-less-than-nothing',
    operations: /orders\/|invoices\//,
    at: /^(results\[\]\.)?payments$/,
    kinds: ['length'],
    when: ({ ours, theirs }, _, earlier) => {
      const paidOf = (side: unknown) =>
        (side as readonly unknown[]).filter((one) => !String(fieldIn(one, 'amount')).startsWith('-'))
      return (
        earlier.some(({ path }) => path.includes('/mark_paid/')) &&
        lengthOf(paidOf(theirs)) < lengthOf(theirs) &&
        lengthOf(paidOf(theirs)) === lengthOf(ours)
      )
    },
    reason: 'reference',
    text: 'An order for which too much was paid is marked as paid without another payment; there it gets one of less than nothing.',
  },
  {
    id: 'codes-of-canceled-tickets',
    operations: /^GET (events\/\{event\}\/)?(orderpositions|orders)\//,
    at: /(^|\.|\])secret$/,
    kinds: ['value'],
    when: (_, { path }, earlier) =>
      path.includes('include_canceled_positions=true') &&
      earlier.some((one) => one.method === 'DELETE' && one.path.includes('/orderpositions/')) &&
      earlier.some((one) => /\/orders\/\w+\/regenerate_secrets\//.test(one.path)),
    reason: 'reference',
    text: 'New codes for all tickets of an order are new codes for the canceled ones, too. There they are made, but those of canceled tickets are not stored.',
  },
  {
    id: 'expanded-in-organizers',
    operations: /^GET orderpositions\//,
    at: /(^|\.|\])(item|variation|subevent)$/,
    kinds: ['type'],
    when: ({ theirs }, { path }) => path.includes('expand=') && typeof theirs === 'number',
    reason: 'deliberate',
    text: 'Positions of all events of an organizer can be expanded as those of one.',
  },
  {
    id: 'orders-that-stay-over',
    operations: /^GET .*orders\//,
    at: /^(results\[\]\.)?status$/,
    kinds: ['value'],
    when: ({ ours, theirs }, _, earlier) =>
      (ours === 'e' || ours === 'c') &&
      theirs === 'n' &&
      earlier.some(({ path }) => /\/refunds\/\d+\/process\/$/.test(path)),
    reason: 'reference',
    text: 'An order that is expired or canceled stays so when money that was given back elsewhere is entered; there it is pending again, whether or not there is room.',
  },
  {
    id: 'reference-breaks',
    operations: /./,
    at: /^$/,
    kinds: ['status'],
    when: (difference) => {
      const [ours, theirs] = statusesOf(difference)
      return Number(theirs) >= 500 && Number(ours) < 500
    },
    reason: 'reference',
    text: 'The reference answers 500 to some odd bodies; they are refused with 400 or taken here.',
  },
]

/** The row of the table that explains a difference; undefined where none does. */
export function explanationOf(
  operation: string,
  difference: Difference,
  asked: Asked,
  earlier: readonly Asked[],
): Explained | undefined {
  return explained.find(
    (row) =>
      row.kinds.includes(difference.kind) &&
      row.operations.test(operation) &&
      row.at.test(difference.at) &&
      (row.when?.(difference, asked, earlier) ?? true),
  )
}
