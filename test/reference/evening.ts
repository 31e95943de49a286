import { pick } from '../fuzz/invent.ts'
import { learn } from './crud.ts'
import type { Source } from './made-up.ts'

type Row = Readonly<Record<string, unknown>>

const ev = 'events/gala/'

/** Creates something that both servers are sure to take. */
async function made(source: Source, kind: string, path: string, body: Row): Promise<Row> {
  const { status, body: row } = await source.stage.ask('POST', path, body)
  if (status === 201) learn(source, kind, row as Row)
  return row as Row
}

/** A catalogue from which everything can be sold: tickets, days, a dinner, a dog's name, and two doors. */
export async function open(source: Source): Promise<void> {
  const category = await made(source, 'category', `${ev}categories/`, {
    name: { en: 'Food' },
    description: { en: 'To eat' },
    is_addon: true,
  })
  const taxRule = await made(source, 'tax_rule', `${ev}taxrules/`, { name: { en: 'VAT' }, rate: '19.00' })
  const ticket = await made(source, 'item', `${ev}items/`, {
    name: { en: 'Ticket' },
    default_price: '23.00',
    admission: true,
    tax_rule: taxRule.id,
  })
  const poster = await made(source, 'item', `${ev}items/`, {
    name: { en: 'Poster' },
    default_price: '5.00',
    checkin_attention: true,
  })
  const free = await made(source, 'item', `${ev}items/`, {
    name: { en: 'Guest' },
    default_price: '0.00',
    admission: true,
  })
  const day = await made(source, 'item', `${ev}items/`, {
    name: { en: 'Day ticket' },
    default_price: '20.00',
    admission: true,
    variations: [
      { value: { en: 'Friday' } },
      { value: { en: 'Saturday' }, default_price: '25.00', position: 1 },
    ],
  })
  const dinner = await made(source, 'dinner', `${ev}items/`, {
    name: { en: 'Dinner' },
    default_price: '30.00',
    category: category.id,
  })
  await source.stage.ask('POST', `${ev}items/${ticket.id}/addons/`, {
    addon_category: category.id,
    min_count: 0,
    max_count: 1,
  })
  const days = (day.variations ?? []) as Row[]
  await made(source, 'quota', `${ev}quotas/`, {
    name: 'All',
    size: 40,
    items: [ticket.id, poster.id, free.id, dinner.id, day.id],
    variations: days.map((one) => one.id),
  })
  await made(source, 'quota', `${ev}quotas/`, { name: 'Few', size: 4, items: [poster.id], variations: [] })
  await made(source, 'question', `${ev}questions/`, {
    question: { en: 'Dog' },
    type: 'S',
    items: [ticket.id],
    identifier: 'DOG',
  })
  const size = await made(source, 'question', `${ev}questions/`, {
    question: { en: 'Size' },
    type: 'C',
    identifier: 'SIZE',
    items: [ticket.id],
    options: [
      { answer: { en: 'S' }, identifier: 'SIZE-S' },
      { answer: { en: 'L' }, identifier: 'SIZE-L', position: 1 },
    ],
  })
  for (const one of (size.options ?? []) as Row[]) source.stage.add('size', one.id)
  await made(source, 'question', `${ev}questions/`, {
    question: { en: 'Vaccinated' },
    type: 'B',
    identifier: 'VACC',
    items: [free.id],
    ask_during_checkin: true,
    required: true,
  })
  source.stage.add('day', day.id)
  await made(source, 'checkin_list', `${ev}checkinlists/`, { name: 'Main', all_products: true })
  await made(source, 'checkin_list', `${ev}checkinlists/`, {
    name: 'Pending too',
    all_products: false,
    limit_products: [ticket.id, free.id],
    include_pending: true,
    allow_multiple_entries: true,
  })
  await made(source, 'checkin_list', `${ev}checkinlists/`, {
    name: 'Twice',
    all_products: true,
    rules: { '<': [{ var: 'entries_number' }, 2] },
    allow_multiple_entries: true,
    addon_match: true,
  })
}

