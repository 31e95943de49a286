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
  /** Narrows to certain values, or to certain requests. */
  readonly when?: (difference: Difference, asked: Asked) => boolean
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

const isSimulated = (body: unknown): boolean =>
  typeof body === 'object' && body !== null && 'simulate' in body && body.simulate === true

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
  newer('gift-card-fields', /giftcards/, 'issuance owner_ticket issuer customer info acceptor'),
  newer('customer-fields', /customers/, 'external_identifier phone notes send_email password'),
  newer(
    'team-fields',
    /teams/,
    'require_2fa all_event_permissions limit_event_permissions all_organizer_permissions limit_organizer_permissions can_manage_reusable_media',
  ),
  newer('date-fields', /subevents/, 'comment'),
  newer('webhook-fields', /webhooks/, 'comment'),
  newer('question-fields', /questions|redeem/, 'valid_string_length_min valid_string_length_max'),
  newer('voucher-fields', /vouchers|waitinglist/, 'created budget_used'),
  newer('checkin-list-fields', /checkinlists|checkinrpc/, 'ignore_in_statistics consider_tickets_used'),
  newer(
    'order-fields',
    /order|redeem|positions|search/,
    'tax_code voucher_budget_use plugin_data tax_rounding_mode api_meta',
  ),
  {
    id: 'all-sales-channels',
    operations: /./,
    at: /(all|limit)_sales_channels(\.\d+)?$/,
    kinds: ['value', 'length', 'type'],
    reason: 'deliberate',
    text: 'What says nothing of sales channels is sold on the web only, `limit_sales_channels` alone limits as well, and the box office is one of all channels.',
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
    id: 'ticket-outputs',
    operations: /./,
    at: /downloads$/,
    kinds: ['length'],
    reason: 'deliberate',
    text: 'Tickets can be downloaded as `pdf` and `roll` without a plugin that has to be switched on for the event.',
  },
  {
    id: 'payment-address',
    operations: /order/,
    at: /payment_url$/,
    kinds: ['type'],
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
    operations: /^POST .*questions\/$/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours }) => refusalIn(ours).includes('"options"'),
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
    kinds: ['status'],
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
    reason: 'deliberate',
    text: 'Random secrets that were replaced are listed as well.',
  },
  {
    id: 'checkins-in-answers',
    operations: /redeem/,
    at: /position\.checkins/,
    kinds: ['length', 'value'],
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
    operations: /^GET .*(options|questions|items|categories|discounts|quotas|vouchers|positions|orders)\/$/,
    at: /^results$/,
    kinds: ['order'],
    reason: 'deliberate',
    text: 'Rows that are alike in what a list is sorted by are listed in the order in which they were made, not the other way round.',
  },
  {
    id: 'order-of-small-lists',
    operations:
      /^GET .*(taxrules|item_meta_properties|event_meta_properties|saleschannels|teams|webhooks|memberships|membershiptypes|customers|giftcards)\/$/,
    at: /^results$/,
    kinds: ['order'],
    reason: 'contract',
    text: 'Lists for which no order is promised are listed in the order in which their rows were made.',
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
    at: /^(secret|status|datetime|url|payments|payment_date|payment_provider)$|positions\[\]\.(order|secret)$/,
    kinds: ['value', 'type', 'length'],
    when: ({ at, ours, theirs }, { body }) =>
      (at === 'status' && ours === 'p' && isSimulated(body)) ||
      theirs === '' ||
      theirs === null ||
      String(ours).includes('PREVIEW') ||
      JSON.stringify(theirs) === '[]',
    reason: 'deliberate',
    text: 'A simulated order has the time of the request, and the status and the payment that it would have; its positions are of the order `PREVIEW`.',
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
    reason: 'contract',
    text: 'A webhook that does not say so is not told of all events.',
  },
  {
    id: 'texts-of-transactions',
    operations: /giftcards.*transactions/,
    at: /text$/,
    kinds: ['type'],
    reason: 'contract',
    text: 'A transaction of a gift card without a text has null as its text.',
  },
  {
    id: 'faults-by-field',
    operations: /^(POST|PUT|PATCH)/,
    at: /^$/,
    kinds: ['refused fields'],
    when: ({ theirs }) => Object.keys(theirs as object).join() === 'non_field_errors',
    reason: 'deliberate',
    text: 'What is wrong is named by its field where the reference says `non_field_errors`.',
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
    operations: /customers/,
    at: /name_parts\._scheme$/,
    kinds: ['value'],
    when: ({ ours }) => ours === 'given_family',
    reason: 'deliberate',
    text: 'Parts of the name of a customer that say no scheme are taken for given and family names.',
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
    id: 'paid-orders-that-become-free',
    operations: /order/,
    at: /(^|\.)(payment_provider|payments)$/,
    kinds: ['value', 'length'],
    when: ({ theirs }) =>
      theirs === 'free' || /"amount":"0.00",[^}]*"provider":"free"/.test(JSON.stringify(theirs)),
    reason: 'deliberate',
    text: 'An order that is paid and costs nothing any more gets no further payment of nothing.',
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
    when: ({ ours }) => ours === null,
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
    id: 'order-by-names',
    operations: /^GET checkinrpc\/search/,
    at: /^results$/,
    kinds: ['order'],
    reason: 'reference',
    text: 'Positions at the door are sorted by the names that they have; the reference does not know the names of some.',
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
      refusalIn(ours).includes('The order is paid') && JSON.stringify(theirs).includes('"status":"n"'),
    reason: 'reference',
    text: 'An order that is paid cannot be extended; the reference makes it pending again.',
  },
  {
    id: 'changed-gift-cards',
    operations: /^(PATCH|PUT) giftcards/,
    at: /^value$/,
    kinds: ['value'],
    reason: 'reference',
    text: 'The answer to a change of the value of a gift card has the new value; the reference answers the old one and has the new one.',
  },
  {
    id: 'fields-that-stay',
    operations: /^(PATCH|PUT) (giftcards|memberships|saleschannels)/,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) =>
      /"(secret|currency|customer|membership_type|testmode|identifier)":/.test(JSON.stringify(theirs)),
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
    id: 'repeated-scans',
    operations: /redeem/,
    at: /^$/,
    kinds: ['status'],
    when: ({ ours }, { body }) =>
      (ours as unknown[])[0] === 201 && typeof body === 'object' && body !== null && 'nonce' in body,
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
  {
    id: 'reference-breaks',
    operations: /./,
    at: /^$/,
    kinds: ['status'],
    when: ({ theirs }) => Number((theirs as unknown[])[0]) >= 500,
    reason: 'reference',
    text: 'The reference answers 500 to some odd bodies; they are refused with 400 or taken here.',
  },
]

/** The row of the table that explains a difference; undefined where none does. */
export function explanationOf(
  operation: string,
  difference: Difference,
  asked: Asked,
): Explained | undefined {
  return explained.find(
    (row) =>
      row.kinds.includes(difference.kind) &&
      row.operations.test(operation) &&
      row.at.test(difference.at) &&
      (row.when?.(difference, asked) ?? true),
  )
}
