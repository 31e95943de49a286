import assert from 'node:assert/strict'
import { judge, retryDelays } from '../../../server/domain/notifications/webhook-schedule.ts'

describe('what becomes of a message after an attempt', () => {
  const cases: readonly [code: number, attempts: number, wish: number | null, expected: string][] = [
    [200, 1, null, 'delivered'],
    [204, 12, null, 'delivered'],
    [299, 1, 5000, 'delivered'],
    [199, 1, null, 'again after 5'],
    [300, 1, null, 'again after 5'],
    [304, 2, null, 'again after 30'],
    [0, 3, null, 'again after 60'],
    [404, 4, null, 'again after 300'],
    [409, 5, null, 'again after 1200'],
    [411, 11, null, 'again after 86400'],
    [500, 12, null, 'given up'],
    [0, 99, null, 'given up'],
    [410, 1, null, 'refused for good'],
    [410, 12, 60, 'refused for good'],
    [503, 1, 90, 'again after 90'],
    [429, 1, 90, 'again after 90'],
    [429, 4, 90, 'again after 300'],
    [503, 1, 1e9, 'again after 86400'],
    [500, 1, 90, 'again after 5'],
    [503, 12, 90, 'given up'],
  ]
  for (const [code, attempts, wish, expected] of cases)
    it(`is "${expected}" after attempt ${attempts} was answered with ${code}${wish ? `, wait ${wish}` : ''}`, () => {
      const verdict = judge(code, attempts, wish)
      assert.equal(verdict.kind === 'again' ? `again after ${verdict.delay}` : verdict.kind, expected)
    })

  it('is tried for about three days', () => {
    const hours = retryDelays.reduce((sum, delay) => sum + delay, 0) / 3600
    assert.equal(retryDelays.length, 11)
    assert.ok(hours > 59 && hours < 60)
  })
})
