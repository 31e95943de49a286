import assert from 'node:assert/strict'
import { type Fields, type Kind, marksOf } from '../../schema/fields.ts'
import type { Resource } from '../../schema/resource.ts'
import { resourceByName } from '../../schema/resources/index.ts'
import type { RowData } from '../../server/resource/codec.ts'
import { blankRow } from '../../server/resource/defaults.ts'
import { isGiven, maskedFields } from '../../server/resource/mask.ts'
import { insertRow, storedFields, updateRow } from '../../server/resource/store.ts'
import type { Place, Tx } from '../../server/resource/transactions.ts'
import { indexOrders } from '../../server/services/orders/order-search-text.ts'
import { replicated } from '../../server/sync/feed/replicated.ts'
import { description } from '../support/servers/described.ts'
import { startTestServer, type TestServer } from '../support/servers/servers.ts'
import { addDevice } from '../support/ticketing/tickets.ts'

const copying = ['full', 'boxoffice', 'scan', 'kiosk', 'gate', 'pretixscan', 'pretixpos'] as const
type Copying = (typeof copying)[number]

/** Profiles that are online only, each with one that is given the same and may have a copy. */
const online = { pretixscan_online_kiosk: 'kiosk', pretixscan_online_noorders: 'scan' } as const

const profiles = [...copying, ...(Object.keys(online) as (keyof typeof online)[])] as const
type Profile = (typeof profiles)[number]

const isOnline = (profile: Profile): profile is keyof typeof online => profile in online

/** What is planted in each field, and by what it is known again in an answer or a copy. */
const marks = new Map<string, readonly string[]>()
let amounts = 0

function planted(name: string, kind: Kind): unknown {
  const text = `zq-${name}-qz`
  switch (kind) {
    case 'text':
      marks.set(name, [text])
      return text
    case 'multilingual':
      marks.set(name, [text])
      return { en: text }
    case 'texts':
      marks.set(name, [text])
      return [text]
    case 'money': {
      amounts += 1
      const [whole, cents] = [70_000 + amounts, 11 + amounts]
      marks.set(name, [`"${whole}.${cents}"`, `${whole}${cents}`])
      return `${whole}.${cents}`
    }
    default:
      return undefined
  }
}

/** A row whose every text and amount says which field it is; fields of few words or of a form keep what they need. */
function row(resource: Resource, values: RowData): RowData {
  const fields: Fields = storedFields(resource)
  const own = Object.entries(fields).flatMap(([name, field]) => {
    const isBound = 'enum' in field || ['slug', 'locale'].includes(name)
    if (name in values || isBound) return []
    const value = planted(`${resource.name}.${name}`, marksOf(field).kind)
    return value === undefined ? [] : [[name, value]]
  })
  return { ...blankRow(resource), ...Object.fromEntries(own), ...values }
}

const inJson = (name: string): string => {
  marks.set(name, [`zq-${name}-qz`])
  return `zq-${name}-qz`
}

/** Ids that stand in paths, by the resource that the path before them is about. */
type Ids = Readonly<Record<string, string | number>>

