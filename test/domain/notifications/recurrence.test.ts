import assert from 'node:assert/strict'
import { nextRun, readRecurrence } from '../../../server/domain/notifications/recurrence.ts'

/** The first days after these that the reference names for each rule. */
const after = ['2026-11-23', '2026-12-31', '2027-02-28', '2028-02-28'] as const
const recorded: readonly (readonly [string, readonly (string | null)[]])[] = [
  ['20230118 FREQ=WEEKLY;BYDAY=TU,WE,TH', ['2026-11-24', '2027-01-05', '2027-03-02', '2028-02-29']],
  ['20230118 FREQ=DAILY', ['2026-11-24', '2027-01-01', '2027-03-01', '2028-02-29']],
  ['20230118 FREQ=DAILY;INTERVAL=3', ['2026-11-25', '2027-01-03', '2027-03-01', '2028-03-01']],
  ['20230118 FREQ=WEEKLY;INTERVAL=2', ['2026-12-02', '2027-01-13', '2027-03-10', '2028-03-08']],
  ['20230118 FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,SU', ['2026-11-30', '2027-01-03', '2027-03-08', '2028-03-06']],
  ['20230118 FREQ=MONTHLY;BYDAY=1MO', ['2026-12-07', '2027-01-04', '2027-03-01', '2028-03-06']],
  ['20230118 FREQ=MONTHLY;BYDAY=-1FR', ['2026-11-27', '2027-01-29', '2027-03-26', '2028-03-31']],
  ['20230118 FREQ=MONTHLY;INTERVAL=3;BYDAY=2TU', ['2027-01-12', '2027-01-12', '2027-04-13', '2028-04-11']],
  ['20230118 FREQ=MONTHLY;BYDAY=WE', ['2026-11-25', '2027-01-06', '2027-03-03', '2028-03-01']],
  ['20230118 FREQ=MONTHLY;BYDAY=5SA', ['2027-01-30', '2027-01-30', '2027-05-29', '2028-04-29']],
  [
    '20230118 FREQ=MONTHLY;BYDAY=1MO,-1FR;BYMONTH=6,12',
    ['2026-12-07', '2027-06-07', '2027-06-07', '2028-06-05'],
  ],
  ['20230118 FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', ['2027-03-28', '2027-03-28', '2027-03-28', '2028-03-26']],
  ['20230118 FREQ=YEARLY;BYDAY=20MO', ['2027-05-17', '2027-05-17', '2027-05-17', '2028-05-15']],
  [
    '20230118 FREQ=YEARLY;INTERVAL=2;BYMONTH=2;BYDAY=TU',
    ['2027-02-02', '2027-02-02', '2029-02-06', '2029-02-06'],
  ],
  ['20230118 FREQ=YEARLY;BYDAY=-1FR', ['2026-12-25', '2027-12-31', '2027-12-31', '2028-12-29']],
  ['20230118 FREQ=DAILY;BYMONTH=2', ['2027-02-01', '2027-02-01', '2028-02-01', '2028-02-29']],
  ['20230118 FREQ=DAILY;BYDAY=SA,SU', ['2026-11-28', '2027-01-02', '2027-03-06', '2028-03-04']],
  ['20230118 FREQ=DAILY;INTERVAL=2;BYDAY=SA', ['2026-11-28', '2027-01-09', '2027-03-06', '2028-03-04']],
  ['20230118 FREQ=WEEKLY;BYMONTH=2', ['2027-02-03', '2027-02-03', '2028-02-02', '2029-02-07']],
  ['20261120 FREQ=DAILY;COUNT=5', ['2026-11-24', null, null, null]],
  ['20261120 FREQ=DAILY;COUNT=3', [null, null, null, null]],
  ['20261120 FREQ=WEEKLY;BYDAY=MO,FR;COUNT=4', ['2026-11-27', null, null, null]],
  ['20230118 FREQ=DAILY;UNTIL=20270101T000000', ['2026-11-24', '2027-01-01', null, null]],
  ['20230118 FREQ=DAILY;UNTIL=20270101', ['2026-11-24', '2027-01-01', null, null]],
  ['20270601 FREQ=DAILY', ['2027-06-01', '2027-06-01', '2027-06-01', '2028-02-29']],
  ['20230118 FREQ=WEEKLY;BYDAY=2MO', ['2026-11-30', '2027-01-04', '2027-03-01', '2028-03-06']],
  [
    '20230118 FREQ=WEEKLY;BYDAY=MO;WKST=MO;INTERVAL=3',
    ['2026-12-14', '2027-01-04', '2027-03-08', '2028-03-20'],
  ],
  ['20230118 FREQ=YEARLY;BYMONTH=1,7;BYDAY=1MO', ['2027-01-04', '2027-01-04', '2027-07-05', '2028-07-03']],
]

