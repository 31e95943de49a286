import assert from 'node:assert/strict'
import sql from 'sql-template-tag'
import type { Shredder } from '../../../schema/actions/operations/shredders.ts'
import { isObject } from '../../../server/resource/input.ts'
import { quickest } from '../../support/engines/engines.ts'
import { endOfExport } from '../../support/ticketing/exports.ts'
import { type ShopServer, startShop } from '../../support/ticketing/orders.ts'

const black = '█'

/**
 * The fields that the reference changes for each kind, and to what, where everything was filled in. Two things are ours:
 * a name that is gone is null there instead of an empty text, and its parts are an empty object.
 */
const recorded: Readonly<Record<Shredder, Readonly<Record<string, unknown>>>> = {
  order_emails: { 'order.email': null, 'order.positions.0.attendee_email': null },
  phone_numbers: { 'order.phone': null },
  attendee_info: {
    'order.positions.0.attendee_name': null,
    'order.positions.0.attendee_name_parts': {},
    'order.positions.0.company': null,
    'order.positions.0.street': null,
    'order.positions.0.zipcode': null,
    'order.positions.0.city': null,
  },
  invoice_addresses: { 'order.invoice_address': null },
  question_answers: { 'order.positions.0.answers': [] },
  invoices: {
    'invoice.custom_field': black,
    'invoice.internal_reference': black,
    'invoice.invoice_to': black,
    'invoice.invoice_to_city': black,
    'invoice.invoice_to_company': black,
    'invoice.invoice_to_name': black,
    'invoice.invoice_to_state': black,
    'invoice.invoice_to_street': black,
    'invoice.invoice_to_zipcode': black,
    'invoice.lines.0.attendee_name': black,
    'invoice.lines.0.description': black,
    'invoice.payment_provider_text': black,
  },
  cachedtickets: {},
  payment_info: {},
  waiting_list: {
    'waiting.email': black,
    'waiting.name': null,
    'waiting.name_parts': {},
    'waiting.phone': black,
  },
}

/** What is gone or black as a whole. */
const wholes = ['name_parts', 'attendee_name_parts', 'invoice_address', 'answers']

/** The fields of something by their paths. */
function fieldsOf(value: unknown, path: string): [string, unknown][] {
  const isWhole = wholes.some((name) => path.endsWith(`.${name}`))
  if (isWhole || !(Array.isArray(value) || isObject(value))) return [[path, value]]
  return Object.entries(value).flatMap(([name, one]) => fieldsOf(one, path === '' ? name : `${path}.${name}`))
}

describe('each kind of personal data that is deleted', () => {
  let server: ShopServer
  let code: string
  before(async () => {
    server = await startShop(await quickest.open())
    const { shop } = server
    await server.ask(200, 'PATCH', '/settings/', { invoice_generate: 'admin', waiting_list_enabled: true })
    const us = { country: 'US', state: 'NY' }
    const ordered = await server.order({
      ...{ email: 'ada@example.org', phone: '+4930123456', payment_provider: 'banktransfer', status: 'n' },
      invoice_address: {
        ...{
          is_business: true,
          company: 'Ada Ltd',
          name_parts: { full_name: 'Ada B' },
          street: 'Ada Street',
        },
        ...{ ...us, zipcode: '20001', city: 'Adatown', internal_reference: 'ada-ref', custom_field: 'ada' },
      },
      positions: [
        {
          ...{ item: shop.ticket, attendee_name_parts: { full_name: 'Ada C' }, company: 'Ada Works', ...us },
          ...{ attendee_email: 'ada-c@example.org', street: 'Ada Road', zipcode: '10001', city: 'New Ada' },
          answers: [{ question: shop.allergies, answer: 'ada nuts', options: [] }],
        },
      ],
    })
    code = ordered.code
    await server.ask(201, 'POST', `/orders/${code}/create_invoice/`)
    const info = { payer: 'Ada D', reference: 'ada' }
    const paid = { state: 'confirmed', amount: '23.00', provider: 'banktransfer', info }
    await server.ask(201, 'POST', `/orders/${code}/payments/`, paid)
    await server.order({ positions: [{ item: shop.rare }, { item: shop.rare }] })
    await server.ask(201, 'POST', '/waitinglistentries/', {
      ...{ email: 'ada-w@example.org', name_parts: { full_name: 'Ada E' }, phone: '+4930654321' },
      item: shop.rare,
    })
    await server.ask(200, 'PATCH', '/', { live: false, date_from: '2020-01-01T10:00:00Z' })
  })
  after(() => server.close())

  async function fields(): Promise<ReadonlyMap<string, unknown>> {
    const first = async (path: string) =>
      (await server.ask<{ results: readonly unknown[] }>(200, 'GET', path)).results[0]
    const order = await server.ask(200, 'GET', `/orders/${code}/`)
    return new Map(
      fieldsOf(
        { order, invoice: await first('/invoices/'), waiting: await first('/waitinglistentries/') },
        '',
      ),
    )
  }

  async function shred(kind: Shredder): Promise<void> {
    const pathOf = (address: string) => address.slice(server.url.length)
    const headers = { Authorization: 'Token all' }
    const saved = await server.call('POST', `${server.ev}/shredders/export/`, { shredders: [kind] }, headers)
    const { download, shred: address } = saved.body as { download: string; shred: string }
    await endOfExport(server, pathOf(download))
    const begun = await server.call('POST', pathOf(address), undefined, headers)
    assert.equal(begun.status, 202, JSON.stringify(begun.body))
    const { status } = begun.body as { status: string }
    for (;;) {
      const answer = await server.call('GET', pathOf(status), undefined, headers)
      if (answer.status !== 409) return assert.equal(answer.status, 200, JSON.stringify(answer.body))
    }
  }

  for (const [kind, changes] of Object.entries(recorded) as [Shredder, Record<string, unknown>][])
    it(`changes the fields that the reference changes, and no other: ${kind}`, async () => {
      const before = await fields()
      await shred(kind)
      const changed = [...(await fields())].filter(
        ([path, value]) =>
          !path.endsWith('.last_modified') && JSON.stringify(value) !== JSON.stringify(before.get(path)),
      )
      assert.deepEqual(Object.fromEntries(changed.sort()), Object.fromEntries(Object.entries(changes).sort()))
    })

  it('leaves nothing of a payment but what was paid', async () => {
    const [payment] =
      await server.running.transactions.database.all(sql`SELECT amount, details FROM order_payment
      WHERE provider = 'banktransfer' AND state = 'confirmed' AND amount = 2300`)
    assert.deepEqual({ ...payment }, { amount: 2300, details: '{}' })
  })
})