async function plant(server: TestServer): Promise<Ids> {
  const { organizer, event } = server
  const { transactions } = server.running
  return transactions.write(async (tx: Tx) => {
    const gala: Place = { organizer, event }
    const ofOrganizer: Place = { organizer, event: 0 }
    const ids: Record<string, number> = {}
    const add = async (name: string, values: RowData = {}, as = name): Promise<number> => {
      const resource = resourceByName.get(name)
      assert.ok(resource, name)
      const id = tx.nextId()
      const place = resource.scope === 'event' ? gala : ofOrganizer
      await insertRow(tx, resource, place, { ...row(resource, values), id })
      ids[as] = id
      return id
    }
    const now = tx.now
    const secretSettings = {
      mail_from_name: inJson('settings.mail_from_name'),
      name_scheme: 'full',
      timezone: 'Europe/Berlin',
      locale: 'en',
      locales: ['en'],
    }
    const eventResource = resourceByName.get('event')
    assert.ok(eventResource)
    await updateRow(tx, eventResource, ofOrganizer, { id: event, settings: secretSettings })
    await add('sales_channel', { identifier: 'planted', position: 1 })
    await add('membership_type', { max_usages: 1 })
    await add('gift_card', { currency: 'EUR', expires: null })
    await add('gift_card_transaction', { datetime: now, gift_card: Number(ids.gift_card) })
    await add('gate', { identifier: 'g' })
    await add('device', {
      ...{ device_id: 77, limit_events: [], created: now, initialized: now, security_profile: 'scan' },
      ...{ info: { note: inJson('device.info') }, site: 4, site_end: 5, former_sites: null, gate: ids.gate },
    })
    await add('category', { position: 1 })
    await add('tax_rule', { rate: '19.00', home_country: 'DE' })
    const item = await add('item', {
      ...{ category: ids.category, tax_rule: ids.tax_rule, picture: null, sales_channels: ['web'] },
      ...{ generate_tickets: true, admission: true, meta_data: {} },
    })
    const variation = await add('variation', { item, sales_channels: ['web'] })
    await add('item_addon', { item, addon_category: ids.category })
    await add('item_bundle', { item, bundled_item: item, count: 1 })
    const quota = await add('quota', { size: 10, items: [item], variations: [variation], position: 1 })
    await add('quota_lease', {
      ...{ quota, device: ids.device, site: 4, size: 1, state: 'open', created: now, until: now },
    })
    const voucher = await add('voucher', { item, max_usages: 1, price_mode: 'none' })
    const discount = await add('discount', { sales_channels: ['web'], position: 1 })
    const asked = { type: 'S', items: [item], position: 1, identifier: 'asked', dependency_values: [] }
    const question = await add('question', { ...asked, ask_during_checkin: true })
    const silent = await add('question', { ...asked, identifier: 'silent' }, 'silent')
    await add('question_option', { question, position: 1, identifier: 'o', active: true })
    const list = await add('checkin_list', {
      ...{ all_products: true, rules: {}, auto_checkin_sales_channels: [], allow_multiple_entries: true },
    })
    const order = await add('order', {
      ...{
        code: 'PLANT',
        status: 'p',
        datetime: now,
        expires: now,
        last_modified: now,
        sales_channel: 'web',
      },
      ...{ payment_date: '2030-01-01', custom_followup_at: '2030-01-02', cancellation_date: null },
      comment: `${inJson('order.comment')}\nReference: ${inJson('order.reference')}`,
      invoice_address: {
        ...{ last_modified: now, name: inJson('invoice.name'), company: inJson('invoice.company') },
        ...{ name_parts: {}, street: inJson('invoice.street'), vat_id: inJson('invoice.vat_id') },
        ...{
          is_business: true,
          zipcode: inJson('invoice.zipcode'),
          city: inJson('invoice.city'),
          country: 'DE',
        },
        ...{ state: '', internal_reference: inJson('invoice.internal_reference'), vat_id_validated: false },
        custom_field: inJson('invoice.custom_field'),
      },
    })
    const position = await add('order_position', {
      ...{ item, variation, order_id: order, positionid: 1, voucher, discount, tax_rule: ids.tax_rule },
      ...{
        tax_rate: '19.00',
        name_key: 'zq-order_position.attendee_name-qz',
        addon_to: null,
        seat_id: null,
        subevent: null,
        blocked: null,
      },
      ...{ attendee_name_parts: { _scheme: 'full', full_name: inJson('attendee.full_name') }, seat: null },
      answers: [
        { question, answer: inJson('answer.asked'), options: [] },
        { question: silent, answer: inJson('answer.silent'), options: [] },
      ],
    })
    await indexOrders(tx, gala, [order])
    const part = { order_id: order, details: { iban: inJson('details.iban') } }
    await add('order_fee', { ...part, tax_rate: '0.00', tax_rule: null, fee_type: 'service' })
    await add('order_payment', { ...part, local_id: 1, state: 'confirmed', created: now })
    await add('order_refund', { ...part, local_id: 1, state: 'done', source: 'admin', created: now })
    await add('print_log', { position, datetime: now, created: now, info: {}, type: 'badge' })
    await add('revoked_secret', { created: now, position: null })
    await add('blocked_secret', { blocked: true, updated: now, position: null })
    await add('checkin', {
      ...{ list, position, successful: true, datetime: now, created: now, type: 'entry', error_reason: null },
      ...{ gate: ids.gate, device: ids.device, site: 0 },
    })
    await add('conflict', {
      ...{ position, list, datetime: now, detected: now, kind: 'double_entry', severity: 'warning' },
      ...{ state: 'open', data: { nonce: inJson('conflict.data.nonce') } },
    })
    const card = { gift_card: ids.gift_card, taken: inJson('conflict.data.taken') }
    await add('conflict', {
      ...{ datetime: now, detected: now, kind: 'overdrawn_card', severity: 'warning', state: 'open' },
      data: { ...card, short: inJson('conflict.data.short'), code: inJson('conflict.data.code') },
    })
    await add('event_key', {
      ...{ scheme: 'gatehouse_1', key_id: 1, created: now, public_key: 'public', retired: null },
    })
    for (const [index, profile] of profiles.entries())
      await addDevice(tx, organizer, 100 + index, profile, { security_profile: profile, gate: ids.gate })
    return { ...ids, order: 'PLANT' }
  })
}

