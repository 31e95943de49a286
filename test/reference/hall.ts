import { pick } from '../fuzz/invent.ts'
import type { Source } from './made-up.ts'

type Row = Readonly<Record<string, unknown>>

const ev = 'events/gala/'

const any = ({ draw, stage }: Source, kind: string): unknown =>
  stage.of(kind).length > 0 ? pick(draw, stage.of(kind)) : 99_999

const colour = '#ff0000'

const row = (number: string, category: string, seats: number): Row => ({
  row_number: number,
  row_number_position: 'both',
  position: { x: 0, y: Number(number) * 10 },
  seats: Array.from({ length: seats }, (_, index) => ({
    seat_guid: `row${number}-seat${index + 1}`,
    uuid: `row${number}-seat${index + 1}`,
    seat_number: String(index + 1),
    radius: 10,
    position: { x: index * 10, y: 0 },
    category,
  })),
})

/** A hall of two rows. */
const hall = {
  name: 'Hall',
  categories: [
    { name: 'Stalls', color: colour },
    { name: 'Circle', color: colour },
  ],
  zones: [
    {
      name: 'Ground',
      uuid: 'zone-ground',
      position: { x: 0, y: 0 },
      rows: [row('1', 'Stalls', 3), row('2', 'Circle', 2)],
      areas: [],
    },
  ],
  size: { width: 600, height: 400 },
}

/** Lays out a hall for the event. */
export async function seatHall(source: Source): Promise<void> {
  const { stage } = source
  const { body } = await stage.ask('POST', 'seatingplans/', { name: 'Hall', layout: hall })
  const plan = (body as Row).id
  stage.add('plan', plan)
  const ticket = stage.of('plain_item')[0]
  await stage.ask('PATCH', ev, {
    seating_plan: plan,
    seat_category_mapping: { Stalls: ticket, Circle: ticket, Gallery: ticket },
  })
  const { body: seats } = await stage.ask('GET', `${ev}seats/`)
  for (const { id, seat_guid: guid } of ((seats as Row).results ?? []) as Row[]) {
    stage.add('seat', id)
    stage.add('guid', guid)
  }
}

/** Looks for seats, blocks and sells them. */
export async function sitDown(source: Source): Promise<void> {
  const { draw, stage } = source
  const kind = draw()
  if (kind < 0.25)
    await stage.ask(
      'GET',
      `${ev}seats/?${pick(draw, ['', 'zone_name=Ground', 'row_name=1', 'row_label=1', 'seat_number=2', 'seat_label=1', 'seat_guid=row1-seat1', 'blocked=true', 'is_available=true', 'is_available=false', 'expand=orderposition', 'expand=cartposition', 'expand=voucher', 'page_size=2', 'ordering=-id'])}`,
    )
  else if (kind < 0.35)
    await stage.ask('GET', `${ev}seats/${any(source, 'seat')}/${pick(draw, ['', '?expand=orderposition'])}`)
  else if (kind < 0.45)
    await stage.ask(
      'PATCH',
      `${ev}seats/${any(source, 'seat')}/`,
      pick(draw, [{ blocked: true }, { blocked: false }, { blocked: 'x' }, {}]),
    )
  else if (kind < 0.5)
    await stage.ask('POST', `${ev}seats/${pick(draw, ['bulk_block', 'bulk_unblock'])}/`, {
      ...pick(draw, [
        { ids: [any(source, 'seat')] },
        { seat_guids: [any(source, 'guid')] },
        { seat_guids: ['x'] },
        { ids: ['x'] },
        {},
      ]),
    })
  else if (kind < 0.75) {
    const { status, body } = await stage.ask('POST', `${ev}orders/`, {
      email: 'ann@example.org',
      locale: 'en',
      status: 'p',
      payment_provider: 'manual',
      sales_channel: 'web',
      positions: [
        {
          item: stage.of('plain_item')[0],
          ...pick(draw, [
            { seat: any(source, 'guid') },
            { seat: any(source, 'guid') },
            { seat: 'x' },
            { seat: null },
            {},
          ]),
        },
      ],
    })
    if (status === 201)
      for (const one of ((body as Row).positions ?? []) as Row[]) {
        stage.add('position', one.id)
        stage.add('secret', one.secret)
        stage.add('order', (body as Row).code)
      }
  } else if (kind < 0.85)
    await stage.ask('PATCH', `${ev}orderpositions/${any(source, 'position')}/`, {
      seat: pick(draw, [any(source, 'guid'), 'x', null]),
    })
  else if (kind < 0.9) {
    await stage.ask('PATCH', ev, {
      seat_category_mapping: pick(draw, [
        { Stalls: any(source, 'plain_item') },
        { Stalls: 1 },
        { Loge: any(source, 'plain_item') },
        {},
        null,
      ]),
    })
    await stage.ask('GET', ev)
  } else
    await stage.ask(
      pick(draw, ['GET', 'GET', 'DELETE']),
      `seatingplans/${pick(draw, ['', `${any(source, 'plan')}/`, '1/'])}`,
    )
}

