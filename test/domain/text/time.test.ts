import assert from 'node:assert/strict'
import fc from 'fast-check'
import { canonicalInstant, instantAt, microsecondsOf } from '../../../schema/instants.ts'
import { dayAfter } from '../../../server/domain/checkin/automatic-exits.ts'
import {
  localDate,
  localDateTime,
  localWeekday,
  offsetAt,
  toInstant,
} from '../../../server/domain/text/time.ts'

describe('the canonical spelling of an instant', () => {
  const spellings: readonly (readonly [text: string, expected: string | undefined])[] = [
    ['2020-01-01T10:00:00.000000Z', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-01T10:00:00Z', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-01T10:00Z', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-01 10:00:00z', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-01t10:00:00.5z', '2020-01-01T10:00:00.500000Z'],
    ['2020-01-01T10:00:00,25Z', '2020-01-01T10:00:00.250000Z'],
    ['2020-01-01T10:00:00.123456789Z', '2020-01-01T10:00:00.123456Z'],
    ['2020-01-01T10:00:00.123456z', '2020-01-01T10:00:00.123456Z'],
    ['2020-01-01 10:00:00.123456Z', '2020-01-01T10:00:00.123456Z'],
    ['2020-01-01T19:00:00+09:00', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-01T19:00:00+0900', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-02T09:59:00+23:59', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-01T19:59:00+09:59', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-01T19:00+09', '2020-01-01T10:00:00.000000Z'],
    ['2020-01-01T04:29:59.999999-05:30', '2020-01-01T09:59:59.999999Z'],
    ['2019-12-31T23:30:00-01:00', '2020-01-01T00:30:00.000000Z'],
    ['2020-02-29T00:00:00Z', '2020-02-29T00:00:00.000000Z'],
    ['2000-02-29T00:00:00+00:00', '2000-02-29T00:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['0099-06-01T00:00:00-00:00', '0099-06-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59.999999+00:00', '9999-12-31T23:59:59.999999Z'],
    ['0001-01-01T00:00:00+00:01', undefined],
    ['9999-12-31T23:59:59-00:01', undefined],
    ['0000-01-01T00:00:00Z', undefined],
    ['2021-02-29T00:00:00Z', undefined],
    ['1900-02-29T00:00:00Z', undefined],
    ['2020-04-31T00:00:00Z', undefined],
    ['2020-00-01T00:00:00Z', undefined],
    ['2020-13-01T00:00:00Z', undefined],
    ['2020-01-00T00:00:00Z', undefined],
    ['2020-01-01T24:00:00Z', undefined],
    ['2020-01-01T23:60:00Z', undefined],
    ['2020-01-01T23:59:60Z', undefined],
    ['2020-01-01T10:00:00+24:00', undefined],
    ['2020-01-01T10:00:00+09:60', undefined],
    ['2020-01-01T10:00:00', undefined],
    ['2020-01-01', undefined],
    ['2020-1-1T10:00:00Z', undefined],
    ['10:00:00Z', undefined],
    [' 2020-01-01T10:00:00Z', undefined],
    ['2020-01-01T10:00:00Z\n', undefined],
    ['2020-01-01T10:00:00.Z', undefined],
    ['+002020-01-01T10:00:00Z', undefined],
    ['now', undefined],
    ['', undefined],
  ]
  for (const [text, expected] of spellings) {
    it(`is ${expected} for ${JSON.stringify(text)}`, () => {
      assert.equal(canonicalInstant(text), expected)
      assert.equal(Number.isNaN(microsecondsOf(text)), expected === undefined && !/^(0001|9999)/.test(text))
    })
  }

  const anyDate = fc.date({
    min: new Date('0001-01-02T00:00:00Z'),
    max: new Date('9999-12-30T23:59:59Z'),
    noInvalidDate: true,
  })

  it('is what the calendar of the machine says, at any offset', () => {
    fc.assert(
      fc.property(anyDate, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, minutes) => {
        const shifted = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, 23)
        const [hour, minute] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
        const offset = `${minutes < 0 ? '-' : '+'}${[hour, minute].map((n) => String(n).padStart(2, '0')).join(':')}`
        assert.equal(canonicalInstant(`${shifted}${offset}`), date.toISOString().replace('Z', '000Z'))
      }),
    )
  })

  it('sorts as text like the instants sort in time, and is its own canonical spelling', () => {
    fc.assert(
      fc.property(anyDate, anyDate, (a, b) => {
        const [first = '', second = ''] = [a, b].map((date) => canonicalInstant(date.toISOString()))
        assert.equal(first < second, a.getTime() < b.getTime())
        assert.equal(canonicalInstant(first), first)
        assert.equal(first.length, 27)
      }),
    )
  })

  it('is made from microseconds and made into them', () => {
    const micros = fc.integer({ min: -62_000_000_000_000_000, max: 9_000_000_000_000_000 })
    fc.assert(
      fc.property(micros.filter(Number.isSafeInteger), (microseconds) => {
        assert.equal(microsecondsOf(instantAt(microseconds)), microseconds)
      }),
    )
    assert.equal(instantAt(-1), '1969-12-31T23:59:59.999999Z')
  })
})