const chance = (source: Source, share: number): boolean => source.draw() < share

/** One of what there is, as it stands in an address. */
const any = ({ draw, stage }: Source, kind: string): unknown =>
  stage.of(kind).length > 0 ? pick(draw, stage.of(kind)) : 99_999

function position(source: Source): Record<string, unknown> {
  const { draw, stage } = source
  const body: Record<string, unknown> = { item: any(source, chance(source, 0.85) ? 'plain_item' : 'item') }
  if (body.item === stage.of('day')[0] && chance(source, 0.9)) body.variation = any(source, 'variation')
  if (chance(source, 0.4)) body.price = pick(draw, ['23.00', '5.00', '0.00', '12.34', null, 'x'])
  if (chance(source, 0.4))
    body.attendee_name_parts = { _scheme: 'full', full_name: pick(draw, ['Ann Lee', 'Bob Ray', 'Çem']) }
  if (chance(source, 0.2)) body.attendee_email = pick(draw, ['ann@example.org', 'x', null])
  if (chance(source, 0.2)) body.company = 'Acme'
  if (chance(source, 0.15)) body.answers = [answer(source)]
  if (chance(source, 0.1)) body.voucher = pick(draw, [...stage.of('voucher_code'), 'NOSUCHVOUCHER'])
  if (chance(source, 0.05)) body.secret = `secret${Math.floor(draw() * 1e9)}`
  if (chance(source, 0.03)) body.subevent = 1
  return body
}

function answer(source: Source): Row {
  const { draw } = source
  if (chance(source, 0.5))
    return { question: any(source, 'choice'), answer: 'S', options: [any(source, 'size')] }
  return {
    question: any(source, 'question'),
    answer: pick(draw, ['Rex', '5', 'True', '', '2030-01-05', '14:30:00', '2030-01-05T14:30:00Z', 'DE']),
    options: [],
  }
}

const address = {
  is_business: false,
  company: '',
  name_parts: { _scheme: 'full', full_name: 'Zoe Kay' },
  street: 'Road 1',
  zipcode: '12345',
  city: 'Berlin',
  country: 'DE',
  internal_reference: '',
  vat_id: '',
}

/** Sells something. */
export async function sell(source: Source): Promise<void> {
  const { draw, stage } = source
  const status = pick(draw, ['p', 'p', 'n', 'n', undefined])
  const body: Record<string, unknown> = {
    email: pick(draw, ['ann@example.org', 'bob@example.org', null]),
    locale: 'en',
    sales_channel: 'web',
    positions: Array.from({ length: pick(draw, [1, 1, 2, 3]) }, () => position(source)),
    ...(status ? { status } : {}),
  }
  if (status === 'p' || chance(source, 0.3))
    body.payment_provider = pick(draw, ['manual', 'manual', 'manual', 'free', 'nothing'])
  if (chance(source, 0.2))
    body.invoice_address = { ...address, country: pick(draw, ['DE', 'AT', 'US', 'XX']) }
  if (chance(source, 0.2))
    body.fees = [
      {
        fee_type: pick(draw, ['shipping', 'service', 'payment', 'x']),
        value: pick(draw, ['2.50', '0.00']),
        description: '',
        internal_type: '',
      },
    ]
  if (chance(source, 0.1)) body.testmode = true
  if (chance(source, 0.1)) body.require_approval = true
  if (chance(source, 0.1)) body.checkin_attention = true
  if (chance(source, 0.1)) body.comment = 'A note'
  if (chance(source, 0.05)) body.simulate = true
  if (chance(source, 0.1)) body.force = true
  if (chance(source, 0.05)) body.locale = pick(draw, ['de', 'xx'])
  if (chance(source, 0.05)) body.customer = any(source, 'customer')
  if (chance(source, 0.2)) body.code = `${pick(draw, ['VX', 'WY'])}${Math.floor(draw() * 1000) + 1000}`
  if (chance(source, 0.04)) body.positions = pick(draw, [[], null, 'x', [{}], {}])
  const made = await stage.ask('POST', `${ev}orders/`, body)
  if (made.status !== 201 || body.simulate) return
  learnOrder(source, made.body as Row)
}

