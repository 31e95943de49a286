import assert from 'node:assert/strict'
import { nextDay } from '../../../server/exporters/format/days.ts'
import { localClock } from '../../../server/exporters/format/local-clock.ts'

describe('the clock of a place', () => {
  for (const [instant, zone, expected] of [
    ['2030-06-01T10:00:00.000000Z', 'Europe/Berlin', '2030-06-01T12:00:00'],
    ['2030-01-01T23:59:59.999999Z', 'Europe/Berlin', '2030-01-02T00:59:59'],
    ['2030-03-31T00:59:59.000000Z', 'Europe/Berlin', '2030-03-31T01:59:59'],
    ['2030-03-31T01:00:00.000000Z', 'Europe/Berlin', '2030-03-31T03:00:00'],
    ['2030-10-27T00:59:00.000000Z', 'Europe/Berlin', '2030-10-27T02:59:00'],
    ['2030-10-27T01:00:00.000000Z', 'Europe/Berlin', '2030-10-27T02:00:00'],
    ['2030-06-01T10:00:00.000000Z', 'Asia/Kathmandu', '2030-06-01T15:45:00'],
    ['2030-10-05T15:29:00.000000Z', 'Australia/Lord_Howe', '2030-10-06T01:59:00'],
    ['2030-10-05T15:30:00.000000Z', 'Australia/Lord_Howe', '2030-10-06T02:30:00'],
    ['2030-06-01T02:00:00.000000Z', 'America/New_York', '2030-05-31T22:00:00'],
  ] as const)
    it(`shows ${expected} in ${zone} at ${instant}`, () => {
      const clock = localClock(zone)
      // What is remembered of the same minutes changes nothing.
      assert.deepEqual([clock(instant), clock(instant)], [expected, expected])
    })

  it('shows nothing for no moment', () => {
    assert.equal(localClock('UTC')(null), null)
  })

  it('knows when days begin', () => {
    assert.equal(nextDay('2030-03-31', 0, 'Europe/Berlin'), '2030-03-30T23:00:00.000000Z')
    assert.equal(nextDay('2030-03-31', 1, 'Europe/Berlin'), '2030-03-31T22:00:00.000000Z')
    assert.equal(nextDay('2030-12-31', 1, 'UTC'), '2031-01-01T00:00:00.000000Z')
  })
})
