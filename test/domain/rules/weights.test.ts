import assert from 'node:assert/strict'
import { byWeight, type Weight, weightOfNumber } from '../../../server/domain/rules/weights.ts'

describe('the weight of a failed condition', () => {
  /** Subject, operator, actual number and limit, and the weight they have. */
  const rows: readonly (readonly [...Parameters<typeof weightOfNumber>, expected: Weight])[] = [
    ['minutes_since_first_entry', '<', 90, 60, [81, 30]],
    ['minutes_since_last_entry', '>=', 10, 180, [91, 170]],
    ['entries_days', '<=', 3, 2, [101, 1]],
    ['entries_days_since', '<', 3, 2, [101, 1]],
    ['entries_days_before', '>', 0, 2, [101, 2]],
    ['entries_number', '==', 0, 2, [122, 2]],
    ['entries_since', '<', 3, 3, [121, 0]],
    ['entries_before', '>', 0, 0, [121, 0]],
    ['entries_today', '!=', 2, 2, [143, 0]],
    ['now_isoweekday', '==', 3, 6, [212, 3]],
    ['entries_number', '<', 0, 0, [121, 0]],
    ['entries_number', '==', 4, -1, [122, 5]],
    ['entries_number', '==', 4, Number.NaN, [122, 0]],
    ['unheard', '??', 4, 1, [0, 3]],
    ['minutes_since_last_entry', '<', 5, 0, [1091, 5]],
    ['minutes_since_last_entry', '<', 5, 1, [91, 4]],
    ['minutes_since_last_entry', '<=', 5, -1, [1091, 6]],
    ['minutes_since_last_entry', '<=', 5, 0, [91, 5]],
    ['entries_number', '>=', 1, 2, [121, 1]],
    ['minutes_since_last_entry', '>=', -5, -1, [1091, 4]],
    ['minutes_since_last_entry', '>=', -5, 0, [91, 5]],
    ['minutes_since_first_entry', '>', -1, 0, [1081, 1]],
    ['minutes_since_first_entry', '>', -1, 1, [81, 2]],
    ['minutes_since_first_entry', '==', 5, -1, [1082, 6]],
    ['minutes_since_first_entry', '==', 5, -2, [82, 7]],
    ['minutes_since_first_entry', '!=', -1, -1, [1083, 0]],
  ]
  for (const [subject, operator, actual, limit, expected] of rows) {
    it(`is ${expected.join(' and ')} for ${actual} where ${subject} ${operator} ${limit} is wanted`, () => {
      assert.deepEqual(weightOfNumber(subject, operator, actual, limit), expected)
    })
  }

  it('sorts by rigidity, then by distance', () => {
    const sorted: readonly Weight[] = [
      [1, 5],
      [2, 0],
      [2, 3],
    ]
    assert.deepEqual(sorted.toReversed().toSorted(byWeight), sorted)
  })
})