function learnOrder({ stage }: Source, order: Row): void {
  stage.add('order', order.code)
  for (const one of (order.positions ?? []) as Row[]) {
    stage.add('position', one.id)
    stage.add('secret', one.secret)
  }
}

const actions: readonly (readonly [string, (source: Source) => unknown])[] = [
  ['mark_paid', () => ({})],
  ['mark_paid', () => ({ send_email: false })],
  ['mark_pending', () => ({})],
  ['mark_expired', () => ({})],
  ['mark_canceled', () => ({})],
  ['mark_canceled', ({ draw }) => ({ cancellation_fee: pick(draw, ['0.00', '5.00', '999.00', 'x']) })],
  ['reactivate', () => ({})],
  ['extend', ({ draw }) => ({ expires: pick(draw, ['2030-01-01', '2020-01-01', 'x', null]) })],
  ['approve', () => ({})],
  ['deny', () => ({ comment: 'No' })],
  ['regenerate_secrets', () => ({})],
]

/** Changes the state of an order. */
export async function transition(source: Source): Promise<void> {
  const [name, choose] = pick(source.draw, actions)
  const body = choose(source)
  const order = any(source, 'order')
  const { status } = await source.stage.ask('POST', `${ev}orders/${order}/${name}/`, body)
  if (status === 200 && Number((body as Row).cancellation_fee) > 0) source.stage.add('fee', order)
}

/** Pays and pays back. */
export async function pay(source: Source): Promise<void> {
  const { draw, stage } = source
  const order = `${ev}orders/${any(source, 'order')}/`
  const number = pick(draw, [1, 1, 1, 2, 9])
  const kind = draw()
  if (kind < 0.2) await stage.ask('GET', `${order}payments/`)
  else if (kind < 0.3) await stage.ask('GET', `${order}payments/${number}/`)
  else if (kind < 0.5)
    await stage.ask('POST', `${order}payments/`, {
      state: pick(draw, ['created', 'confirmed', 'pending', 'x']),
      amount: pick(draw, ['23.00', '5.00', '1.00']),
      payment_date: pick(draw, ['2030-01-01T00:00:00Z', null]),
      info: {},
      provider: pick(draw, ['manual', 'manual', 'nothing']),
    })
  else if (kind < 0.6) await stage.ask('POST', `${order}payments/${number}/confirm/`, {})
  else if (kind < 0.68) await stage.ask('POST', `${order}payments/${number}/cancel/`, {})
  else if (kind < 0.8)
    await stage.ask('POST', `${order}payments/${number}/refund/`, {
      ...(chance(source, 0.7) ? { amount: pick(draw, ['5.00', '23.00', '999.00', 'x']) } : {}),
      mark_canceled: chance(source, 0.2),
    })
  else if (kind < 0.88) await stage.ask('GET', `${order}refunds/`)
  else if (kind < 0.94)
    await stage.ask('POST', `${order}refunds/`, {
      state: pick(draw, ['created', 'done', 'external']),
      source: 'admin',
      amount: pick(draw, ['5.00', '1.00']),
      payment: pick(draw, [1, null]),
      provider: pick(draw, ['manual', 'nothing']),
      mark_canceled: false,
    })
  else await stage.ask('POST', `${order}refunds/${number}/${pick(draw, ['done', 'cancel', 'process'])}/`, {})
}

