import assert from 'node:assert/strict'
import { type CartStock, type CartWish, grantWishes } from '../../../server/domain/quotas/carts.ts'
import type { QuotaFacts } from '../../../server/domain/quotas/quotas.ts'

const quota = (id: number, items: readonly number[]): QuotaFacts => ({
  ...{ id, name: `Q${id}`, size: 9, closed: false, items, variations: [], subevent: null },
})
const quotas = [quota(1, [10]), quota(2, [10, 20]), quota(3, [30])]
const stock = (
  left: readonly (readonly [number, number | null])[],
  uses: CartStock['uses'] = new Map(),
): CartStock => ({
  ...{ quotas, left: new Map(left), uses },
})
const wish = (items: readonly number[], values: Partial<CartWish> = {}): CartWish => ({
  lines: items.map((item) => ({ item, variation: null, subevent: null })),
  ...{ voucher: null, seat: null, seatProblem: null, ...values },
})
const outcomes = (wishes: readonly CartWish[], of: CartStock): string[] =>
  grantWishes(wishes, of).map((one) => {
    if (one === null) return 'given'
    if (one.kind !== 'quota') return one.kind
    return one.shortage.kind === 'used up' ? one.shortage.quota.name : 'none'
  })

describe('filling carts', () => {
  it('gives to those who come first, and to others what these leave', () => {
    const left = stock([
      [1, 1],
      [2, 2],
    ])
    assert.deepEqual(outcomes([wish([10]), wish([10]), wish([20]), wish([20])], left), [
      'given',
      'Q1',
      'given',
      'Q2',
    ])
  })

  it('gives a position and what comes with it together or not at all', () => {
    const left = stock([
      [1, 5],
      [2, 5],
      [3, 1],
    ])
    assert.deepEqual(outcomes([wish([10, 30, 30]), wish([10, 30]), wish([30])], left), ['Q3', 'given', 'Q3'])
  })

  it('gives without end where there is no limit', () => {
    assert.deepEqual(outcomes(Array(50).fill(wish([30])), stock([[3, null]])), Array(50).fill('given'))
  })

  it('does not give what no quota counts', () => {
    assert.deepEqual(outcomes([wish([40])], stock([])), ['none'])
  })

  it('gives each use of a voucher once', () => {
    const left = stock([[3, 9]], new Map([[7, 2]]))
    assert.deepEqual(outcomes(Array(3).fill(wish([30], { voucher: 7 })), left), ['given', 'given', 'voucher'])
  })

  it('does not take a voucher or a seat for what could not be given', () => {
    const left = stock(
      [
        [1, 0],
        [2, 5],
        [3, 5],
      ],
      new Map([[7, 1]]),
    )
    const both = { voucher: 7, seat: 4 }
    assert.deepEqual(outcomes([wish([10], both), wish([30], both)], left), ['Q1', 'given'])
  })

  it('gives a seat once, and none that cannot be had', () => {
    const wishes = [
      wish([30], { seat: 4 }),
      wish([30], { seat: 4 }),
      wish([30], { seat: 5, seatProblem: 'taken' }),
    ]
    assert.deepEqual(outcomes(wishes, stock([[3, 2]])), ['given', 'seat', 'seat'])
    assert.deepEqual(outcomes([...wishes, wish([30])], stock([[3, 2]])).at(-1), 'given')
  })
})