/** The fields whose marks occur in some texts. */
const found = (texts: readonly string[]): Set<string> =>
  new Set(
    [...marks].flatMap(([name, known]) =>
      known.some((mark) => texts.some((text) => text.includes(mark))) ? [name] : [],
    ),
  )

/** Every address that can be read, with the planted rows in it. */
function addresses(ids: Ids): string[] {
  const below: Readonly<Record<string, string>> = Object.fromEntries(
    [...resourceByName.values()].flatMap(({ name, path }) => (path === null ? [] : [[path, name]])),
  )
  return Object.entries(description.paths).flatMap(([path, methods]) => {
    if (!('get' in methods) || path.includes('/sync/')) return []
    const parts = path.split('/')
    const real = parts.map((part, index) => {
      if (!part.startsWith('{')) return part
      if (part === '{organizer}') return 'acme'
      if (part === '{event}') return 'gala'
      const of = below[parts[index - 1] ?? ''] ?? (parts[index - 1] === 'positions' ? 'order_position' : '')
      return String(ids[of] ?? 1)
    })
    return [real.join('/')]
  })
}

const everything = [
  'pdf_data=true',
  'include_canceled_positions=true',
  'include_canceled_fees=true',
  ...['item', 'variation', 'subevent', 'answers.question'].flatMap((one) => [
    `expand=${one}`,
    `expand=positions.${one}`,
  ]),
].join('&')

const of = (resource: string, ...fields: readonly string[]): string[] =>
  fields.map((field) => `${resource}.${field}`)

/** What no device is given. */
const fromAll = ['device.initialization_token', 'device.token_hash', 'event_key.private_key']

