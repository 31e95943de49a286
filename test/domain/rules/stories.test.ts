import assert from 'node:assert/strict'
import { goodTicket, openDoors } from '../checkin/door.ts'
import { cutoff, instant, list, no, ok, type Story, tell } from './story.ts'
import { and, atMost, equal, isAfter, isBefore, less, more, oneOf, or, time } from './words.ts'

const exit = { type: 'exit' } as const
const elevenAtNight = time('customtime', '23:00')
const since = (limit: unknown, moment: unknown) => ({ '<=': [{ entries_since: [moment] }, limit] })
const before = (operator: string, moment: unknown, limit: number) => ({
  [operator]: [{ entries_before: [moment] }, limit],
})
const daysSince = (moment: unknown, limit: number) => ({ '<=': [{ entries_days_since: [moment] }, limit] })
const daysBefore = (moment: unknown, limit: number) => ({ '>=': [{ entries_days_before: [moment] }, limit] })

const stories: readonly Story[] = [
  {
    title: 'case 29: evaluates and, for entries only: false refuses',
    rules: and(false, true),
    steps: [
      ['10:00', no],
      ['10:01', ok, exit],
    ],
  },
  {
    title: 'case 29: evaluates and, for entries only: true admits',
    rules: and(true, true),
    steps: [['10:00', ok]],
  },
  {
    title: 'case 30: refuses a product that is not in the list',
    rules: oneOf('product', 2),
    steps: [['10:00', no]],
  },
  { title: 'case 30: admits a product in the list', rules: oneOf('product', 1, 2), steps: [['10:00', ok]] },
  {
    title: 'case 31: refuses a variation that is not in the list',
    code: 'variation',
    rules: oneOf('variation', 6),
    steps: [['10:00', no]],
  },
  {
    title: 'case 31: admits a variation in the list',
    code: 'variation',
    rules: oneOf('variation', 6, 5),
    steps: [['10:00', ok]],
  },
  {
    title: 'case 31: refuses a ticket without a variation',
    rules: oneOf('variation', 5),
    steps: [['10:00', no]],
  },
  ...['good', 'signed'].map(
    (code): Story => ({
      title: `case 32: admits at the gates in the list only (${code} ticket)`,
      code,
      rules: oneOf('gate', 1),
      steps: [
        ['10:00', no],
        ['10:00', no, { gate: 2 }],
        ['10:00', ok, { gate: 1 }],
      ],
    }),
  ),
  ...['good', 'signed'].map(
    (code): Story => ({
      title: `case 32: admits at either of two gates in the list (${code} ticket)`,
      code,
      rules: oneOf('gate', 1, 2),
      steps: [
        ['10:00', ok, { gate: 2 }],
        ['10:00', ok, { gate: 1 }],
        ['10:00', no, { gate: 3 }],
      ],
    }),
  ),
  {
    title: 'case 33: admits three entries, with an exit in between, and no fourth (entries_number < 3)',
    rules: less('entries_number', 3),
    steps: [
      ['10:00', ok],
      ['10:01', ok],
      ['10:02', ok, exit],
      ['10:03', ok],
      ['10:04', no],
    ],
  },
  {
    title: 'case 34: admits who is not inside (entry_status)',
    rules: or(equal('entry_status', 'absent'), equal('entries_number', 0)),
    steps: [
      ['10:00', ok],
      ['10:01', no],
      ['10:02', ok, exit],
      ['10:03', ok],
    ],
  },
  {
    title: 'case 35: admits three entries per day in Tokyo (entries_today < 3)',
    rules: less('entries_today', 3),
    steps: [
      ['10:00', ok],
      ['10:00', ok],
      ['10:00', ok],
      ['10:00', no],
      ['14:50', no],
      ['15:10', ok],
      ['15:10', ok],
      ['15:10', ok],
      ['15:10', no],
    ],
  },
  {
    title: 'case 36: admits without limit on two arbitrary days (entries_today, entries_days)',
    rules: or(more('entries_today', 0), less('entries_days', 2)),
    steps: [
      ['10:00', ok],
      ['10:30', ok],
      ['14:50', ok],
      ['2020-01-03T10:00', ok],
      ['2020-01-03T10:30', ok],
      ['2020-01-03T11:00', ok],
      ['2020-01-03T14:50', ok],
      ['2020-01-03T15:10', no],
      ['2020-01-03T15:10', no],
    ],
  },
  {
    title: 'case 37: admits once before and once after a moment (entries_since)',
    rules: or(and(isBefore(cutoff), atMost('entries_number', 0)), and(isAfter(cutoff), since(0, cutoff))),
    steps: [
      ['21:00', ok],
      ['21:10', no],
      ['22:10', ok],
      ['22:20', no],
    ],
  },
  {
    title: 'case 38: admits once before and once after 23:00 in Tokyo every day (customtime)',
    rules: or(
      and(isBefore(elevenAtNight), atMost('entries_today', 0)),
      and(isAfter(elevenAtNight), since(0, elevenAtNight)),
    ),
    steps: [
      ['13:00', ok],
      ['13:50', no],
      ['14:10', ok],
      ['14:20', no],
      ['2020-01-02T13:00', ok],
      ['2020-01-02T13:50', no],
      ['2020-01-02T14:10', ok],
      ['2020-01-02T14:20', no],
    ],
  },
  {
    title: 'case 39: admits after a moment who came before it (entries_before)',
    rules: or(isBefore(cutoff), before('>=', cutoff, 1)),
    steps: [
      ['21:00', ok],
      ['22:10', ok],
    ],
  },
  {
    title: 'case 39: refuses after a moment who did not come before it (entries_before)',
    rules: or(isBefore(cutoff), before('>=', cutoff, 1)),
    steps: [
      ['22:10', no],
      ['22:20', no],
    ],
  },
  {
    title: 'case 40: admits once before a moment and on one day after it (entries_days_since)',
    rules: or(
      and(isBefore(cutoff), before('<', cutoff, 1)),
      and(isAfter(cutoff), or(daysSince(cutoff, 0), and(more('entries_today', 0), daysSince(cutoff, 1)))),
    ),
    steps: [
      ['21:00', ok],
      ['21:10', no],
      ['2020-01-02T21:00', ok],
      ['2020-01-02T21:10', ok],
      ['2020-01-03T21:00', no],
    ],
  },
  {
    title: 'case 41: refuses with one earlier day and admits with two (entries_days_before >= 2)',
    rules: or(isBefore(cutoff), daysBefore(cutoff, 2)),
    steps: [
      ['10:00', ok],
      ['10:10', ok],
      ['22:10', no],
      ['15:10', ok],
      ['22:20', ok],
    ],
  },
  {
    title: 'case 42: admits again three hours after the last entry (minutes_since_last_entry)',
    rules: or(atMost('minutes_since_last_entry', -1), more('minutes_since_last_entry', 180)),
    steps: [
      ['10:00', ok],
      ['12:55', no],
      ['13:01', ok],
      ['15:55', no],
      ['16:02', ok],
    ],
  },
  {
    title: 'case 43: admits within three hours of the first entry (minutes_since_first_entry)',
    rules: or(atMost('minutes_since_first_entry', -1), less('minutes_since_first_entry', 180)),
    steps: [
      ['10:00', ok],
      ['12:55', ok],
      ['13:01', no],
    ],
  },
]

describe('rules at the doors', () => {
  tell(stories)

  it('case 39: forgets who came before a moment together with the passes', () => {
    const doors = openDoors([goodTicket])
    const lists = [{ ...list, rules: or(isBefore(cutoff), before('>=', cutoff, 1)) }]
    const scanAt = (when: string) => doors.scan('good', { lists, at: instant(when) })
    assert.deepEqual([scanAt('21:00'), scanAt('22:10')], [ok, ok])
    doors.forget()
    assert.equal(scanAt('22:20'), no)
  })

  it('counts the passes of this list only', () => {
    const doors = openDoors([goodTicket])
    const rules = less('entries_number', 1)
    const scanAt = (id: number) => doors.scan('good', { lists: [{ ...list, id, rules }] })
    assert.deepEqual([scanAt(2), scanAt(9), scanAt(2)], [ok, ok, no])
  })
})
