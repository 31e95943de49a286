import assert from 'node:assert/strict'
import fc from 'fast-check'
import {
  type BundledPart,
  bundlePrices,
  withoutBundled,
} from '../../../server/domain/pricing/bundle-prices.ts'
import { freePrice, isIncluded } from '../../../server/domain/pricing/line-prices.ts'
import type { TaxRuleFacts } from '../../../server/domain/pricing/taxes.ts'

const full: TaxRuleFacts = {
  id: 1,
  rate: 1900,
  price_includes_tax: true,
  eu_reverse_charge: false,
  home_country: '',
  keep_gross_if_rate_changes: false,
}
const less: TaxRuleFacts = { ...full, id: 2, rate: 700 }
const net: TaxRuleFacts = { ...full, price_includes_tax: false }
const european: TaxRuleFacts = { ...full, eu_reverse_charge: true, home_country: 'DE' }
const tenth: TaxRuleFacts = { ...full, rate: 1000 }
const abroad = { is_business: false, country: 'CH', vat_id: '', vat_id_validated: false }
const business = { is_business: true, country: 'AT', vat_id: 'ATU1', vat_id_validated: true }
const home = { ...business, country: 'DE' }

/** Parts as [count, price, rule]. */
type Parts = readonly (readonly [number, number, TaxRuleFacts | null])[]

const partsOf = (parts: Parts): BundledPart[] =>
  parts.map(([count, designated, rule]) => ({ count, designated, rule }))

/** Lines as [price, tax, rate]. */
type Line = readonly [number, number, number]

