import assert from 'node:assert/strict'
import { scanTime } from '../../../server/domain/checkin/checkin.ts'

const now = '2026-11-21T18:00:00.123456Z'

describe('the time of a scan', () => {
  const cases: readonly (readonly [sent: string | null, taken: string])[] = [
    [null, now],
    ['2026-11-21T17:00:00.000000Z', '2026-11-21T17:00:00.000000Z'],
    ['2030-06-01T10:00:00.000000Z', '2030-06-01T10:00:00.000000Z'],
    ['1970-01-01T00:00:00.000000Z', '1970-01-01T00:00:00.000000Z'],
    ['1969-12-31T23:59:59.999999Z', now],
    ['0001-01-01T00:00:00.000000Z', now],
    ['2036-11-28T18:00:00.123456Z', '2036-11-28T18:00:00.123456Z'],
    ['2036-11-28T18:00:00.123457Z', now],
    ['9999-12-31T23:59:59.000000Z', now],
  ]
  for (const [sent, taken] of cases)
    it(`is ${taken} for ${sent}`, () => {
      assert.equal(scanTime(sent, now), taken)
    })
})
