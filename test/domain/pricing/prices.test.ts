import assert from 'node:assert/strict'
import fc from 'fast-check'
import { listedPrice, percentageOf, splitByTax } from '../../../server/domain/pricing/prices.ts'
import { divideHalfUp, smallestAmount } from '../../../server/domain/pricing/rounding.ts'

describe('rounding', () => {
  const cases: readonly (readonly [dividend: bigint, divisor: bigint, rounded: bigint])[] = [
    [0n, 3n, 0n],
    [1n, 3n, 0n],
    [1n, 2n, 1n],
    [-1n, 2n, -1n],
    [3n, 2n, 2n],
    [5n, 3n, 2n],
    [-5n, 3n, -2n],
    [14n, 10n, 1n],
    [15n, 10n, 2n],
    [10n ** 20n + 1n, 2n, (10n ** 20n + 2n) / 2n],
  ]
  for (const [dividend, divisor, rounded] of cases)
    it(`makes ${rounded} of ${dividend} / ${divisor}`, () => {
      assert.equal(divideHalfUp(dividend, divisor), rounded)
    })

  for (const [currency, step] of [
    ['EUR', 1],
    ['USD', 1],
    ['JPY', 100],
    ['KRW', 100],
    ['KWD', 1],
  ] as const)
    it(`knows that the smallest amount of ${currency} is ${step} hundredths`, () => {
      assert.equal(smallestAmount(currency), step)
    })
})

describe('a listed price', () => {
  const none = { itemOnDate: null, variation: null, variationOnDate: null }
  for (const [what, tags, price] of [
    ['the item’s own', { ...none, item: 2300 }, 2300],
    ['that of the item on the date', { ...none, item: 2300, itemOnDate: 2500 }, 2500],
    ['that of the variation', { ...none, item: 2300, itemOnDate: 2500, variation: 1000 }, 1000],
    [
      'that of the variation on the date',
      { item: 2300, itemOnDate: 2500, variation: 1000, variationOnDate: 900 },
      900,
    ],
    ['nothing, where that is what is set', { ...none, item: 2300, variation: 0 }, 0],
  ] as const)
    it(`is ${what}`, () => {
      assert.equal(listedPrice(tags), price)
    })
})

describe('a fee', () => {
  it('is a percentage of what the positions cost', () => {
    assert.equal(percentageOf(2350, 1000, 1), 235)
    assert.equal(percentageOf(2355, 1000, 1), 236)
    assert.equal(percentageOf(-2355, 1000, 1), -236)
    assert.equal(percentageOf(50_000, 1000, 100), 5000)
    assert.equal(percentageOf(50_400, 1000, 100), 5000)
  })

  it('is divided among the taxes of the positions by their prices', () => {
    const lines = [
      { value: 1000, tax_rule: 1, tax_rate: 1900 },
      { value: 1000, tax_rule: 2, tax_rate: 700 },
      { value: 1000, tax_rule: 1, tax_rate: 1900 },
    ]
    assert.deepEqual(splitByTax(100, lines, 1), [
      { value: 33, tax_rule: 2, tax_rate: 700 },
      { value: 67, tax_rule: 1, tax_rate: 1900 },
    ])
  })

  it('is not taxed where the positions cost nothing', () => {
    const untaxed = [{ value: 250, tax_rule: null, tax_rate: 0 }]
    assert.deepEqual(splitByTax(250, [{ value: 0, tax_rule: 1, tax_rate: 1900 }], 1), untaxed)
    assert.deepEqual(splitByTax(250, [], 1), untaxed)
  })

  it('loses nothing when it is divided', () => {
    const line = fc.record({
      value: fc.integer({ min: 0, max: 100_000 }),
      tax_rule: fc.constantFrom(1, 2, 3),
      tax_rate: fc.constantFrom(0, 700, 1900),
    })
    fc.assert(
      fc.property(fc.integer({ min: -10_000, max: 10_000 }), fc.array(line), (amount, lines) => {
        const parts = splitByTax(amount, lines, 1)
        assert.equal(
          parts.reduce((sum, part) => sum + part.value, 0),
          amount,
        )
      }),
    )
  })
})
