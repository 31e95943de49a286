import assert from 'node:assert/strict'
import { countedAt, isYearsAway, millisecondsAhead } from '../../../server/domain/checkin/checkin.ts'

const recorded = '2026-11-21T18:00:00.123456Z'

describe('the moment that a scan counts at', () => {
  const cases: readonly (readonly [said: string, counts: string])[] = [
    ['2026-11-21T17:00:00.000000Z', '2026-11-21T17:00:00.000000Z'],
    ['2025-01-01T00:00:00.000000Z', '2025-01-01T00:00:00.000000Z'],
    ['2027-12-31T23:59:59.999999Z', '2027-12-31T23:59:59.999999Z'],
    ['2024-12-31T23:59:59.999999Z', recorded],
    ['2028-01-01T00:00:00.000000Z', recorded],
    ['1970-01-01T00:00:00.000000Z', recorded],
    ['2999-12-31T23:59:59.000000Z', recorded],
  ]
  for (const [said, counts] of cases)
    it(`is ${counts} for ${said}`, () => {
      assert.equal(countedAt(said, recorded), counts)
      assert.equal(isYearsAway(said, recorded), said !== counts)
    })

  it('says how far a clock was ahead', () => {
    assert.equal(millisecondsAhead('2026-11-21T18:00:01.123456Z', recorded), 1000)
    assert.equal(millisecondsAhead('2026-11-21T17:59:59.123456Z', recorded), -1000)
  })
})