describe('an instant read from a clock', () => {
  const instant = '2020-01-04T22:05:30.500000Z'
  it('has the date, the time, the weekday and the offset of the zone', () => {
    assert.equal(localDate(instant, 'Asia/Tokyo'), '2020-01-05')
    assert.equal(localDate(instant, 'America/New_York'), '2020-01-04')
    assert.equal(localDateTime(instant, 'Asia/Tokyo'), '2020-01-05T07:05:30')
    assert.equal(localWeekday(instant, 'Asia/Tokyo'), 7)
    assert.equal(localWeekday(instant, 'UTC'), 6)
    assert.equal(offsetAt(instant, 'Asia/Tokyo'), '+09:00')
    assert.equal(offsetAt('2020-07-01T00:00:00Z', 'America/St_Johns'), '-02:30')
  })

  it('needs a zone that exists', () => {
    assert.throws(() => localDate(instant, 'Not/AZone'), RangeError)
    assert.throws(() => localDate('now', 'UTC'), RangeError)
  })
})

describe('a time on a clock', () => {
  const rows: readonly (readonly [
    title: string,
    clock: string,
    zone: string,
    expected: string,
    second?: string,
  ])[] = [
    ['is an instant', '2020-01-01T19:00', 'Asia/Tokyo', '2020-01-01T10:00:00.000000Z'],
    ['may have seconds', '2020-01-01T19:00:01', 'Asia/Tokyo', '2020-01-01T10:00:01.000000Z'],
    ['follows daylight saving', '2021-07-01T10:00:00', 'Europe/Berlin', '2021-07-01T08:00:00.000000Z'],
    ['that is skipped becomes later', '2021-03-28T02:30', 'Europe/Berlin', '2021-03-28T01:30:00.000000Z'],
    [
      'that comes twice is the first, or the second if wanted',
      '2021-10-31T02:30',
      'Europe/Berlin',
      '2021-10-31T00:30:00.000000Z',
      '2021-10-31T01:30:00.000000Z',
    ],
    [
      'may start a day that has no midnight',
      '2018-11-04T00:00',
      'America/Sao_Paulo',
      '2018-11-04T03:00:00.000000Z',
    ],
  ]
  for (const [title, clock, zone, expected, second = expected] of rows) {
    it(title, () => {
      assert.equal(toInstant(clock, zone), expected)
      assert.equal(toInstant(clock, zone, 'second'), second)
    })
  }

  it('must be one', () => {
    assert.throws(() => toInstant('soon', 'UTC'), RangeError)
    assert.throws(() => toInstant('2021-02-29T10:00', 'UTC'), RangeError)
  })
})

describe('the same time on the next day', () => {
  const berlin = 'Europe/Berlin'
  const rows: readonly (readonly [title: string, from: string, expected: string, zone?: string])[] = [
    ['is a day later', '2020-01-01T03:00:00Z', '2020-01-02T03:00:00.000000Z'],
    ['is 23 hours later when clocks go forward', '2021-03-27T11:00:00Z', '2021-03-28T10:00:00.000000Z'],
    ['is 25 hours later when clocks go back', '2021-10-30T10:00:00Z', '2021-10-31T11:00:00.000000Z'],
    ['is the later time where it is skipped', '2021-03-27T01:30:00Z', '2021-03-28T01:30:00.000000Z'],
    ['is the second where it comes twice', '2021-10-30T00:30:00Z', '2021-10-31T01:30:00.000000Z'],
    ['follows a second one by one day', '2021-10-31T01:30:00Z', '2021-11-01T01:30:00.000000Z'],
    [
      'skips a day that a zone skipped',
      '2011-12-29T20:00:00Z',
      '2011-12-30T20:00:00.000000Z',
      'Pacific/Apia',
    ],
  ]
  for (const [title, from, expected, zone = berlin] of rows) {
    it(title, () => assert.equal(dayAfter(from, null, zone).instant, expected))
  }

  it('remembers the time that a day skips, and comes back to it', () => {
    const skipped = dayAfter('2021-03-27T01:30:00Z', null, berlin)
    assert.deepEqual(skipped, { instant: '2021-03-28T01:30:00.000000Z', local: '02:30:00' })
    assert.deepEqual(dayAfter(skipped.instant, skipped.local, berlin), {
      instant: '2021-03-29T00:30:00.000000Z',
      local: null,
    })
  })

  it('is later by about a day, whatever the day and the zone', () => {
    const zones = fc.constantFrom(
      berlin,
      'America/Sao_Paulo',
      'Australia/Lord_Howe',
      'Asia/Tokyo',
      'Africa/Cairo',
    )
    const hours = fc.integer({ min: 0, max: 24 * 365 * 8 })
    fc.assert(
      fc.property(hours, zones, (hour, zone) => {
        const from = instantAt(Date.UTC(2016, 0, 1, hour) * 1000)
        const apart = (microsecondsOf(dayAfter(from, null, zone).instant) - microsecondsOf(from)) / 3600e6
        assert.ok(apart >= 23 && apart <= 25, `${from} ${zone} ${apart}`)
      }),
      { numRuns: 500 },
    )
  })
})
