import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { RowData } from '../../../server/resource/codec.ts'
import { type QueuedFact, sentFactOf } from '../../../server/sync/outbox/outbox.ts'
import { readSentOrder } from '../../../server/sync/receive/orders/order-payload.ts'
import { asking } from '../../support/servers/asking.ts'
import { countOf, startPair, type TestNode, until, type Venue } from '../../support/servers/nodes.ts'
import type { TestServer } from '../../support/servers/servers.ts'

const questionTypes = ['N', 'S', 'T', 'B', 'C', 'M', 'D', 'H', 'W', 'CC', 'TEL'] as const
const channel = `api.${'x'.repeat(195)}`
const long = 'x'.repeat(255)
const emptyAddress = {
  ...{ company: null, name: null, name_parts: null, street: null, zipcode: null, city: null, country: null },
  ...{ state: null, internal_reference: null, vat_id: null, custom_field: null },
}

describe('what a station has sold, however odd', () => {
  let central: TestServer
  let station: TestNode
  let venue: Venue
  let gift: number
  const ask = asking(() => central)
  const questions = new Map<string, { id: number; options: { id: number }[] }>()
  before(async () => {
    ;({ central, station, venue } = await startPair(['A']))
    const name = { en: 'Gift' }
    gift = Number((await ask('POST', `${central.ev}/items/`, 201, { name, default_price: '0.00' })).id)
    const items = [venue.item, gift]
    await ask('POST', `${central.ev}/quotas/`, 201, { name: 'House', size: 5000, items })
    for (const type of questionTypes) {
      const options = [{ answer: { en: 'Fish' } }, { answer: { en: 'Meat' } }]
      const asked = { question: { en: type }, type, items, ...(/^[CM]$/.test(type) ? { options } : {}) }
      const made = await ask('POST', `${central.ev}/questions/`, 201, asked)
      questions.set(type, made as unknown as { id: number; options: { id: number }[] })
    }
    await ask('POST', `${central.org}/saleschannels/`, 201, { identifier: channel, label: { en: 'Long' } })
    await until('the station knows of all this', async () => {
      const tables = ['item', 'quota', 'question', 'sales_channel'] as const
      for (const table of tables)
        if ((await countOf(station, table)) < (await countOf(central.running, table))) return false
      return true
    })
  })
  after(async () => {
    await station.close()
    await central.close()
  })

  const answer = (type: string, text: unknown, chosen = 0) => {
    const { id, options } = questions.get(type) ?? { id: 0, options: [] }
    const ids = options.slice(0, chosen).map((option) => option.id)
    return { answers: [{ question: id, answer: text, options: ids }] }
  }

  /** What is said of an order, and of its only position. */
  const cases: readonly (readonly [string, RowData, (() => RowData)?])[] = [
    ['as usual', {}],
    [
      'with blank fields',
      { phone: '', customer: '', email: '', locale: 'en', comment: '', checkin_text: '' },
    ],
    ['with blanks for a phone', { phone: '  ' }],
    ['through a channel with a long name', { sales_channel: channel }],
    ['with a long comment', { comment: 'c'.repeat(5000), checkin_text: 'c'.repeat(5000) }],
    ['with an empty address', { invoice_address: {} }],
    ['with an address of nothing', { invoice_address: emptyAddress }],
    [
      'with a full address',
      {
        invoice_address: {
          ...{
            is_business: true,
            company: long,
            name: long,
            street: 's'.repeat(1000),
            zipcode: '1',
            city: 'c',
          },
          ...{ country: 'US', state: 'NY', internal_reference: 'i', vat_id: 'V', custom_field: 'x' },
        },
      },
    ],
    [
      'for somebody without anything',
      {},
      () => ({
        ...{
          attendee_name: '',
          attendee_email: '',
          company: '',
          street: '',
          zipcode: '',
          city: '',
          country: '',
        },
        ...{ state: '', secret: '', valid_from: null },
      }),
    ],
    [
      'for a long name',
      {},
      () => ({ attendee_name_parts: { given_name: long, family_name: long }, secret: 's'.repeat(255) }),
    ],
    ['with a novel for an answer', {}, () => answer('T', 't'.repeat(70_000))],
    ['with a line for an answer', {}, () => answer('S', 'ü😀\nx')],
    ['with a decimal for an answer', {}, () => answer('N', '12.5')],
    ['with a number for an answer', {}, () => answer('N', 3)],
    ['with a yes for an answer', {}, () => answer('B', 'True')],
    ['with a no for an answer', {}, () => answer('B', false)],
    ['with a choice for an answer', {}, () => answer('C', null, 1)],
    ['with two choices for an answer', {}, () => answer('M', null, 2)],
    ['with a day for an answer', {}, () => answer('D', '2030-01-01')],
    ['with a time for an answer', {}, () => answer('H', '10:00')],
    ['with a moment for an answer', {}, () => answer('W', '0001-01-01T00:00:00Z')],
    ['with a country for an answer', {}, () => answer('CC', 'DE')],
    ['with a phone for an answer', {}, () => answer('TEL', '+49301234567')],
    [
      'with dates in every form',
      { expires: '2030-01-01T00:00:00+02:00', custom_followup_at: '2030-01-01', payment_date: '2030-01-01' },
      () => ({ valid_from: '2030-01-01', valid_until: '2030-01-02T10:00:00.123+02:00' }),
    ],
    ['for nothing', { payment_provider: null }, () => ({ item: gift })],
    ['for all the money', {}, () => ({ price: '99999999999.99' })],
    [
      'with fees of all sorts',
      {
        fees: [
          { fee_type: 'service', value: '10.00', _treat_value_as_percentage: true },
          { fee_type: 'giftcard', value: '-3.00', description: 'd'.repeat(190), internal_type: long },
        ],
      },
    ],
    ['before it is approved', { status: 'n', require_approval: true, payment_provider: null }],
    ['with details of a payment', { payment_info: { a: null, b: [1] } }],
    ['over the limit', { force: true }],
    ['as a test', { testmode: true }],
    ['under a code of its own', { code: 'ABCDEFGHABCDEF99' }],
    [
      'with an address for mail in capitals',
      { email: ' Ann@Example.org ' },
      () => ({ attendee_email: 'ä@ö.de' }),
    ],
  ]
  for (const [what, said, position] of cases)
    it(`is known upstream as it was sold: ${what}`, async () => {
      const made = await station.call('POST', `${central.ev}/orders/`, {
        ...{ status: 'p', payment_provider: 'manual', ...said },
        positions: [{ item: venue.item, ...position?.() }],
      })
      assert.equal(made.status, 201, JSON.stringify(made.body).slice(0, 500))
      const { code } = made.body as { code: string }
      await until('it is reported', async () => (await station.link()).queue === 0)
      const path = `${central.ev}/orders/${code}/`
      const upstream = await central.call('GET', path)
      assert.equal(upstream.status, 200)
      const plain = (body: unknown): unknown =>
        JSON.parse(JSON.stringify(body).replaceAll(station.url, central.url), (key, value) =>
          // Each server tells what can be had from it.
          key === 'downloads' ? null : value,
        )
      assert.deepEqual(plain((await station.call('GET', path)).body), plain(upstream.body))
    })

  it('is complete where a program that does not know every field of an address has sold it', async () => {
    const invoice_address = { company: 'Acme', country: 'DE' }
    const made = await station.call('POST', `${central.ev}/orders/`, {
      ...{ status: 'p', payment_provider: 'manual', invoice_address, positions: [{ item: venue.item }] },
    })
    assert.equal(made.status, 201)
    const row = await station.transactions.database.get<QueuedFact & Record<string, never>>(
      sql`SELECT * FROM outbox WHERE kind = 'order' ORDER BY seq DESC LIMIT 1`,
    )
    assert.ok(row)
    const fact = sentFactOf(row)
    const { custom_field, ...older } = (fact.payload as { order: { invoice_address: RowData } }).order
      .invoice_address
    assert.equal(custom_field, null)
    const payload = { ...(fact.payload as RowData) }
    payload.order = { ...(payload.order as RowData), invoice_address: older }
    const read = readSentOrder({ ...fact, payload }).order.invoice_address
    assert.deepEqual(read, { ...older, custom_field: null })
  })
})