/** Changes what was sold. */
export async function alter(source: Source): Promise<void> {
  const { draw, stage } = source
  const kind = draw()
  if (kind < 0.3)
    await stage.ask('PATCH', `${ev}orders/${any(source, 'order')}/`, {
      ...pick(draw, [
        { email: 'new@example.org' },
        { email: null },
        { email: 'x' },
        { phone: '+49301234567' },
        { comment: 'Changed' },
        { checkin_attention: true },
        { locale: 'de' },
        { locale: 'xx' },
        { custom_followup_at: '2030-01-01' },
        { invoice_address: address },
        { invoice_address: null },
        { status: 'c' },
        {},
      ]),
    })
  else if (kind < 0.6)
    await stage.ask('PATCH', `${ev}orderpositions/${any(source, 'position')}/`, {
      ...pick(draw, [
        { attendee_name_parts: { _scheme: 'full', full_name: 'Eve' } },
        { attendee_name: 'Eve' },
        { attendee_email: 'eve@example.org' },
        { company: 'Acme', city: 'Berlin', country: 'DE' },
        { price: '17.00' },
        { item: any(source, 'plain_item') },
        { answers: [answer(source)] },
        { answers: [] },
        { attendee_email: 'x' },
        {},
      ]),
    })
  else if (kind < 0.7) await stage.ask('DELETE', `${ev}orderpositions/${any(source, 'position')}/`)
  else if (kind < 0.8) {
    const added = await stage.ask('POST', `${ev}orderpositions/`, {
      order: any(source, 'order'),
      ...position(source),
    })
    if (added.status === 201) stage.add('position', (added.body as Row).id)
  } else if (kind < 0.9)
    await stage.ask('POST', `${ev}orders/${any(source, 'order')}/change/`, {
      ...pick(draw, [
        { patch_positions: [{ position: any(source, 'position'), body: { price: '11.00' } }] },
        { cancel_positions: [{ position: any(source, 'position') }] },
        { create_positions: [{ item: any(source, 'plain_item'), price: '3.00' }] },
        { create_fees: [{ fee_type: 'other', value: '2.00', description: '', internal_type: '' }] },
        { recalculate_taxes: 'keep_gross' },
        { recalculate_taxes: 'x' },
        {},
      ]),
    })
  else await stage.ask('POST', `${ev}orderpositions/${any(source, 'position')}/regenerate_secrets/`, {})
}

/** Admits, or refuses. */
export async function scan(source: Source): Promise<void> {
  const { draw, stage } = source
  const secret =
    chance(source, 0.93) && stage.of('secret').length > 0 ? any(source, 'secret') : 'unknown-secret'
  const list = any(source, 'checkin_list')
  const kind = draw()
  const body: Record<string, unknown> = {}
  if (chance(source, 0.3)) body.type = pick(draw, ['entry', 'exit', 'exit', 'x'])
  if (chance(source, 0.2)) body.force = true
  if (chance(source, 0.3)) body.ignore_unpaid = true
  if (chance(source, 0.2)) body.questions_supported = false
  if (chance(source, 0.2)) body.nonce = `nonce${Math.floor(draw() * 5)}`
  if (chance(source, 0.3))
    body.answers = pick(draw, [
      {},
      null,
      { [String(stage.of('question').at(-1))]: 'true' },
      { [String(stage.of('question').at(-1))]: '' },
    ])
  if (chance(source, 0.1)) body.datetime = pick(draw, ['2030-06-01T20:00:00Z', 'x', null])
  if (kind < 0.5)
    await stage.ask('POST', `checkinrpc/redeem/${chance(source, 0.1) ? '?expand=item' : ''}`, {
      secret,
      lists: chance(source, 0.95) ? [list] : pick(draw, [[], [1], 'x', stage.of('checkin_list')]),
      ...body,
    })
  else if (kind < 0.75) {
    if (chance(source, 0.3)) body.canceled_supported = true
    const position = chance(source, 0.3) ? any(source, 'position') : secret
    await stage.ask('POST', `${ev}checkinlists/${list}/positions/${position}/redeem/`, body)
  } else if (kind < 0.85)
    await stage.ask('POST', `${ev}checkinlists/${list}/failed_checkins/`, {
      raw_barcode: secret,
      error_reason: pick(draw, ['canceled', 'invalid', 'unpaid', 'product', 'rules', 'revoked', 'x']),
      ...(chance(source, 0.5) ? { datetime: '2030-06-01T20:00:00Z' } : {}),
      ...(chance(source, 0.3) ? { position: any(source, 'position') } : {}),
      ...(chance(source, 0.3) ? { raw_item: any(source, 'plain_item') } : {}),
      ...(chance(source, 0.3) ? { type: pick(draw, ['entry', 'exit', 'x']) } : {}),
    })
  else await stage.ask('GET', `${ev}checkinlists/${list}/status/`)
}

