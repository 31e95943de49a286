import { tokyo } from '../checkin/door.ts'
import { cutoff, no, ok, type Story, tell } from './story.ts'
import { and, atLeast, isAfter, isBefore, time } from './words.ts'

const stories: readonly Story[] = [
  {
    title: 'case 44: admits from ten minutes before admission (isAfter with a tolerance)',
    rules: isAfter(time('date_admission'), 10),
    steps: [
      ['08:45', no],
      ['08:51', ok],
      ['09:10', ok],
    ],
  },
  {
    title: "case 45: takes admission from the position's own date of a series",
    times: { ...tokyo, date_admission: '2020-02-01T09:00:00Z', date_from: '2020-02-01T10:00:00Z' },
    rules: isAfter(time('date_admission'), 10),
    steps: [
      ['09:10', no],
      ['2020-02-01T08:45', no],
      ['2020-02-01T08:51', ok],
      ['2020-02-01T09:10', ok],
    ],
  },
  ...[null, 0, ''].map(
    (tolerance): Story => ({
      title: `case 46: takes the tolerance ${JSON.stringify(tolerance)} for none`,
      rules: isAfter(time('date_admission'), tolerance),
      steps: [
        ['08:51', no],
        ['09:10', ok],
      ],
    }),
  ),
  {
    title: 'case 47: admits until ten minutes after the end (isBefore with a tolerance)',
    rules: isBefore(time('date_to'), '10'),
    steps: [
      ['14:05', ok],
      ['14:15', no],
    ],
  },
  {
    title: 'case 48: admits until the end (isBefore without a tolerance)',
    rules: isBefore(time('date_to')),
    steps: [
      ['13:55', ok],
      ['14:05', no],
    ],
  },
  {
    title: 'case 49: admits from ten minutes before a fixed moment (custom)',
    rules: isAfter(cutoff),
    steps: [
      ['21:51', no],
      ['22:01', ok],
    ],
  },
  {
    title: 'case 50: admits from a time of day in Tokyo (customtime)',
    rules: isAfter(time('customtime', '14:00')),
    steps: [
      ['04:50', no],
      ['05:01', ok],
    ],
  },
  {
    title: 'case 51: admits at weekends, by the weekday in Tokyo (now_isoweekday)',
    rules: atLeast('now_isoweekday', 6),
    steps: [
      ['10:00', no],
      ['2020-01-04T22:05', ok],
      ['2020-01-05T15:05', no],
    ],
  },
  {
    title: 'case 52: takes the begin for an admission time that is missing, and for an end that is missing',
    times: { ...tokyo, date_admission: null, date_to: null },
    rules: and(isAfter(time('date_admission')), isBefore(time('date_to'), 30)),
    steps: [
      ['09:30', no],
      ['10:01', ok],
      ['10:29', ok],
      ['10:31', no],
    ],
  },
  {
    title: 'case 53: takes a time of day that daylight saving skips for the one an hour later (customtime)',
    times: { ...tokyo, timezone: 'Europe/Berlin' },
    rules: isAfter(time('customtime', '02:30')),
    steps: [
      ['2021-03-28T00:59', no],
      ['2021-03-28T01:29', no],
      ['2021-03-28T01:31', ok],
    ],
  },
]

describe('rules about the time at the doors', () => tell(stories))