/** What only those who sell are given. */
const ofTheSale = [
  ...of('device', 'info', 'hardware_brand', 'hardware_model', 'os_name', 'os_version'),
  ...of('device', 'software_brand', 'software_version'),
  ...of('gift_card', 'secret', 'value', 'conditions'),
  ...of('gift_card_transaction', 'value', 'event', 'order', 'text'),
  ...of('voucher', 'code', 'value', 'seat', 'tag', 'comment', 'budget', 'budget_used'),
  ...of('discount', 'internal_name', 'condition_min_value'),
  ...of('tax_rule', 'name', 'internal_name'),
  ...of('sales_channel', 'label', 'type'),
  ...['membership_type.name', 'quota.name', 'settings.mail_from_name', 'item_bundle.designated_price'],
  ...[
    ...of('item', 'default_price', 'original_price'),
    ...of('variation', 'default_price', 'original_price'),
  ],
  ...of('order', 'comment', 'secret', 'phone', 'customer', 'payment_provider'),
  ...of('invoice', 'street', 'zipcode', 'city', 'vat_id', 'internal_reference', 'custom_field'),
  ...of('order_position', 'tax_value', 'voucher_budget_use'),
  ...of('order_fee', 'value', 'description', 'internal_type', 'tax_value'),
  ...of('order_payment', 'amount', 'provider'),
  ...[...of('order_refund', 'amount', 'comment', 'provider'), 'details.iban'],
  ...of('conflict.data', 'taken', 'short', 'code'),
]

/** What is given to who looks people up, but not to an entrance. */
const ofTheSearch = [
  ...of('order', 'email', 'total', 'reference'),
  ...of('invoice', 'name', 'company'),
  ...of(
    'order_position',
    'price',
    'attendee_email',
    'company',
    'street',
    'zipcode',
    'city',
    'country',
    'state',
  ),
  'answer.silent',
]

const keptFrom: Readonly<Record<Copying, readonly string[]>> = {
  full: fromAll,
  boxoffice: fromAll,
  scan: [...fromAll, ...ofTheSale],
  pretixscan: [...fromAll, ...ofTheSale],
  pretixpos: fromAll,
  kiosk: [...fromAll, ...ofTheSale, ...ofTheSearch],
  gate: [...fromAll, ...ofTheSale, ...ofTheSearch],
}

/** What a copy needs beside what those who look at it are shown: to decide and to explain without a connection. */
const onlyInCopies = [
  ...[
    ...of('device', 'unique_serial', 'name', 'update_failure'),
    ...of('checkin_list', 'exit_all_local', 'exit_all_done'),
  ],
  ...of('checkin', 'error_explanation', 'nonce', 'raw_barcode', 'raw_source_type'),
  ...of('conflict', 'note', 'resolved_by', 'data.nonce'),
]

/** What an entrance needs. */
const ofTheEntrance = [
  ...of('order_position', 'attendee_name', 'secret'),
  ...[
    'item.name',
    'variation.value',
    'category.name',
    'checkin_list.name',
    'answer.asked',
    'question.question',
  ],
  ...['order.checkin_text', 'item.checkin_text', 'variation.checkin_text'],
]