/** By the beginnings of the codes that orders were given. */
const codeSearches = ['search=vx', 'search=VX1', 'search=wy1', 'search=Wy', 'search=vX14']

const orderQueries = [
  ...[
    'status=p',
    'status=n',
    'status=x',
    'email=ann@example.org',
    'email=ANN@example.org',
    'search=ann',
    'search=acme',
    ...codeSearches,
  ],
  ...[
    'testmode=true',
    'testmode=false',
    'require_approval=true',
    'sales_channel=web',
    'payment_provider=manual',
  ],
  ...['include_canceled_positions=true', 'include_canceled_fees=true', 'locale=en', 'ordering=-datetime'],
  ...['ordering=status,datetime', 'ordering=-last_modified', 'page_size=2', 'page_size=2&page=2'],
  ...[
    'exclude=positions',
    'include=code',
    'include=positions.id&include=code',
    'modified_since=2020-01-01T00:00:00Z',
  ],
  ...['created_since=2020-01-01T00:00:00Z', 'created_before=2020-01-01T00:00:00Z', 'modified_since=x'],
  ...['item={plain_item}', 'variation={variation}', 'code={order}', 'customer=x', 'item=1', 'subevent=1'],
]

const positionQueries = [
  ...[
    'order={order}',
    'search=ann',
    'item={plain_item}',
    'item__in={plain_item}',
    'variation={variation}',
    'secret={secret}',
  ],
  ...[
    'attendee_name=Ann Lee',
    'order__status=p',
    'order__status__in=p,n',
    'has_checkin=true',
    'has_checkin=false',
    ...codeSearches,
  ],
  ...['include_canceled_positions=true', 'ordering=-order__datetime,positionid'],
  ...[
    'ordering=attendee_name,positionid',
    'page_size=3',
    'page_size=2&page=2',
    'voucher=1',
    'voucher__code=x',
    'addon_to=1',
  ],
]

const listQueries = [
  ...['ignore_status=true', 'ordering=-order__datetime', 'ordering=attendee_name'],
  ...[
    'ordering=last_checked_in',
    'ordering=-last_checked_in',
    'ordering=order__email,positionid',
    'order={order}',
  ],
  ...[
    'search=ann',
    'expand=item',
    'expand=variation',
    'item={plain_item}',
    'has_checkin=true',
    'has_checkin=false',
  ],
  ...['order__status=p', 'secret={secret}', 'page_size=50', 'attendee_name=Ann Lee', 'order__status__in=p,n'],
  ...codeSearches,
]

