import assert from 'node:assert/strict'
import {
  type CardAfter,
  cardAfter,
  isCardExpired,
  limitProblem,
  mostOnCard,
  spendingProblem,
} from '../../../server/domain/orders/gift-cards.ts'

describe('a change of a gift card', () => {
  const rows: readonly [value: number, change: number, currency: string | null, CardAfter][] = [
    [0, 1000, null, { value: 1000 }],
    [1000, -999, null, { value: 1 }],
    [1000, -1000, null, { value: 0 }],
    [1000, -1001, null, { problem: 'insufficient' }],
    [0, -1, null, { problem: 'insufficient' }],
    [0, 0, null, { value: 0 }],
    [1000, -500, 'EUR', { value: 500 }],
    [1000, -500, 'USD', { problem: 'currency' }],
    [1000, -5000, 'USD', { problem: 'currency' }],
    [1000, 500, 'eur', { problem: 'currency' }],
    [0, mostOnCard, null, { value: mostOnCard }],
    [1, mostOnCard, null, { problem: 'too-much' }],
  ]
  for (const [value, change, currency, result] of rows)
    it(`of ${value} by ${change} in ${currency ?? 'its own currency'} gives ${JSON.stringify(result)}`, () =>
      assert.deepEqual(cardAfter({ value, currency: 'EUR' }, change, currency), result))
})

describe('a gift card', () => {
  const now = '2030-06-01T10:00:00.000000Z'
  const card = { value: 1000, currency: 'EUR', testmode: false, expires: null }
  const order = { currency: 'EUR', testmode: false }

  for (const [expires, expected] of [
    [null, false],
    ['2030-06-01T10:00:00Z', false],
    ['2030-06-01T09:59:59.999999Z', true],
    ['2030-06-01T10:00:00.000001Z', false],
  ] as const)
    it(`that ends at ${expires} ${expected ? 'has' : 'has not'} expired`, () =>
      assert.equal(isCardExpired({ expires }, now), expected))

  for (const [what, change, problem] of [
    ['is good', {}, null],
    ['of another currency', { currency: 'USD' }, 'currency'],
    ['for tests', { testmode: true }, 'testmode'],
    ['that has expired', { expires: '2030-05-31T10:00:00Z' }, 'expired'],
    ['that is used up', { value: 0 }, 'empty'],
    ['that is used up and has expired', { value: 0, expires: '2020-01-01T00:00:00Z' }, 'expired'],
  ] as const)
    it(`that ${what} ${problem === null ? 'can be spent' : 'cannot be spent'}`, () =>
      assert.equal(spendingProblem({ ...card, ...change }, order, now), problem))
})

describe('taking from a gift card without asking', () => {
  for (const [change, untold, limit, problem] of [
    [-1000, 0, 1000, null],
    [-1001, 0, 1000, 'limit'],
    [-400, -600, 1000, null],
    [-401, -600, 1000, 'limit'],
    [-1, 0, 0, 'off'],
    [-1, 0, -500, 'off'],
    [1, 0, 1000, 'raises'],
    [1, 0, 0, 'raises'],
    [0, -1000, 1000, null],
  ] as const)
    it(`${-change} after ${-untold} of ${limit} is ${problem === null ? 'possible' : `not (${problem})`}`, () =>
      assert.equal(limitProblem(change, untold, limit), problem))
})