const next = (rule: string, now: string, time = '04:00:00', timezone = 'UTC'): string | null => {
  const read = readRecurrence(rule)
  assert.ok(read, rule)
  return nextRun(read, { time, timezone, now })
}

describe('days that come again', () => {
  for (const [rule, expected] of recorded)
    it(`are those of the reference: ${rule}`, () => {
      const [start, said] = rule.split(' ')
      const found = after.map((day) =>
        next(`DTSTART:${start}T000000\nRRULE:${said}`, `${day}T12:00:00.000000Z`),
      )
      assert.deepEqual(
        found.map((one) => one?.slice(0, 10) ?? null),
        expected,
      )
    })

  for (const rule of [
    ...['FREQ=MONTHLY', 'FREQ=YEARLY;BYMONTH=3', 'FREQ=HOURLY', 'FREQ=MINUTELY', 'x', '', ' ', 'BYDAY=MO'],
    ...[
      'FREQ=DAILY;',
      'FREQ=DAILY;FOO=1',
      'FREQ=DAILY;BYHOUR=3',
      'FREQ=DAILY;WKST=SU',
      'FREQ=DAILY;FREQ=DAILY',
    ],
    ...[
      'FREQ=DAILY;BYMONTHDAY=3',
      'FREQ=MONTHLY;BYDAY=MO;BYSETPOS=1',
      'FREQ=WEEKLY;BYDAY=',
      'FREQ=WEEKLY;BYDAY=XX',
    ],
    ...[
      'FREQ=DAILY;INTERVAL=0',
      'FREQ=DAILY;INTERVAL=-1',
      'FREQ=DAILY;INTERVAL=9999999',
      'FREQ=DAILY;BYMONTH=13',
    ],
    ...[
      'FREQ=DAILY;UNTIL=20300101T000000Z',
      'FREQ=DAILY;UNTIL=20301301',
      'DTSTART:20200131T100000Z\nRRULE:FREQ=DAILY',
    ],
    ...['DTSTART;TZID=Europe/Berlin:20200131T100000\nRRULE:FREQ=DAILY', 'DTSTART:20200101T000000'],
    ...['DTSTART:00010101T000000\nRRULE:FREQ=DAILY', 'FREQ=MONTHLY;BYDAY=0MO', 'FREQ=MONTHLY;BYDAY=54MO'],
    ...['RRULE:FREQ=DAILY\nEXDATE:20200102T000000', 'constructor=1;FREQ=DAILY'],
  ])
    it(`are refused: ${JSON.stringify(rule)}`, () => {
      assert.equal(readRecurrence(rule), undefined)
    })

  for (const [rule, now, time, timezone, expected] of [
    ['FREQ=DAILY', '2026-11-23T03:59:59.000000Z', '04:00:00', 'UTC', '2026-11-23T04:00:00.000000Z'],
    ['FREQ=DAILY', '2026-11-23T04:00:00.000000Z', '04:00:00', 'UTC', '2026-11-24T04:00:00.000000Z'],
    ['freq=daily', '2026-11-23T23:30:00.000000Z', '04:00:00', 'Europe/Berlin', '2026-11-24T03:00:00.000000Z'],
    ['FREQ=DAILY', '2026-07-01T23:30:00.000000Z', '04:00:00', 'Europe/Berlin', '2026-07-02T02:00:00.000000Z'],
    // A time that is skipped comes later; one that comes twice is the first one.
    ['FREQ=DAILY', '2026-03-29T00:00:00.000000Z', '02:30:00', 'Europe/Berlin', '2026-03-29T01:30:00.000000Z'],
    ['FREQ=DAILY', '2026-10-25T00:00:00.000000Z', '02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000000Z'],
    ['FREQ=DAILY', '2026-10-25T01:10:00.000000Z', '02:30:00', 'Europe/Berlin', '2026-10-26T01:30:00.000000Z'],
    [
      'FREQ=DAILY;INTERVAL=2',
      '2026-11-23T12:00:00.000000Z',
      '04:00:00',
      'UTC',
      '2026-11-25T04:00:00.000000Z',
    ],
    ['RRULE:FREQ=WEEKLY', '2026-11-23T12:00:00.000000Z', '04:00:00', 'UTC', '2026-11-30T04:00:00.000000Z'],
    ['FREQ=DAILY;COUNT=0', '2026-11-23T12:00:00.000000Z', '04:00:00', 'UTC', null],
    ['FREQ=DAILY;UNTIL=20200101', '2026-11-23T12:00:00.000000Z', '04:00:00', 'UTC', null],
    ['FREQ=MONTHLY;BYDAY=5MO;BYMONTH=2;INTERVAL=12', '2026-11-23T12:00:00.000000Z', '04:00:00', 'UTC', null],
  ] as const)
    it(`are next at ${expected}: ${rule} at ${time} in ${timezone}, now ${now}`, () => {
      assert.equal(next(rule, now, time, timezone), expected)
    })
})