/** Looks at what was sold and who came. */
export async function look(source: Source): Promise<void> {
  const { draw, stage } = source
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (_, kind: string) => String(any(source, kind)))
  const list = any(source, 'checkin_list')
  const path = pick(draw, [
    () => `${ev}orders/?${fill(pick(draw, orderQueries))}`,
    () => `orders/?${fill(pick(draw, orderQueries))}`,
    () => `${ev}orders/${any(source, 'order')}/`,
    () => `${ev}orderpositions/?${fill(pick(draw, positionQueries))}`,
    () => `${ev}orderpositions/${any(source, 'position')}/`,
    () => `${ev}orderpositions/${any(source, 'position')}/?pdf_data=true`,
    () => `${ev}orders/${any(source, 'order')}/?pdf_data=true`,
    () => `${ev}checkinlists/${list}/positions/?${fill(pick(draw, listQueries))}`,
    () => `${ev}checkinlists/${list}/positions/${any(source, 'position')}/`,
    () =>
      `${ev}checkins/?${pick(draw, ['ordering=id', 'successful=true', 'successful=false', `list=${list}`, 'type=exit', 'page_size=2'])}`,
    () =>
      `checkinrpc/search/?list=${list}&search=${pick(draw, ['ann', 'lee', 'zoe', String(any(source, 'order')), 'nobody', 'vx1', 'Wy1'])}`,
    () =>
      `${ev}revokedsecrets/${pick(draw, ['', '?ordering=secret', '?created_since=2020-01-01T00:00:00Z'])}`,
    () => `${ev}blockedsecrets/`,
    () => `${ev}quotas/${any(source, 'quota')}/availability/`,
    () => `${ev}quotas/?with_availability=true`,
    () => `${ev}checkinlists/`,
  ])()
  await stage.ask('GET', path)
}

/** Puts something in a cart, or takes it out. */
export async function cart(source: Source): Promise<void> {
  const { draw, stage } = source
  const path = `${ev}cartpositions/`
  const kind = draw()
  const line = () => ({
    item: any(source, 'plain_item'),
    price: pick(draw, ['23.00', '5.00', 'x']),
    cart_id: pick(draw, ['one@api', 'two@api', 'three', undefined]),
    ...(chance(source, 0.2) ? { variation: any(source, 'variation') } : {}),
    ...(chance(source, 0.2) ? { attendee_email: 'ann@example.org' } : {}),
    ...(chance(source, 0.2) ? { expires: '2030-01-01T00:00:00Z' } : {}),
    ...(chance(source, 0.1) ? { voucher: pick(draw, [...stage.of('voucher_code'), 'NOSUCHVOUCHER']) } : {}),
  })
  if (kind < 0.5) {
    const made = await stage.ask('POST', path, line())
    if (made.status === 201) stage.add('cart', (made.body as Row).id)
  } else if (kind < 0.6) await stage.ask('POST', `${path}bulk_create/`, [line(), line()])
  else if (kind < 0.7) {
    const id = any(source, 'cart')
    if ((await stage.ask('DELETE', `${path}${id}/`)).status === 204) stage.drop('cart', id)
  } else if (kind < 0.85) await stage.ask('GET', path)
  else await stage.ask('GET', `${path}${any(source, 'cart')}/`)
}

/** Moves money of gift cards, batches vouchers, and serves those who wait. */
export async function counter(source: Source): Promise<void> {
  const { draw, stage } = source
  const kind = draw()
  if (kind < 0.35)
    await stage.ask('POST', `giftcards/${any(source, 'gift_card')}/transact/`, {
      value: pick(draw, ['5.00', '-5.00', '-999.00', 'x', '0.00']),
      ...(chance(source, 0.5) ? { text: 'At the counter' } : {}),
    })
  else if (kind < 0.5) await stage.ask('GET', `giftcards/${any(source, 'gift_card')}/transactions/`)
  else if (kind < 0.7)
    await stage.ask('POST', `${ev}vouchers/batch_create/`, [
      { code: `BATCH${Math.floor(draw() * 1e5)}`, max_usages: pick(draw, [1, 5]) },
      pick(draw, [{ code: `BATCH${Math.floor(draw() * 1e5)}` }, { code: 'x' }, { price_mode: 'x' }]),
    ])
  else if (kind < 0.85)
    await stage.ask('POST', `${ev}waitinglistentries/${any(source, 'waiting')}/send_voucher/`, {})
  else await stage.ask('GET', pick(draw, [`${ev}`, 'events/', '', 'subevents/']))
}