describe('what a security profile may not see', () => {
  let server: TestServer
  let ids: Ids
  const seen = new Map<Profile, Set<string>>()
  const held = new Map<Profile, Set<string>>()

  before(async () => {
    server = await startTestServer()
    ids = await plant(server)
    for (const profile of profiles) {
      const headers = { Authorization: `Device ${profile}` }
      const texts: string[] = []
      const ask = async (method: string, path: string, body?: RowData): Promise<number> => {
        const answer = await server.call(method, path, body, headers)
        texts.push(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body))
        return answer.status
      }
      for (const path of addresses(ids)) await ask('GET', `${path}?${everything}&list=${ids.checkin_list}`)
      const secret = 'zq-order_position.secret-qz'
      const at = `${server.ev}/checkinlists/${ids.checkin_list}/positions/${secret}/redeem/?${everything}`
      assert.equal(await ask('POST', at, {}), 201)
      const rpc = { lists: [ids.checkin_list], secret, type: 'exit' }
      assert.equal(await ask('POST', `${server.org}/checkinrpc/redeem/?${everything}`, rpc), 201)
      seen.set(profile, found(texts))
      const copy = await server.call('GET', `${server.org}/sync/snapshot/`, undefined, headers)
      assert.equal(copy.status, isOnline(profile) ? 403 : 200, profile)
      held.set(profile, found([String(copy.body)]))
    }
  })
  after(() => server.close())

  for (const profile of copying)
    it(`is not in the copy of ${profile}, which holds everything else`, () => {
      const withheld = [...marks.keys()].filter((name) => !held.get(profile)?.has(name))
      assert.deepEqual(withheld.toSorted(), keptFrom[profile].toSorted())
    })

  for (const profile of profiles) {
    it(`is shown to ${profile} by no address that can be asked`, () => {
      const known = held.get(isOnline(profile) ? online[profile] : profile) ?? new Set()
      assert.deepEqual(
        [...(seen.get(profile) ?? [])].filter((name) => !known.has(name)),
        [],
      )
    })

    it(`is not what ${profile} needs at an entrance`, () => {
      const shown = seen.get(profile)
      assert.deepEqual(
        ofTheEntrance.filter((name) => !shown?.has(name)),
        [],
      )
    })
  }

  it('is little more in a copy than what the same device could ask for', () => {
    for (const profile of ['scan', 'kiosk', 'gate'] as const) {
      const shown = seen.get(profile)
      const more = [...(held.get(profile) ?? [])].filter((name) => !shown?.has(name))
      assert.deepEqual(more.toSorted(), onlyInCopies.toSorted(), profile)
    }
  })

  it('finds nobody either', async () => {
    const counted = async (query: string, device: string): Promise<number> => {
      const answer = await server.call('GET', `${server.ev}/orders/?${query}`, undefined, {
        Authorization: `Device ${device}`,
      })
      return (answer.body as { count: number }).count
    }
    assert.deepEqual(
      [await counted('search=zq-order.comment', 'full'), await counted('search=zq-order.comment', 'scan')],
      [1, 0],
    )
    for (const query of ['search=zq-order.reference', 'search=zq-order.email', 'search=zq-invoice.company'])
      assert.equal(await counted(query, 'scan'), 1, query)
    // A filter that says whether a guess was right is no filter.
    for (const query of ['customer=guess', 'payment_provider=guess'])
      assert.deepEqual([await counted(query, 'full'), await counted(query, 'scan')], [0, 1], query)
    const positions = `${server.ev}/checkinlists/${ids.checkin_list}/positions/`
    for (const query of ['voucher=7', 'voucher__code=guess', 'voucher__in=7,8']) {
      const answer = await server.call('GET', `${positions}?${query}`, undefined, {
        Authorization: 'Device scan',
      })
      assert.equal((answer.body as { count: number }).count, 1, query)
    }
  })

  it('finds nobody for an entrance that looks for what it is not given', async () => {
    const counted = async (words: string, device: string): Promise<number> => {
      const path = `${server.org}/checkinrpc/search/?list=${ids.checkin_list}&ignore_status=true&search=${words}`
      const answer = await server.call('GET', path, undefined, { Authorization: `Device ${device}` })
      assert.equal(answer.status, 200)
      return (answer.body as { count: number }).count
    }
    const given = ['zq-order_position.attendee_name', 'plan', 'zq-order_position.secr']
    const others = [
      'zq-order.email',
      'zq-order_position.attendee_email',
      'zq-invoice.company',
      'zq-order.reference',
    ]
    for (const words of [...given, ...others]) {
      assert.equal(await counted(words, 'pretixscan'), 1, words)
      for (const device of ['pretixscan_online_kiosk', 'kiosk', 'gate'])
        assert.equal(await counted(words, device), given.includes(words) ? 1 : 0, `${device}: ${words}`)
    }
  })

  it('is pointed at by nothing that is given', () => {
    for (const audience of ['entrance', 'checkin'] as const)
      for (const resource of replicated.filter((one) => isGiven(one, audience)))
        for (const [name, field] of Object.entries(storedFields(resource))) {
          const to = resourceByName.get(marksOf(field).to ?? '')
          if (to?.replicate && !maskedFields(resource, audience).has(name))
            assert.ok(isGiven(to, audience), `${audience}: ${resource.name}.${name}`)
        }
  })
})
