import assert from 'node:assert/strict'
import {
  type EmailRuleTimes,
  ruleTimeProblems,
  sendTime,
} from '../../../server/domain/notifications/email-rule-times.ts'

const relative: EmailRuleTimes = {
  date_is_absolute: false,
  send_date: null,
  send_offset_days: 1,
  send_offset_time: '18:00',
  offset_to_event_end: false,
  offset_is_after: false,
}

const berlin = {
  date_from: '2030-06-10T20:00:00Z',
  date_to: '2030-06-12T22:30:00Z',
  timezone: 'Europe/Berlin',
}
const from = (date_from: string, timezone = 'Europe/Berlin') => ({ date_from, date_to: null, timezone })

describe('the time of a mail', () => {
  for (const [what, rule, occasion, expected] of [
    ['a day before the start', {}, berlin, '2030-06-09T16:00:00'],
    ['a day after the start', { offset_is_after: true }, berlin, '2030-06-11T16:00:00'],
    // The end is on the 13th in Berlin, though it is the 12th in UTC.
    ['a day before the end', { offset_to_event_end: true }, berlin, '2030-06-12T16:00:00'],
    [
      'a day after the end',
      { offset_to_event_end: true, offset_is_after: true },
      berlin,
      '2030-06-14T16:00:00',
    ],
    [
      'after the end of what has none',
      { offset_to_event_end: true, offset_is_after: true },
      from('2030-06-10T20:00:00Z'),
      '2030-06-11T16:00:00',
    ],
    ['on the day itself', { send_offset_days: 0 }, berlin, '2030-06-10T16:00:00'],
    [
      'on the day itself, after',
      { send_offset_days: 0, offset_is_after: true },
      berlin,
      '2030-06-10T16:00:00',
    ],
    ['with seconds', { send_offset_time: '18:00:30' }, berlin, '2030-06-09T16:00:30'],
    [
      'over the end of a year',
      { send_offset_days: 10, offset_is_after: true },
      from('2030-12-28T10:00:00Z'),
      '2031-01-07T17:00:00',
    ],
    ['in a leap year', { send_offset_days: 1 }, from('2028-03-01T10:00:00Z'), '2028-02-29T17:00:00'],
    [
      'in Tokyo, where the day has begun',
      { send_offset_days: 0 },
      from('2030-06-10T20:00:00Z', 'Asia/Tokyo'),
      '2030-06-11T09:00:00',
    ],
    [
      'in New York, where it is still the day before',
      { send_offset_days: 0 },
      from('2030-06-10T02:00:00Z', 'America/New_York'),
      '2030-06-09T22:00:00',
    ],
    [
      'in Nepal',
      { send_offset_days: 0 },
      from('2030-06-10T02:00:00Z', 'Asia/Kathmandu'),
      '2030-06-10T12:15:00',
    ],
    // On 31 March 2030 clocks in Berlin go from 2:00 to 3:00, on 27 October from 3:00 back to 2:00.
    [
      'that the clocks skip',
      { send_offset_time: '02:30', send_offset_days: 0 },
      from('2030-03-31T12:00:00Z'),
      '2030-03-31T01:30:00',
    ],
    [
      'that comes twice: the second',
      { send_offset_time: '02:30', send_offset_days: 0 },
      from('2030-10-27T12:00:00Z'),
      '2030-10-27T01:30:00',
    ],
    [
      'just before the one that comes twice',
      { send_offset_time: '01:59', send_offset_days: 0 },
      from('2030-10-27T12:00:00Z'),
      '2030-10-26T23:59:00',
    ],
    [
      'before the clocks change, seen from after it',
      { send_offset_days: 2 },
      from('2030-04-01T12:00:00Z'),
      '2030-03-30T17:00:00',
    ],
    // In 2030 clocks in New York go back on 3 November: 1:30 comes at 5:30 and at 6:30 UTC.
    [
      'that comes twice in New York',
      { send_offset_time: '01:30', send_offset_days: 0 },
      from('2030-11-03T17:00:00Z', 'America/New_York'),
      '2030-11-03T06:30:00',
    ],
    // Lord Howe Island puts its clocks back by half an hour, on 7 April 2030 at 2:00.
    [
      'that comes twice within half an hour',
      { send_offset_time: '01:45', send_offset_days: 0 },
      from('2030-04-07T03:00:00Z', 'Australia/Lord_Howe'),
      '2030-04-06T15:15:00',
    ],
  ] as const)
    it(`is ${expected} ${what}`, () =>
      assert.equal(sendTime({ ...relative, ...rule }, occasion), `${expected}.000000Z`))

  it('is the one that the rule says, whatever the event', () => {
    const send_date = '2030-01-01T12:00:00Z'
    assert.equal(sendTime({ ...relative, date_is_absolute: true, send_date }, berlin), send_date)
  })

  it('is none where the rule does not say it', () => {
    for (const missing of [
      { send_offset_days: null },
      { send_offset_time: null },
      { date_is_absolute: true },
    ])
      assert.equal(sendTime({ ...relative, ...missing }, berlin), null)
  })
})

describe('what a rule says about its time', () => {
  const absolute = { ...relative, date_is_absolute: true, send_date: '2030-01-01T12:00:00Z' }
  for (const [what, rule, sent, problems] of [
    ['relative', relative, [], 0],
    ['relative, with what is sent', relative, ['offset_to_event_end', 'offset_is_after'], 0],
    ['on the day itself', { ...relative, send_offset_days: 0, send_offset_time: '00:00' }, [], 0],
    ['without days', { ...relative, send_offset_days: null }, [], 1],
    ['without time', { ...relative, send_offset_time: null }, [], 1],
    ['without both', { ...relative, send_offset_days: null, send_offset_time: null }, [], 2],
    ['absolute', absolute, ['send_date'], 0],
    ['absolute without a date', { ...absolute, send_date: null }, [], 1],
    ['absolute and after the event', absolute, ['offset_is_after'], 1],
    ['absolute and both', absolute, ['offset_is_after', 'offset_to_event_end'], 2],
  ] as const)
    it(`has ${problems} problems when it is ${what}`, () =>
      assert.equal(ruleTimeProblems(rule, new Set<string>(sent)).length, problems))
})
