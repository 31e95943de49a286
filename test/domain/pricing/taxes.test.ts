import assert from 'node:assert/strict'
import fc from 'fast-check'
import { smallestAmount } from '../../../server/domain/pricing/rounding.ts'
import {
  chargedPrice,
  grossOfNet,
  rateFor,
  type TaxRuleFacts,
  taxInGross,
} from '../../../server/domain/pricing/taxes.ts'

const rule: TaxRuleFacts = {
  id: 1,
  rate: 1900,
  price_includes_tax: true,
  eu_reverse_charge: true,
  home_country: 'DE',
  keep_gross_if_rate_changes: false,
}

const buyer = { is_business: false, country: '', vat_id: '', vat_id_validated: false }
const business = { is_business: true, vat_id: 'ATU1', vat_id_validated: true }

describe('the tax in a gross price', () => {
  for (const [gross, rate, step, tax] of [
    [2300, 1900, 1, 367],
    [11_900, 1900, 1, 1900],
    [10_000, 0, 1, 0],
    [0, 1900, 1, 0],
    [1, 1900, 1, 0],
    [-2300, 1900, 1, -367],
    [107, 700, 1, 7],
    [50, 10_000, 1, 25],
    [120_000, 1000, 100, 10_900],
    [9_999_999_999_999, 1900, 1, 1_596_638_655_462],
  ] as const)
    it(`is ${tax} in ${gross} at ${rate / 100} % in steps of ${step}`, () => {
      assert.equal(taxInGross(gross, rate, step), tax)
    })

  it('is what was put on a net price', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000_000 }),
        fc.integer({ min: 0, max: 10_000 }),
        (net, rate) => {
          const gross = grossOfNet(net, rate, 1)
          assert.equal(gross - taxInGross(gross, rate, 1), net)
        },
      ),
    )
  })
})

describe('the rate for a buyer', () => {
  for (const [who, address, rate] of [
    ['without an address', null, 1900],
    ['without a country', { ...buyer, ...business }, 1900],
    ['at home', { ...buyer, ...business, country: 'DE' }, 1900],
    ['in another country of the union', { ...buyer, country: 'AT' }, 1900],
    ['who is a business there', { ...buyer, ...business, country: 'AT' }, 0],
    [
      'who is a business there without a checked number',
      { ...buyer, is_business: true, vat_id: 'ATU1', country: 'AT' },
      1900,
    ],
    ['outside of the union', { ...buyer, country: 'CH' }, 0],
  ] as const)
    it(`is ${rate / 100} % for one ${who}`, () => {
      assert.equal(rateFor(rule, address), rate)
    })

  it('is the rule’s where there is no reverse charge', () => {
    assert.equal(rateFor({ ...rule, eu_reverse_charge: false }, { ...buyer, country: 'CH' }), 1900)
  })
})

describe('a charged price', () => {
  const abroad = { ...buyer, country: 'CH' }
  for (const [what, given, address, charged] of [
    ['is the listed one without a rule', null, null, { price: 1190, rate: 0 }],
    ['is the listed one where that includes the tax', rule, null, { price: 1190, rate: 1900 }],
    [
      'has the tax put on a net one',
      { ...rule, price_includes_tax: false },
      null,
      { price: 1416, rate: 1900 },
    ],
    ['keeps the net part for a buyer who pays no tax', rule, abroad, { price: 1000, rate: 0 }],
    [
      'is the net one for that buyer',
      { ...rule, price_includes_tax: false },
      abroad,
      { price: 1190, rate: 0 },
    ],
    [
      'keeps the gross one where the rule says so',
      { ...rule, keep_gross_if_rate_changes: true },
      abroad,
      { price: 1190, rate: 0 },
    ],
  ] as const)
    it(what, () => {
      assert.deepEqual(chargedPrice(1190, given, address, 1), charged)
    })
})

describe('a charged price in every direction', () => {
  const home = { ...buyer, ...business, country: 'DE' }
  const union = { ...buyer, ...business, country: 'AT' }
  const person = { ...buyer, country: 'AT' }
  const abroad = { ...buyer, country: 'CH' }
  const net = { ...rule, price_includes_tax: false }
  const kept = { ...rule, keep_gross_if_rate_changes: true }
  const keptNet = { ...net, keep_gross_if_rate_changes: true }
  const local = { ...rule, eu_reverse_charge: false }
  const tenth = { ...rule, rate: 1000 }
  const tenthNet = { ...net, rate: 1000 }
  const odd = { ...rule, rate: 725 }
  const free = { ...rule, rate: 0 }
  const yen = smallestAmount('JPY')
  const dinar = smallestAmount('KWD')
  const rows: readonly (readonly [
    listed: number,
    given: TaxRuleFacts,
    address: typeof buyer | null,
    step: number,
    price: number,
    rate: number,
  ])[] = [
    [2300, rule, null, 1, 2300, 1900],
    [2300, rule, buyer, 1, 2300, 1900],
    [2300, rule, home, 1, 2300, 1900],
    [2300, rule, person, 1, 2300, 1900],
    [2300, rule, union, 1, 1933, 0],
    [2300, rule, abroad, 1, 1933, 0],
    [2300, net, null, 1, 2737, 1900],
    [2300, net, home, 1, 2737, 1900],
    [2300, net, person, 1, 2737, 1900],
    [2300, net, union, 1, 2300, 0],
    [2300, net, abroad, 1, 2300, 0],
    [2300, kept, union, 1, 2300, 0],
    [2300, kept, abroad, 1, 2300, 0],
    [2300, keptNet, union, 1, 2737, 0],
    [2300, keptNet, null, 1, 2737, 1900],
    [2300, local, abroad, 1, 2300, 1900],
    [2300, local, union, 1, 2300, 1900],
    [2300, free, abroad, 1, 2300, 0],
    [999, odd, null, 1, 999, 725],
    [999, odd, abroad, 1, 931, 0],
    [999, { ...odd, price_includes_tax: false }, null, 1, 1071, 725],
    [0, rule, abroad, 1, 0, 0],
    [-2300, rule, abroad, 1, -1933, 0],
    [1_000_000, tenth, null, yen, 1_000_000, 1000],
    [1_000_000, tenth, abroad, yen, 909_100, 0],
    [333_300, tenthNet, null, yen, 366_600, 1000],
    [333_500, tenthNet, null, yen, 366_900, 1000],
    [333_300, tenthNet, abroad, yen, 333_300, 0],
    [1005, tenthNet, null, dinar, 1106, 1000],
    [1105, tenth, abroad, dinar, 1005, 0],
  ]
  for (const [listed, given, address, step, price, rate] of rows) {
    const kind = `${given.rate / 100} % ${given.price_includes_tax ? 'in' : 'on'} ${listed}`
    const where = address === null ? 'nobody known' : `${address.country || 'nowhere'} ${address.vat_id}`
    it(`is ${price} with ${rate / 100} % for ${where}: ${kind}, steps of ${step}`, () => {
      assert.deepEqual(chargedPrice(listed, given, address, step), { price, rate })
    })
  }
})