describe('the price of a product with others in it', () => {
  const rows: readonly (readonly [
    what: string,
    price: number,
    rule: TaxRuleFacts | null,
    parts: Parts,
    base: Line,
    bundled: readonly Line[],
    address?: typeof abroad,
    step?: number,
  ])[] = [
    ['is its own without any', 2300, full, [], [2300, 367, 1900], []],
    ['is its own net price without any', 5000, net, [], [5950, 950, 1900], []],
    [
      'is divided, each part with its tax',
      5000,
      full,
      [[1, 1000, less]],
      [4000, 639, 1900],
      [[1000, 65, 700]],
    ],
    ['is less by all of a part', 5000, full, [[2, 1000, less]], [3000, 479, 1900], [[1000, 65, 700]]],
    [
      'is less by several parts',
      5000,
      full,
      [
        [1, 1000, less],
        [3, 500, full],
      ],
      [2500, 399, 1900],
      [
        [1000, 65, 700],
        [500, 80, 1900],
      ],
    ],
    ['is nothing when the parts cost more', 1500, full, [[2, 1000, less]], [0, 0, 1900], [[1000, 65, 700]]],
    ['goes further down below zero', -500, full, [[1, 1000, less]], [-1500, -239, 1900], [[1000, 65, 700]]],
    [
      'is made gross before the parts go off',
      5000,
      net,
      [[1, 1000, less]],
      [4950, 790, 1900],
      [[1000, 65, 700]],
    ],
    ['has no tax without a rule', 5000, null, [[1, 1000, null]], [4000, 0, 0], [[1000, 0, 0]]],
    ['is taxed in the part alone', 5000, null, [[1, 1000, less]], [4000, 0, 0], [[1000, 65, 700]]],
    [
      'takes the price of a part as gross, whatever its rule',
      5000,
      full,
      [[1, 1000, { ...less, price_includes_tax: false }]],
      [4000, 639, 1900],
      [[1000, 65, 700]],
    ],
    ['keeps a part that costs nothing', 5000, full, [[1, 0, less]], [5000, 798, 1900], [[0, 0, 700]]],
    [
      'loses the tax abroad, and so do the parts',
      5000,
      european,
      [[1, 1000, european]],
      [3361, 0, 0],
      [[840, 0, 0]],
      abroad,
    ],
    [
      'loses the tax for a business in the union',
      5000,
      european,
      [[1, 1000, less]],
      [3361, 0, 0],
      [[1000, 65, 700]],
      business,
    ],
    ['keeps the tax at home', 5000, european, [[1, 1000, less]], [4000, 639, 1900], [[1000, 65, 700]], home],
    [
      'keeps the gross price where the rule says so',
      5000,
      { ...european, keep_gross_if_rate_changes: true },
      [[1, 1000, less]],
      [4000, 0, 0],
      [[1000, 65, 700]],
      abroad,
    ],
    [
      'is rounded to whole yen',
      500_000,
      tenth,
      [[1, 100_000, tenth]],
      [400_000, 36_400, 1000],
      [[100_000, 9100, 1000]],
      undefined,
      100,
    ],
    [
      'is made gross in whole yen',
      333_300,
      { ...tenth, price_includes_tax: false },
      [[1, 66_600, tenth]],
      [300_000, 27_300, 1000],
      [[66_600, 6100, 1000]],
      undefined,
      100,
    ],
  ]
  for (const [what, price, rule, parts, base, bundled, address = null, step = 1] of rows)
    it(what, () => {
      const prices = bundlePrices(price, rule, partsOf(parts), { address, step })
      const shown = ({ price: gross, tax, rate }: typeof prices.base): Line => [gross, tax, rate]
      assert.deepEqual(shown(prices.base), base)
      assert.deepEqual(prices.parts.map(shown), bundled)
    })

  it('is whole where a voucher gives the parts away', () => {
    const prices = bundlePrices(5000, full, partsOf([[2, 1000, less]]), { address: null, step: 1 }, true)
    assert.deepEqual(prices.base, { price: 5000, tax: 798, rate: 1900 })
    assert.deepEqual(prices.parts, [{ price: 0, tax: 0, rate: 700 }])
  })

  it('is lost nowhere', () => {
    const part = fc.record({
      count: fc.integer({ min: 1, max: 3 }),
      designated: fc.integer({ min: 0, max: 1000 }),
      rule: fc.constantFrom(full, less, null),
    })
    fc.assert(
      fc.property(
        fc.integer({ min: 10_000, max: 100_000 }),
        fc.array(part, { maxLength: 3 }),
        (price, parts) => {
          const prices = bundlePrices(price, full, parts, { address: null, step: 1 })
          const bundled = prices.parts.reduce(
            (sum, one, index) => sum + one.price * (parts[index]?.count ?? 0),
            0,
          )
          assert.equal(prices.base.price + bundled, price)
        },
      ),
    )
  })

  for (const [gross, bundled, left] of [
    [1000, 0, 1000],
    [1000, 400, 600],
    [1000, 1000, 0],
    [1000, 1001, 0],
    [0, 5, 0],
    [-1, 5, -6],
  ] as const)
    it(`is ${left} of ${gross} without ${bundled}`, () => {
      assert.equal(withoutBundled(gross, bundled), left)
    })
})

describe('a price that a buyer may raise', () => {
  const charged = { price: 1190, rate: 1900 }
  for (const [typed, step, price] of [
    [null, 1, 1190],
    [{ amount: 1189, isNet: false }, 1, 1190],
    [{ amount: 1190, isNet: false }, 1, 1190],
    [{ amount: 2000, isNet: false }, 1, 2000],
    [{ amount: 999, isNet: true }, 1, 1190],
    [{ amount: 1000, isNet: true }, 1, 1190],
    [{ amount: 1001, isNet: true }, 1, 1191],
    [{ amount: 2000, isNet: true }, 1, 2380],
    [{ amount: 2000, isNet: true }, 100, 2400],
    [{ amount: 0, isNet: false }, 1, 1190],
  ] as const)
    it(`is ${price} when ${JSON.stringify(typed)} is typed, in steps of ${step}`, () => {
      assert.equal(freePrice(charged, typed, step), price)
    })
})

describe('an add-on', () => {
  for (const [price_included, voucher, included] of [
    [false, null, false],
    [true, null, true],
    [false, { all_addons_included: false }, false],
    [false, { all_addons_included: true }, true],
  ] as const)
    it(`${included ? 'costs nothing' : 'costs something'}: ${price_included}, ${JSON.stringify(voucher)}`, () => {
      assert.equal(isIncluded({ price_included }, voucher), included)
    })
})