/** Wristbands and cards. */
export async function wristband(source: Source): Promise<void> {
  const { draw, stage } = source
  const kind = draw()
  const path = 'reusablemedia/'
  const body: Record<string, unknown> = {
    type: pick(draw, ['barcode', 'barcode', 'nfc_uid', 'x']),
    identifier: `BAND${Math.floor(draw() * 12)}`,
    ...pick(draw, [
      {},
      { linked_orderposition: any(source, 'position') },
      { linked_giftcard: any(source, 'gift_card') },
      { customer: any(source, 'customer') },
      { linked_orderposition: 1 },
    ]),
    ...pick(draw, [
      {},
      { active: false },
      { expires: '2020-01-01T00:00:00Z' },
      { notes: 'Red' },
      { info: { a: 1 } },
    ]),
  }
  if (kind < 0.35) {
    const { status, body: row } = await stage.ask('POST', path, body)
    if (status === 201) {
      stage.add('medium', (row as Row).id)
      stage.add('band', (row as Row).identifier)
    }
  } else if (kind < 0.5) {
    await stage.ask(
      'PATCH',
      `${path}${any(source, 'medium')}/`,
      pick(draw, [
        { active: true },
        { linked_orderposition: any(source, 'position') },
        { linked_orderposition: null },
        { linked_giftcard: null },
        { notes: 'x' },
        body,
        {},
      ]),
    )
  } else if (kind < 0.6)
    await stage.ask(
      'POST',
      `${path}lookup/${pick(draw, ['', '?expand=linked_orderposition', '?expand=customer'])}`,
      {
        type: 'barcode',
        identifier: pick(draw, [any(source, 'band'), 'unknown']),
      },
    )
  else if (kind < 0.75)
    await stage.ask(
      'GET',
      `${path}?${pick(draw, ['', 'type=barcode', 'identifier=BAND5', 'active=true', `customer=${any(source, 'customer')}`, `linked_orderposition=${any(source, 'position')}`, `linked_giftcard=${any(source, 'gift_card')}`, 'expand=linked_giftcard', 'expand=linked_orderposition', 'expand=customer', 'ordering=identifier', 'updated_since=2020-01-01T00:00:00Z', 'page_size=2'])}`,
    )
  else if (kind < 0.82) await stage.ask('GET', `${path}${any(source, 'medium')}/`)
  else
    await stage.ask('POST', 'checkinrpc/redeem/', {
      secret: String(any(source, 'band')),
      source_type: pick(draw, ['barcode', 'nfc_uid', 'x', undefined]),
      lists: [any(source, 'checkin_list')],
      ...pick(draw, [{}, { force: true }, { type: 'exit' }]),
    })
}

/** Admits over several lists, with what belongs to a ticket, and blocks tickets. */
export async function admit(source: Source): Promise<void> {
  const { draw, stage } = source
  const kind = draw()
  const expand = pick(draw, [
    '',
    '?expand=addons',
    '?expand=addons&expand=item',
    '?expand=addons.item',
    '?expand=item&expand=variation&expand=subevent',
    '?expand=answers.question',
    '?expand=order',
  ])
  const lists = pick(draw, [
    [any(source, 'checkin_list')],
    stage.of('checkin_list'),
    [stage.of('checkin_list')[0], stage.of('checkin_list')[0]],
  ])
  const secret = String(any(source, 'secret'))
  if (kind < 0.35)
    await stage.ask('POST', `checkinrpc/redeem/${expand}`, {
      secret,
      lists,
      ...pick(draw, [{}, { type: 'exit' }, { force: true }, { use_order_locale: true }]),
    })
  else if (kind < 0.5)
    await stage.ask(
      'POST',
      `${ev}checkinlists/${any(source, 'checkin_list')}/positions/${any(source, 'position')}/redeem/${expand}`,
      {},
    )
  else if (kind < 0.65)
    await stage.ask(
      'GET',
      `checkinrpc/search/${expand === '' ? '?' : `${expand}&`}list=${any(source, 'checkin_list')}&${pick(draw, ['search=ann', `secret=${secret}`, `order=${any(source, 'order')}`, 'search=', 'ignore_status=true&search=ann', 'ordering=attendee_name'])}`,
    )
  else if (kind < 0.75)
    await stage.ask(
      'POST',
      `${ev}orderpositions/${any(source, 'position')}/${pick(draw, ['add_block', 'remove_block'])}/`,
      {
        name: pick(draw, ['api:fraud', 'admin', 'fraud', undefined]),
      },
    )
  else if (kind < 0.85)
    await stage.ask(
      'GET',
      `${ev}${pick(draw, ['blockedsecrets/', 'blockedsecrets/?blocked=true', 'blockedsecrets/?updated_since=2020-01-01T00:00:00Z', 'revokedsecrets/'])}`,
    )
  else if (kind < 0.92) {
    const { status, body } = await stage.ask('POST', `${ev}auto_checkin_rules/`, {
      list: pick(draw, [null, any(source, 'checkin_list'), 1]),
      mode: pick(draw, ['placed', 'paid', 'x']),
      all_sales_channels: pick(draw, [true, false]),
      all_products: pick(draw, [true, false]),
      limit_products: [],
      limit_variations: [],
      all_payment_methods: true,
      ...pick(draw, [
        {},
        { limit_sales_channels: ['web'] },
        { limit_sales_channels: ['x'] },
        { all_payment_methods: false, limit_payment_methods: ['manual'] },
      ]),
    })
    if (status === 201) stage.add('rule', (body as Row).id)
  } else
    await stage.ask(
      'GET',
      `${ev}auto_checkin_rules/${pick(draw, ['', '?ordering=-id', `${any(source, 'rule')}/`])}`,
    )
}
