import assert from 'node:assert/strict'
import type { EventSettings } from '../../../schema/event-settings.ts'
import { eventSettings } from '../../../schema/event-settings.ts'
import { marksOf } from '../../../schema/fields.ts'
import { invoicePrefix, otherCurrency, taxSums } from '../../../server/domain/orders/invoices.ts'

const settings = (values: Partial<EventSettings> = {}): EventSettings => ({
  ...(Object.fromEntries(
    Object.entries(eventSettings).map(([name, { field }]) => [name, marksOf(field).default]),
  ) as EventSettings),
  ...values,
})

describe('the beginning of the number of an invoice', () => {
  const plain = { slug: 'gala', date: '2026-03-09', isCancellation: false, testmode: false }
  for (const [what, values, facts, expected] of [
    ['the slug', {}, {}, 'GALA-'],
    ['what is set', { invoice_numbers_prefix: 'R' }, {}, 'R'],
    ['the day', { invoice_numbers_prefix: '%Y/%y-%m-%d-%%-%x-' }, {}, '2026/26-03-09-%-%x-'],
    ['that of invoices for cancellations', { invoice_numbers_prefix: 'R' }, { isCancellation: true }, 'R'],
    [
      'what is set for cancellations',
      { invoice_numbers_prefix_cancellations: 'S' },
      { isCancellation: true },
      'S',
    ],
    ['nothing of cancellations for invoices', { invoice_numbers_prefix_cancellations: 'S' }, {}, 'GALA-'],
    ['a mark of the test mode', {}, { testmode: true }, 'GALA-TEST-'],
  ] as const)
    it(`is ${what}`, () => {
      assert.equal(invoicePrefix(settings(values), { ...plain, ...facts }), expected)
    })
})

describe('the taxes of an invoice', () => {
  it('are added up by rate and name, the highest rate first', () => {
    const line = (gross: number, tax: number, rate: number, name: string) => ({ gross, tax, rate, name })
    const lines = [
      line(500, 33, 700, 'A'),
      line(2300, 367, 1900, 'A'),
      line(100, 0, 0, ''),
      line(2300, 367, 1900, 'A'),
    ]
    assert.deepEqual(taxSums([...lines, line(1, 0, 1900, 'B')]), [
      { gross: 4600, tax: 734, net: 3866, rate: 1900, name: 'A' },
      { gross: 1, tax: 0, net: 1, rate: 1900, name: 'B' },
      { gross: 500, tax: 33, net: 467, rate: 700, name: 'A' },
      { gross: 100, tax: 0, net: 100, rate: 0, name: '' },
    ])
    assert.deepEqual(taxSums([]), [])
  })
})

describe('the currency beside that of an invoice', () => {
  for (const [wanted, currency, country, expected] of [
    ['True', 'EUR', 'CZ', 'CZK'],
    ['True', 'CZK', 'CZ', null],
    ['True', 'EUR', 'DE', null],
    ['False', 'EUR', 'CZ', null],
    ['PLN', 'EUR', 'DE', 'PLN'],
    ['PLN', 'PLN', 'DE', null],
  ] as const)
    it(`is ${expected} for ${country}, in ${currency}, set to ${wanted}`, () => {
      assert.equal(otherCurrency(settings({ invoice_eu_currencies: wanted }), currency, country), expected)
    })
})
