import { pick } from '../fuzz/invent.ts'
import { bodyOf, localized, type Make, moment, oneOf, orNull, type Source, upTo } from './made-up.ts'

type Row = Readonly<Record<string, unknown>>

const ev = 'events/gala/'

const any = ({ draw, stage }: Source, kind: string): unknown =>
  stage.of(kind).length > 0 ? pick(draw, stage.of(kind)) : 99_999

const yesOrNoSettings = [
  ...['ticket_download', 'ticket_download_pending', 'ticket_download_addons', 'ticket_download_nonadm'],
  ...['attendee_names_asked', 'attendee_names_required', 'attendee_emails_asked', 'attendee_emails_required'],
  ...['attendee_addresses_asked', 'attendee_addresses_required', 'attendee_company_asked'],
  ...['attendee_company_required', 'invoice_address_asked', 'invoice_address_required'],
  ...['invoice_address_vatid', 'invoice_generate_only_business', 'invoice_numbers_consecutive'],
  ...['invoice_attendee_name', 'invoice_event_location', 'invoice_include_free', 'invoice_show_payments'],
  ...['invoice_include_expire_date', 'invoice_reissue_after_modify', 'invoice_email_attachment'],
  ...['show_quota_left', 'waiting_list_enabled', 'waiting_list_auto', 'mail_attach_tickets'],
]

/** The settings of an event that both servers know. */
const eventSettings: Readonly<Record<string, Make>> = {
  ...Object.fromEntries(yesOrNoSettings.map((name) => [name, oneOf(true, false, true, false, null)])),
  locale: oneOf('en', 'de', 'en', 'xx'),
  locales: oneOf(['en'], ['en', 'de'], ['de'], [], ['xx']),
  region: oneOf('DE', 'AT', null, 'XX'),
  name_scheme: oneOf('full', 'given_family', 'given_family', 'nothing'),
  reservation_time: orNull(upTo(60)),
  payment_term_days: orNull(upTo(30)),
  max_items_per_order: orNull(upTo(20)),
  seating_allow_blocked_seats_for_channel: oneOf([], ['web'], null, 'web'),
  waiting_list_hours: upTo(72),
  waiting_list_limit_per_user: upTo(3),
  ticket_download_date: oneOf(null, '2030-05-01T00:00:00Z', 'RELDATE/3/12:00:00/date_from/', 'x'),
  last_order_modification_date: oneOf(null, '2030-05-01T00:00:00Z', 'RELDATE/1/-/date_from/', 'x'),
  invoice_generate: oneOf('False', 'admin', 'user', 'True', 'paid', 'x'),
  invoice_numbers_prefix: oneOf('', 'INV-', '%Y-', '<'),
  invoice_numbers_prefix_cancellations: oneOf('', 'CAN-'),
  invoice_numbers_counter_length: upTo(9),
  invoice_period: oneOf('auto', 'event_date', 'order_date', 'x'),
  invoice_eu_currencies: oneOf('True', 'False', 'CZK', 'x'),
  invoice_address_from_name: oneOf('Hall Ltd', ''),
  invoice_address_from: oneOf('Road 1', ''),
  invoice_address_from_zipcode: oneOf('12345', ''),
  invoice_address_from_city: oneOf('Berlin', ''),
  invoice_address_from_state: oneOf('NY', '', null),
  invoice_address_from_country: oneOf('DE', 'AT', '', 'XX'),
  invoice_address_from_tax_id: oneOf('12/345', ''),
  invoice_address_from_vat_id: oneOf('DE123456789', ''),
  invoice_address_custom_field: localized('Order number'),
  invoice_introductory_text: localized('Thank you'),
  invoice_additional_text: localized('Pay soon'),
  invoice_footer_text: localized('Bank'),
  invoice_email_organizer: oneOf('', 'office@example.org', 'x'),
  mail_from_name: oneOf(null, 'Hall'),
  nothing: oneOf('x'),
}

const organizerSettings: Readonly<Record<string, Make>> = {
  locales: oneOf(['en'], ['en', 'de'], []),
  region: oneOf('DE', null, 'XX'),
  invoice_regenerate_allowed: oneOf(true, false, null, 'x'),
  nothing: oneOf('x'),
}

const channels: readonly Row[] = [
  { all_sales_channels: true },
  { all_sales_channels: true, limit_sales_channels: [] },
  { all_sales_channels: false, limit_sales_channels: ['web'] },
  { all_sales_channels: false, limit_sales_channels: [] },
  { limit_sales_channels: ['web'] },
  { sales_channels: ['web'] },
  { sales_channels: [] },
  { all_sales_channels: false, limit_sales_channels: ['nothing'] },
  { sales_channels: ['nothing'] },
  { all_sales_channels: true, limit_sales_channels: ['web'] },
]

