import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Fullness, fullnessOf } from '../../../server/domain/checkin/capacity.ts'

const rows: readonly (readonly [number, number | null, number, Fullness | null])[] = [
  [0, 2000, 90, null],
  [1799, 2000, 90, null],
  [1800, 2000, 90, 'near'],
  [1999, 2000, 90, 'near'],
  [2000, 2000, 90, 'full'],
  [2001, 2000, 90, 'full'],
  [1999, 2000, 100, null],
  [2000, 2000, 100, 'full'],
  [20, 2000, 1, 'near'],
  [0, 1, 90, null],
  [1, 1, 90, 'full'],
  [2, 3, 67, null],
  [2, 3, 66, 'near'],
  [100_000, null, 90, null],
]

describe('how full a place is', () => {
  for (const [inside, capacity, warnAt, expected] of rows)
    it(`is ${expected ?? 'nothing to say'} with ${inside} of ${capacity ?? 'any number'}, warning at ${warnAt} %`, () =>
      assert.equal(fullnessOf(inside, capacity, warnAt), expected))

  it('never gets less with more guests inside', () => {
    const weight = { none: 0, near: 1, full: 2 }
    const some = fc.integer({ min: 1, max: 5000 })
    fc.assert(
      fc.property(some, some, fc.integer({ min: 1, max: 100 }), (inside, capacity, warnAt) => {
        const now = weight[fullnessOf(inside, capacity, warnAt) ?? 'none']
        assert.ok(weight[fullnessOf(inside + 1, capacity, warnAt) ?? 'none'] >= now)
        assert.equal(now === 2, inside >= capacity)
      }),
    )
  })
})