/** Sets up the event, and says through which channels it and its products are sold. */
export async function settle(source: Source): Promise<void> {
  const { draw, stage } = source
  const kind = draw()
  if (kind < 0.35) await stage.ask('PATCH', `${ev}settings/`, bodyOf(source, {}, eventSettings, 0.15))
  else if (kind < 0.46) await stage.ask('GET', `${ev}settings/`)
  else if (kind < 0.5) await stage.ask('GET', `${pick(draw, [ev, ''])}settings/?explain=true`)
  else if (kind < 0.55) await stage.ask('PUT', `${ev}settings/`, {})
  else if (kind < 0.62) await stage.ask('PATCH', 'settings/', bodyOf(source, {}, organizerSettings, 0.1))
  else if (kind < 0.7) await stage.ask('GET', 'settings/')
  else {
    const path = pick(draw, [ev, ev, `${ev}items/${any(source, 'item')}/`])
    await stage.ask('PATCH', path, pick(draw, channels))
    await stage.ask('GET', path)
  }
}

/** A team that may set up events, but not the organizer, with a token; and properties that are its organizer's. */
export async function employ(source: Source): Promise<void> {
  const { stage } = source
  for (const [name, isProtected] of [
    ['genre', false],
    ['owner', true],
  ] as const)
    await stage.ask('POST', 'event_meta_properties/', {
      name,
      choices: null,
      default: '',
      protected: isProtected,
    })
  const { body: team } = await stage.ask('POST', 'teams/', {
    name: 'Office',
    all_events: true,
    limit_events: [],
    can_create_events: true,
    can_change_event_settings: true,
  })
  const { body } = await stage.ask('POST', `teams/${(team as Row).id}/tokens/`, { name: 'Office' })
  stage.add('office', `Token ${(body as Row).token}`)
}

const said = [
  { genre: 'rock' },
  { owner: 'we' },
  { genre: 'pop', owner: 'they' },
  { owner: null },
  { owner: '' },
  { nothing: 'x' },
  {},
]

/** Says what an event is, once with and once without the right to say all of it. */
export async function label(source: Source): Promise<void> {
  const { draw, stage } = source
  const token = draw() < 0.65 ? String(any(source, 'office')) : undefined
  const kind = draw()
  if (kind < 0.6) {
    await stage.ask('PATCH', ev, { meta_data: pick(draw, said) }, token)
    await stage.ask('GET', ev, undefined, token)
  } else if (kind < 0.75)
    await stage.ask(
      'POST',
      'events/',
      {
        name: { en: 'Matinee' },
        slug: `matinee${Math.floor(draw() * 1e6)}`,
        date_from: moment(source),
        currency: 'EUR',
        timezone: 'UTC',
        plugins: [],
        meta_data: pick(draw, said),
      },
      token,
    )
  else if (kind < 0.85)
    await stage.ask('GET', `events/?attr[genre]=${pick(draw, ['rock', 'pop'])}`, undefined, token)
  else
    await stage.ask(
      'GET',
      pick(draw, ['event_meta_properties/', 'settings/', `${ev}settings/`]),
      undefined,
      token,
    )
}

const filters = [
  ...['', 'ordering=-datetime', 'ordering=id', 'ordering=-created', 'page_size=2', 'page_size=2&page=2'],
  ...['order={order}', 'order=x', 'item={plain_item}', 'item__in={plain_item}', 'variation={variation}'],
  ...['tax_rate=19.00', 'tax_rate__in=19.00,0.00', 'fee_type=shipping', 'fee_type__in=shipping,service'],
  ...['datetime_since=2020-01-01T00:00:00Z', 'datetime_before=2020-01-01T00:00:00Z', 'created_since=x'],
  ...['event=gala', 'event=nothing', 'subevent=1', 'tax_rule={tax_rule}'],
]

/** What shows the same rows wherever there is one more. */
const whole = filters.filter((one) => !/page|ordering/.test(one))

const positionFilters = [
  ...['', 'order={order}', 'search=ann', 'item={plain_item}', 'secret={secret}', 'order__status=p'],
  ...['has_checkin=true', 'has_checkin=false', 'include_canceled_positions=true', 'attendee_name=Ann Lee'],
  ...['ordering=positionid', 'ordering=-order__datetime,positionid', 'page_size=2', 'page_size=2&page=2'],
  ...['expand=item', 'variation={variation}', 'event=gala', 'event=nothing', 'order=x', 'pdf_data=true'],
]

/** Looks into the books: what was sold and taken back, of the event and of the organizer. */
export async function audit(source: Source): Promise<void> {
  const { draw, stage } = source
  const filled = (texts: readonly string[]): string =>
    pick(draw, texts).replace(/\{(\w+)\}/g, (_, kind: string) => String(any(source, kind)))
  const below = pick(draw, [ev, ''])
  const kind = draw()
  // In the order in which they were made, so that it is known which is which.
  if (kind < 0.6) await stage.ask('GET', `${ev}transactions/?ordering=id`)
  if (kind < 0.55)
    await stage.ask('GET', `${below}transactions/?${filled(stage.of('fee').length > 0 ? whole : filters)}`)
  else if (kind < 0.62) await stage.ask('GET', `${below}transactions/${pick(draw, ['1', 'x'])}/`)
  else if (kind < 0.9) await stage.ask('GET', `orderpositions/?${filled(positionFilters)}`)
  else if (kind < 0.95) await stage.ask('GET', `orders/${any(source, 'order')}/`)
  else await stage.ask('GET', `orderpositions/${any(source, 'position')}/`)
}
